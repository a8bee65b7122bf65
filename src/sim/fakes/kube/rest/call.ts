// One request on one resource, after routing: everything the verbs need to know about it.

import { present } from "../../../../core/present.ts";
import { decideAtVersions } from "../apply/at-version.ts";
import type { AtVersion } from "../apply/ownership.ts";
import { resetFields } from "../apply/reset-fields.ts";
import type { UserInfo } from "../auth/user-info.ts";
import type { JsonObject } from "../json.ts";
import type { ResourceDefinition, ResourceVersionDefinition } from "../resource.ts";
import { apiVersionOf, isoSeconds, type ServerContext, storageKey } from "../server-context.ts";
import { convertedTo } from "./object-view.ts";
import type { RequestInfo } from "./request-info.ts";

export interface Call {
  readonly server: ServerContext;
  readonly info: RequestInfo;
  readonly user: UserInfo;
  readonly resource: ResourceDefinition;
  readonly version: ResourceVersionDefinition;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly subresource: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** Become `Warning` headers of the answer. */
  readonly warnings: string[];
}

export function apiVersionOfCall({ resource, version }: Call): string {
  return apiVersionOf(resource.group, version.name);
}

export function nowIso({ server }: Call): string {
  return isoSeconds(server.clock.nowMs());
}

export function storedObject({ server, resource, namespace, name }: Call): JsonObject | undefined {
  return server.store.get(storageKey(resource), resource.namespaced ? namespace : undefined, name);
}

/** What the tracking of field ownership wants to know of a write. */
export interface Ownership {
  readonly schema: ResourceVersionDefinition["schema"];
  readonly apiVersion: string;
  readonly nowIso: string;
  readonly resetFields: readonly string[];
  readonly subresource?: string;
  readonly atVersion?: AtVersion;
}

/** `decide` is asked again for every view of the object that a conversion webhook has to give first. */
export async function withOwnership<T>(call: Call, decide: (ownership: Ownership) => T): Promise<T> {
  const { server, resource, version, subresource } = call;
  const kind = { hasStatus: version.hasStatus, isCustom: resource.crd !== undefined };
  const ownership = {
    schema: version.schema,
    apiVersion: apiVersionOfCall(call),
    nowIso: nowIso(call),
    resetFields: resetFields(kind, subresource),
    ...present({ subresource }),
  };
  const convert = async (object: JsonObject, versionName: string) => {
    const [converted] = await convertedTo(server, resource, versionName, [object]);
    return converted ?? object;
  };
  return await decideAtVersions(resource, convert, (atVersion) =>
    decide(atVersion === undefined ? ownership : { ...ownership, atVersion }),
  );
}
