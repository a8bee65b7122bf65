// What every part of the fake API server works with. Built once in api-server.ts.

import { present } from "../../../core/present.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Random } from "../../../ports/random.ts";
import type { CallWebhook } from "./admission/webhook-call.ts";
import type { AccountTokens } from "./auth/account-tokens.ts";
import type { RbacPolicy } from "./auth/authorize.ts";
import type { TokenUsers } from "./auth/user-info.ts";
import type { JsonObject } from "./json.ts";
import type { ResourceDefinition, ResourceRegistry } from "./resource.ts";
import type { ObjectStore } from "./storage/object-store.ts";

export interface ServerContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: ObjectStore;
  readonly registry: ResourceRegistry;
  readonly users: TokenUsers;
  readonly accounts: AccountTokens;
  readonly rbac: RbacPolicy;
  readonly callWebhook: CallWebhook;
  readonly bookmarkIntervalMs: number;
  readonly watchBufferLimit: number;
  /** Open watches, to end them when the server closes. */
  readonly watches: Set<{ close(): void }>;
}

export function storageKey(resource: ResourceDefinition): string {
  return resource.storedAs ?? `${resource.group}/${resource.plural}`;
}

let lastTime = { seconds: 0, text: "1970-01-01T00:00:00Z" };

/** RFC 3339 in whole seconds, as timestamps of objects are. A write asks for the same one several times. */
export function isoSeconds(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  if (seconds !== lastTime.seconds) lastTime = { seconds, text: `${new Date(ms).toISOString().slice(0, 19)}Z` };
  return lastTime.text;
}

export function apiVersionOf(group: string, version: string): string {
  return group === "" ? version : `${group}/${version}`;
}

export function versionOf(resource: ResourceDefinition, name: string) {
  const version = resource.versions.find((candidate) => candidate.name === name);
  if (version === undefined) throw new Error(`${resource.plural}.${resource.group} has no version ${name}`);
  return version;
}

export function withMetadata(object: JsonObject, changes: JsonObject): JsonObject {
  const metadata = object["metadata"];
  const before = typeof metadata === "object" && metadata !== null && !Array.isArray(metadata) ? metadata : {};
  const merged = { ...before, ...changes };
  const isWhole = Object.values(merged).every((value) => value !== undefined);
  return { ...object, metadata: isWhole ? merged : present(merged) };
}
