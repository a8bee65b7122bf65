// DELETE of one object: preconditions, grace, finalizers and propagation decide whether it goes now or begins to go.

import type { JsonObject } from "../json.ts";
import { listAt, objectAt, sameJson, stringAt } from "../schema/json-value.ts";
import { isoSeconds, storageKey, withMetadata } from "../server-context.ts";
import { runMutatingWebhooks, runValidatingWebhooks } from "./admission.ts";
import { conflict, forbidden, notFound } from "./api-error.ts";
import { type Call, nowIso, storedObject } from "./call.ts";
import type { DeleteOptions, Propagation } from "./delete-options.ts";
import { storedFormOf, viewOf } from "./object-view.ts";
import { isFinished } from "./update-object.ts";

export interface Deletion {
  readonly object: JsonObject;
  /** False: finalizers or grace still hold it. */
  readonly gone: boolean;
}

export async function deleteObject(call: Call, options: DeleteOptions): Promise<Deletion> {
  const { server, resource, version, name } = call;
  for (;;) {
    const stored = storedObject(call);
    if (stored === undefined) throw notFound(resource, name);
    const live = await viewOf(server, resource, version, stored);
    checkPreconditions(call, live, options);
    const refused = resource.strategy.refuseDelete?.(live);
    if (refused !== undefined) throw forbidden(resource, name, refused);
    const webhookOptions = { kind: "DeleteOptions", apiVersion: "meta.k8s.io/v1" };
    const admission = {
      operation: "DELETE",
      object: undefined,
      oldObject: live,
      dryRun: options.dryRun,
      options: webhookOptions,
    } as const;
    await runMutatingWebhooks(call, admission);
    await runValidatingWebhooks(call, admission);
    const marked = markDeleted(call, live, options);
    const written = await storedFormOf(server, resource, marked);
    if (storedObject(call) === stored) return commit(call, live, marked, written, options);
  }
}

async function commit(
  call: Call,
  live: JsonObject,
  marked: JsonObject,
  written: JsonObject,
  options: DeleteOptions,
): Promise<Deletion> {
  const { server, resource, version } = call;
  const key = storageKey(resource);
  const gone = isFinished(call, marked);
  if (options.dryRun) return { object: marked, gone };
  if (!gone) {
    if (sameJson(live, marked)) return { object: live, gone };
    return { object: await viewOf(server, resource, version, server.store.put(key, written)), gone };
  }
  // Kinds with grace show their last state to watchers before they go.
  const graceful = resource.strategy.graceSeconds !== undefined;
  const last = graceful ? server.store.put(key, written) : await storedFormOf(server, resource, live);
  const removed = server.store.remove(key, last);
  resource.strategy.afterDelete?.(live);
  return { object: await viewOf(server, resource, version, removed), gone };
}

function checkPreconditions({ resource, name }: Call, live: JsonObject, { uid, resourceVersion }: DeleteOptions): void {
  const metadata = objectAt(live, "metadata");
  const kind = { group: resource.group, plural: resource.kind };
  if (uid !== undefined && uid !== metadata["uid"]) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${stringAt(metadata, "uid")}). The object might have been deleted and then recreated`;
    throw conflict(kind, name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata["resourceVersion"]) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${stringAt(metadata, "resourceVersion")}). The object might have been modified`;
    throw conflict(kind, name, why);
  }
}

function markDeleted(call: Call, live: JsonObject, options: DeleteOptions): JsonObject {
  const { resource } = call;
  const metadata = objectAt(live, "metadata");
  const deleting = metadata["deletionTimestamp"] !== undefined;
  if (resource.strategy.beginDelete !== undefined) {
    return deleting ? live : resource.strategy.beginDelete(live, nowIso(call));
  }
  const finalizers = finalizersFor(listAt(metadata, "finalizers").map(String), options.propagation);
  const held = withMetadata(live, { finalizers: finalizers.length === 0 ? undefined : finalizers });
  const asked = options.gracePeriodSeconds;
  const grace = resource.strategy.graceSeconds?.(live, asked) ?? 0;
  if (deleting && (asked === undefined || grace >= Number(metadata["deletionGracePeriodSeconds"] ?? 0))) return held;
  const generation = Number(metadata["generation"] ?? 0);
  return withMetadata(held, {
    deletionTimestamp: isoSeconds(call.server.clock.nowMs() + grace * 1000),
    deletionGracePeriodSeconds: grace,
    ...(generation > 0 && !deleting ? { generation: generation + 1 } : {}),
  });
}

function finalizersFor(present: readonly string[], propagation: Propagation | undefined): readonly string[] {
  if (propagation === undefined) return present;
  const others = present.filter((name) => name !== "orphan" && name !== "foregroundDeletion");
  if (propagation === "Orphan") return [...others, "orphan"];
  return propagation === "Foreground" ? [...others, "foregroundDeletion"] : others;
}
