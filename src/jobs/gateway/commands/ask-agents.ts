// What agents say now, to whoever has the credentials that the pools name. One that cannot be asked is a note, and what the controller saw
// last stands.

import type { CliPorts } from "../../../cli/cli-ports.ts";
import { explainError } from "../../../core/explain.ts";
import type { KubeReader } from "../../../ports/kube.ts";
import type { GatewayPool, GatewaySpec, GatewayStatus } from "../apis/gateway-pool.ts";
import { type FeedParts, GatewayClient } from "../controller/feed/gateway-client.ts";
import { accessOf } from "../controller/feed/read-access.ts";
import type { AgentCapabilities, AgentStatus } from "../core/model/agent-answers.ts";
import type { GatewayDocument } from "../core/model/document.ts";

export interface AgentAnswer {
  readonly gateway: string;
  /** Why there is no status, in words. */
  readonly problem?: string;
  readonly status?: AgentStatus;
  readonly capabilities?: AgentCapabilities | "v1";
  readonly document?: GatewayDocument;
  /** How far its clock is ahead of ours, as far as the way there and back allows. */
  readonly clockAheadMs?: number;
}

export interface AskWhat {
  /** Ask also for the document, which may be large. */
  readonly document: boolean;
}

export async function askAgents(
  { spec = {} }: GatewayPool,
  kube: KubeReader,
  ports: Pick<CliPorts, "gatewayAccess" | "clock" | "random">,
  what: AskWhat,
): Promise<readonly AgentAnswer[]> {
  const { clock, random } = ports;
  const { feed, tokens } = await ports.gatewayAccess();
  const parts: FeedParts = { feed, tokens, clock, random };
  try {
    return await Promise.all((spec.gateways ?? []).map((gateway) => askOne(gateway, kube, parts, what)));
  } finally {
    await feed.close();
  }
}

async function askOne(gateway: GatewaySpec, kube: KubeReader, parts: FeedParts, what: AskWhat): Promise<AgentAnswer> {
  const { name, url } = gateway;
  const { signal } = new AbortController();
  try {
    const access = await accessOf(gateway, { kube, signal });
    const client = new GatewayClient(parts, { gateway: name, url, access });
    const capabilities = await client.capabilities({ signal });
    if (capabilities.kind !== "answered") return { gateway: name, problem: capabilities.message };
    if (capabilities.value === "v1") return { gateway: name, capabilities: "v1" };
    const askedMs = parts.clock.nowMs();
    const status = await client.status({ signal });
    if (status.kind !== "answered") return { gateway: name, problem: status.message };
    const clockAheadMs = aheadMs(status.value, askedMs, parts.clock.nowMs());
    const document = what.document ? await client.document({ signal }) : undefined;
    return {
      gateway: name,
      status: status.value,
      capabilities: capabilities.value,
      ...(clockAheadMs === undefined ? {} : { clockAheadMs }),
      ...(document?.kind === "answered" && document.value !== undefined ? { document: document.value } : {}),
    };
  } catch (error) {
    return { gateway: name, problem: explainError(error).text };
  }
}

/** Zero while it lies within the time that the question took. */
function aheadMs({ machine }: AgentStatus, askedMs: number, answeredMs: number): number | undefined {
  const thereMs = Date.parse(machine?.time ?? "");
  if (Number.isNaN(thereMs)) return undefined;
  return thereMs > answeredMs ? thereMs - answeredMs : Math.min(0, thereMs - askedMs);
}

/** The pool as it would be if its controller had asked just now. */
export function withAnswers(pool: GatewayPool, answers: readonly AgentAnswer[]): GatewayPool {
  const before = pool.status?.gateways ?? [];
  const gateways = (pool.spec?.gateways ?? []).map(({ name }): GatewayStatus => {
    const answer = answers.find(({ gateway }) => gateway === name);
    const last = before.find((one) => one.name === name) ?? { name };
    return answer?.status === undefined ? last : said(last, answer.status);
  });
  return { ...pool, status: { ...pool.status, gateways } };
}

function said({ name, capability }: GatewayStatus, status: AgentStatus): GatewayStatus {
  return {
    name,
    reachable: true,
    ready: status.ready,
    ...(status.unready === undefined || status.ready ? {} : { message: status.unready }),
    ...(status.carries === undefined ? {} : { carries: status.carries }),
    groups: status.groups,
    ...(capability === undefined ? {} : { capability }),
  };
}

/** For people: who was not heard. */
export function answerNotes(answers: readonly AgentAnswer[]): readonly string[] {
  return answers.flatMap(({ gateway, problem }) =>
    problem === undefined ? [] : [`${gateway} was not heard, and is shown as its controller saw it last: ${problem}`],
  );
}
