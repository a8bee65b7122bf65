// One process's port to the specimen's cloud, over the simulated network. The credential stays in here.

import { MainstayError } from "../../core/errors.ts";
import type { Reason } from "../../core/reasons.ts";
import type { NetworkAccess } from "../network/network.ts";
import type { PortCall } from "../network/port-call.ts";
import { type CallOptions, type SimulatedSystem, simulatedPort } from "../network/simulated-port.ts";
import { type Cloud, CloudRefusal, type SeenThing, type Thing } from "./cloud.ts";

export interface CloudCallOptions extends CallOptions {
  readonly signal: AbortSignal;
}

export interface CloudLink {
  list(location: string, options: CloudCallOptions): Promise<readonly SeenThing[]>;
  create(location: string, owner: string, options: CloudCallOptions): Promise<Thing>;
  /** Of a thing that is gone already: done. */
  delete(location: string, id: string, options: CloudCallOptions): Promise<void>;
}

export interface CloudLinkOptions extends NetworkAccess {
  readonly cloud: Cloud;
  readonly credential: string;
}

const purposes: Readonly<Record<string, string>> = { create: "create-thing", delete: "delete-thing", list: "observe" };

export function cloudLink(options: CloudLinkOptions): CloudLink {
  const { cloud, credential } = options;
  const link = simulatedPort<CloudLink>(options, systemOf(cloud), {
    list: async (location, _options) => cloud.list(location),
    create: async (location, owner, _options) => cloud.create(location, owner, credential),
    delete: async (_location, id, _options) => cloud.delete(id, credential),
  });
  return {
    ...link,
    delete: async (location, id, call) => {
      try {
        await link.delete(location, id, call);
      } catch (error) {
        if (!(error instanceof MainstayError && error.reason === "ObjectNotFound")) throw error;
      }
    },
  };
}

function systemOf(cloud: Cloud): SimulatedSystem {
  return {
    port: "cloud",
    callDeadlineMs: 8_000,
    describe: (method, [location]) => ({
      target: `location-${String(location)}`,
      path: "",
      write: method !== "list",
      purpose: purposes[method] ?? method,
    }),
    errors: {
      timeout: (call) => failure("ApiTimeout", call),
      leadershipLost: (call) => failure("LeadershipLost", call),
      refused: (call, status) => failure(status === 429 ? "ApiRateLimited" : "ApiServerError", call),
      failed: (call, error) => failure(reasonOf(error), call),
    },
    slowMs: ([location]) => cloud.slowMs.get(String(location)) ?? 0,
    isSilent: ([location]) => cloud.down.get(String(location)) === "silent",
    markBefore: ([, id]) => cloud.things.get(String(id))?.owner,
  };
}

function reasonOf(error: unknown): Reason {
  if (!(error instanceof CloudRefusal)) return "ApiUnreachable";
  return error.kind === "NoSuchThing" ? "ObjectNotFound" : "ApiServerError";
}

function failure(reason: Reason, { verb, target }: PortCall): MainstayError {
  return new MainstayError({ reason, message: `cloud: ${verb} at ${target} failed` });
}
