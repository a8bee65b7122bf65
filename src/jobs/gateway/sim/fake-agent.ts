// A whole agent on a fake gateway: the real agent and its real HTTP service, on programs and a disk in memory.

import type { Clock } from "../../../ports/clock.ts";
import type { HttpService } from "../../../ports/http-service.ts";
import type { Log } from "../../../ports/log.ts";
import type { Tokens } from "../../../ports/tokens.ts";
import { GatewayAgent } from "../agent/gateway-agent.ts";
import { agentService } from "../agent/http/agent-service.ts";
import { fakeDataplane } from "./fake-dataplane.ts";
import { FakeGateway } from "./fake-gateway.ts";
import { sampleLocal } from "./sample-document.ts";

export interface FakeAgentOptions {
  readonly name: string;
  readonly key: Uint8Array;
  readonly clock: Clock;
  readonly log: Log;
  readonly tokens: Tokens;
}

export interface FakeAgent {
  readonly gateway: FakeGateway;
  readonly agent: GatewayAgent;
  readonly service: HttpService;
}

const maxBytes = 50_000_000;

export async function startFakeAgent(
  { name, key, clock, log, tokens }: FakeAgentOptions,
  gateway = new FakeGateway(),
): Promise<FakeAgent> {
  const { nft, keepalived, conntrack, journal, sysctls } = gateway;
  const agent = new GatewayAgent({
    nft,
    keepalived,
    conntrack,
    sysctls,
    journal,
    clock,
    log,
    local: sampleLocal({ name }),
    settings: { readyFile: "/run/ready", compat: { password: "useless" } },
    dataplane: fakeDataplane,
    random: { next: () => 1, uuid: () => "" },
    lbaas: { virtualRouterId: 7, announces: true, hidesClients: true, sourceAddresses: [] },
    versions: { agent: "1", kernel: "6" },
  });
  await agent.start();
  const service = agentService({
    agent,
    clock,
    log,
    dataplane: fakeDataplane,
    gateway: name,
    tokens,
    access: { key, certificateNames: [] },
    v1: { key, expiry: "beyond-loopback", maxBytes: 1_048_576 },
    maxBytes,
  });
  return { gateway, agent, service };
}
