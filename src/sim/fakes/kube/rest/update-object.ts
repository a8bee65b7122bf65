// PUT and every kind of patch end here: one object replaced by its next state, with preconditions, immutable metadata,
// generation, subresources and the deletion that finishes when the last finalizer goes.

import { present } from "../../../../core/present.ts";
import { onlyTimesDiffer } from "../apply/only-times-differ.ts";
import { trackUpdate } from "../apply/track-update.ts";
import { invalid } from "../field-cause.ts";
import type { JsonObject } from "../json.ts";
import type { Change } from "../resource.ts";
import { listAt, objectAt, sameJson, stringAt } from "../schema/json-value.ts";
import { storageKey, withMetadata } from "../server-context.ts";
import { admitPrivileges, runMutatingWebhooks, runValidatingWebhooks } from "./admission.ts";
import { badRequest, conflict, invalidObject, modifiedMeanwhile, notFound } from "./api-error.ts";
import { type Call, nowIso, storedObject, withOwnership } from "./call.ts";
import { storedFormOf, viewOf } from "./object-view.ts";
import { checkObject } from "./validate-object.ts";
import type { WriteOptions } from "./write-options.ts";

export interface NextState {
  readonly object: JsonObject;
  /** Field ownership is settled already, by apply. */
  readonly tracked?: boolean;
  /** PUT names the state it replaces by uid; a patch that changes the uid breaks a rule instead. */
  readonly replaces?: boolean;
}

const attempts = 5;

/** `next` is asked again when somebody else wrote in between. */
export async function updateObject(
  call: Call,
  options: WriteOptions,
  next: (live: JsonObject) => NextState | Promise<NextState>,
): Promise<JsonObject> {
  const { server, resource, version, name } = call;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const stored = storedObject(call);
    if (stored === undefined) throw notFound(resource, name);
    const live = await viewOf(server, resource, version, stored);
    const prepared = await prepareUpdate(call, live, await next(live), options);
    const written = await storedFormOf(server, resource, prepared);
    if (storedObject(call) !== stored) continue;
    if (options.dryRun) return prepared;
    if (isFinished(call, prepared)) return finish(call, prepared, written);
    if (onlyTimesDiffer(live, prepared)) return live;
    return viewOf(server, resource, version, server.store.put(storageKey(resource), written));
  }
  throw modifiedMeanwhile(resource, name);
}

function finish({ server, resource }: Call, prepared: JsonObject, written: JsonObject): JsonObject {
  server.store.remove(storageKey(resource), written);
  resource.strategy.afterDelete?.(prepared);
  return prepared;
}

/** Being deleted, and nothing holds it any more. */
export function isFinished({ resource }: Call, object: JsonObject): boolean {
  const metadata = objectAt(object, "metadata");
  if (metadata["deletionTimestamp"] === undefined) return false;
  if (listAt(metadata, "finalizers").length > 0 || Number(metadata["deletionGracePeriodSeconds"] ?? 0) > 0)
    return false;
  return !(resource.strategy.holdsDeletion?.(object) ?? false);
}

async function prepareUpdate(
  call: Call,
  live: JsonObject,
  next: NextState,
  options: WriteOptions,
): Promise<JsonObject> {
  const { resource, version, subresource } = call;
  checkIdentity(call, live, next);
  const proposed = onlySubresource(call, live, withKeptMetadata(live, next.object));
  const admission = {
    operation: "UPDATE",
    oldObject: live,
    dryRun: options.dryRun,
    options: { kind: "UpdateOptions", apiVersion: "meta.k8s.io/v1" },
  } as const;
  const mutated = (await runMutatingWebhooks(call, { ...admission, object: proposed })) ?? proposed;
  admitPrivileges(call, mutated, live);
  const change: Change = {
    version: version.name,
    dryRun: options.dryRun,
    nowIso: nowIso(call),
    ...present({ subresource }),
  };
  const owned = next.tracked === true ? mutated : await tracked(call, live, mutated, options);
  const prepared = withGeneration(call, live, resource.strategy.prepare?.(owned, live, change) ?? owned);
  const check = (): void => checkObject(call, prepared, live, change);
  check();
  if (await runValidatingWebhooks(call, { ...admission, object: prepared })) check();
  call.warnings.push(...(resource.strategy.warnings?.(prepared, live) ?? []));
  return prepared;
}

function tracked(call: Call, live: JsonObject, updated: JsonObject, options: WriteOptions): Promise<JsonObject> {
  const { fieldManager: manager } = options;
  return withOwnership(call, (ownership) =>
    trackUpdate({ ...ownership, old: live, updated, manager, operation: "Update" }),
  );
}

function checkIdentity(call: Call, live: JsonObject, { object, replaces }: NextState): void {
  const { resource, name } = call;
  const metadata = objectAt(object, "metadata");
  const before = objectAt(live, "metadata");
  checkNames(call, metadata);
  const uid = stringAt(metadata, "uid");
  if (replaces === true && uid !== "" && uid !== before["uid"]) throw otherUid(call, uid, stringAt(before, "uid"));
  const resourceVersion = stringAt(metadata, "resourceVersion");
  const unconditional = resourceVersion === "" || resourceVersion === "0";
  if (unconditional && (resource.crd !== undefined || resource.strategy.needsResourceVersion === true)) {
    const cause = invalid("metadata.resourceVersion", 0, "must be specified for an update");
    throw invalidObject({ group: resource.group, kind: resource.plural }, name, [cause]);
  }
  if (!unconditional && resourceVersion !== before["resourceVersion"]) throw modifiedMeanwhile(resource, name);
}

/** The body must mean the object that the URL names. */
export function checkNames({ resource, name, namespace }: Call, metadata: JsonObject): void {
  const given = stringAt(metadata, "name");
  if (given === "")
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (given !== name)
    throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
  const givenNamespace = stringAt(metadata, "namespace");
  if (resource.namespaced && givenNamespace !== "" && givenNamespace !== namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
}

export function otherUid({ resource, name }: Call, asked: string, found: string): Error {
  return conflict(resource, name, `Precondition failed: UID in precondition: ${asked}, UID in object meta: ${found}`);
}

function withKeptMetadata(live: JsonObject, object: JsonObject): JsonObject {
  const before = objectAt(live, "metadata");
  const metadata = objectAt(object, "metadata");
  return withMetadata(object, {
    namespace: before["namespace"],
    uid: metadata["uid"] ?? before["uid"],
    creationTimestamp: metadata["creationTimestamp"] ?? before["creationTimestamp"],
    deletionTimestamp: metadata["deletionTimestamp"] ?? before["deletionTimestamp"],
    deletionGracePeriodSeconds: metadata["deletionGracePeriodSeconds"] ?? before["deletionGracePeriodSeconds"],
    generation: before["generation"],
    resourceVersion: before["resourceVersion"],
    selfLink: undefined,
  });
}

// A write touches either the status or the rest, never both.
function onlySubresource({ resource, version, subresource }: Call, live: JsonObject, proposed: JsonObject): JsonObject {
  if (subresource === "status") {
    const managedFields = objectAt(proposed, "metadata")["managedFields"];
    const metadata =
      resource.crd === undefined ? objectAt(proposed, "metadata") : { ...objectAt(live, "metadata"), managedFields };
    return withStatus({ ...live, metadata }, proposed);
  }
  if (subresource !== undefined) return { ...live, spec: proposed["spec"] };
  return version.hasStatus ? withStatus(proposed, live) : proposed;
}

function withStatus(object: JsonObject, source: JsonObject): JsonObject {
  const { status: _replaced, ...rest } = object;
  return source["status"] === undefined ? rest : { ...rest, status: source["status"] };
}

function withGeneration({ resource }: Call, live: JsonObject, object: JsonObject): JsonObject {
  if (resource.strategy.tracksGeneration !== true && resource.crd === undefined) return object;
  if (sameJson(generated(live), generated(object))) return object;
  const generation = Number(objectAt(live, "metadata")["generation"] ?? 0) + 1;
  return withMetadata(object, { generation });
}

function generated({ metadata: _metadata, status: _status, ...rest }: JsonObject): JsonObject {
  return rest;
}
