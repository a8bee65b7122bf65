// One process's way to the agents, over the simulated network: requests are lost, late and turned away as any other call, and each gateway
// can be silent or slow alone.

import { MainstayError } from "../../../../core/errors.ts";
import type { FeedReply, FeedRequest, GatewayFeed } from "../../../../ports/gateway-feed.ts";
import type { NetworkAccess } from "../../../../sim/network/network.ts";
import type { PortCall } from "../../../../sim/network/port-call.ts";
import { type SimulatedSystem, simulatedCall } from "../../../../sim/network/simulated-port.ts";
import type { GatewayMachine } from "./gateway-machine.ts";

export interface FeedLinkOptions extends NetworkAccess {
  /** By the URL of its agent. */
  readonly machineAt: (url: string) => GatewayMachine | undefined;
  /** Roles as they are now: adverts do not wait for questions. */
  readonly elect: () => void;
}

const callDeadlineMs = 5_000;

export function feedLink(options: FeedLinkOptions): GatewayFeed {
  const system = systemOf(options);
  return {
    send: async (request) => {
      const { url, method, path, body, signal, fence, deadlineMs } = request;
      const words = body === undefined ? "" : new TextDecoder().decode(body);
      const callOptions = {
        deadlineMs,
        ...(signal === undefined ? {} : { signal }),
        ...(fence === undefined ? {} : { fence }),
      };
      const args = [url, path, words];
      try {
        return await simulatedCall(options, system, {
          method,
          args,
          options: callOptions,
          effect: () => reach(options, request),
        });
      } catch (error) {
        if (error instanceof MainstayError && error.reason === "LeadershipLost") throw error;
        if (error instanceof TurnedAwayError) return { kind: "replied", status: error.status, body: "{}" };
        return { kind: "silent", message: "no answer" };
      }
    },
    close: () => Promise.resolve(),
  };
}

async function reach({ machineAt, elect }: FeedLinkOptions, request: FeedRequest): Promise<FeedReply> {
  const { url, method, path, headers, body } = request;
  const machine = machineAt(url);
  const agent = machine?.agent;
  if (machine === undefined || agent === undefined) return { kind: "silent", message: "connection refused" };
  elect();
  async function* chunks() {
    if (body !== undefined) yield body;
  }
  const asked = agent.service({ method, path, headers, peer: { isLoopback: false }, body: chunks() });
  const { status, body: text } = await asked;
  return { kind: "replied", status, body: text };
}

class TurnedAwayError extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`HTTP ${status}`);
    this.status = status;
  }
}

function systemOf({ machineAt }: FeedLinkOptions): SimulatedSystem {
  const silence = ({ verb }: PortCall) => new Error(`${verb}: no answer`);
  const machineOf = ([url]: readonly unknown[]) => machineAt(String(url));
  return {
    port: "gateways",
    callDeadlineMs,
    describe: (method, [url, path]) => ({
      target: String(url),
      path: String(path),
      write: method !== "GET",
      purpose: method === "GET" ? "observe-again" : "push-document",
    }),
    errors: {
      timeout: silence,
      leadershipLost: ({ verb }) =>
        new MainstayError({ reason: "LeadershipLost", message: `${verb}: not sent, the lease has run out` }),
      refused: (_call, status) => new TurnedAwayError(status),
      failed: (_call, error) => (error instanceof Error ? error : new Error("no answer")),
    },
    isSilent: (args) => machineOf(args)?.reach === "silent",
    slowMs: (args) => {
      const how = machineOf(args)?.reach;
      return typeof how === "object" ? how.slowMs : 0;
    },
  };
}
