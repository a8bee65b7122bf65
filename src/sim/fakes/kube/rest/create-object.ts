// POST, and an apply of something that is not there: a new object with everything the server fills in.

import type { Random } from "../../../../ports/random.ts";
import { trackUpdate } from "../apply/track-update.ts";
import type { JsonObject } from "../json.ts";
import { objectAt, stringAt } from "../schema/json-value.ts";
import { storageKey, withMetadata } from "../server-context.ts";
import { admitIntoNamespace, admitPrivileges, runMutatingWebhooks, runValidatingWebhooks } from "./admission.ts";
import { alreadyExists, badRequest, notFound, serverError } from "./api-error.ts";
import { type Call, nowIso, withOwnership } from "./call.ts";
import { storedFormOf, viewOf } from "./object-view.ts";
import { checkObject } from "./validate-object.ts";
import type { WriteOptions } from "./write-options.ts";

const suffixLetters = "bcdfghjklmnpqrstvwxz2456789";
const longestGeneratedBase = 58;

/** `tracked`: field ownership is settled already, by apply. */
export async function createObject(
  call: Call,
  decoded: JsonObject,
  options: WriteOptions,
  tracked = false,
): Promise<JsonObject> {
  const { server, resource, version, namespace } = call;
  if (resource.namespaced && namespace === undefined) throw notFound(resource, "");
  const fresh = withServerFields(call, withoutStatus(call, decoded));
  const name = stringAt(objectAt(fresh, "metadata"), "name");
  admitIntoNamespace(call, name);
  const admission = {
    operation: "CREATE",
    oldObject: undefined,
    dryRun: options.dryRun,
    options: { kind: "CreateOptions", apiVersion: "meta.k8s.io/v1" },
  } as const;
  const mutated = (await runMutatingWebhooks(call, { ...admission, object: fresh })) ?? fresh;
  admitPrivileges(call, mutated, undefined);
  const change = { version: version.name, dryRun: options.dryRun, nowIso: nowIso(call) };
  const owned = tracked
    ? mutated
    : await withOwnership(call, (ownership) =>
        trackUpdate({
          ...ownership,
          old: undefined,
          updated: mutated,
          manager: options.fieldManager,
          operation: "Update",
        }),
      );
  const prepared = resource.strategy.prepare?.(owned, undefined, change) ?? owned;
  const check = (): void => checkObject(call, prepared, undefined, change);
  check();
  if (await runValidatingWebhooks(call, { ...admission, object: prepared })) check();
  call.warnings.push(...(resource.strategy.warnings?.(prepared, undefined) ?? []));
  const stored = await storedFormOf(server, resource, prepared);
  if (server.store.get(storageKey(resource), namespace, name) !== undefined) throw alreadyExists(resource, name);
  if (options.dryRun) return prepared;
  // The namespace may have begun to go while a webhook thought about it.
  admitIntoNamespace(call, name);
  return viewOf(server, resource, version, server.store.put(storageKey(resource), stored));
}

function withServerFields(call: Call, object: JsonObject): JsonObject {
  const { server, resource, namespace } = call;
  const metadata = objectAt(object, "metadata");
  if (stringAt(metadata, "resourceVersion") !== "") {
    throw serverError("resourceVersion should not be set on objects to be created");
  }
  const asked = stringAt(metadata, "namespace");
  if (resource.namespaced && asked !== "" && asked !== namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  return withMetadata(object, {
    name: nameOf(metadata, server.random),
    namespace: resource.namespaced ? namespace : undefined,
    uid: server.random.uuid(),
    creationTimestamp: nowIso(call),
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
    selfLink: undefined,
    ...(resource.strategy.tracksGeneration === true || resource.crd !== undefined ? { generation: 1 } : {}),
  });
}

function nameOf(metadata: JsonObject, random: Random): string {
  const name = stringAt(metadata, "name");
  const base = stringAt(metadata, "generateName").slice(0, longestGeneratedBase);
  if (name !== "" || base === "") return name;
  const letter = () => suffixLetters[Math.floor(random.next() * suffixLetters.length)] ?? "x";
  return base + Array.from({ length: 5 }, letter).join("");
}

function withoutStatus({ version, resource }: Call, object: JsonObject): JsonObject {
  if (!version.hasStatus || resource.strategy.takesStatusOnCreate === true) return object;
  const { status: _ignored, ...rest } = object;
  return rest;
}
