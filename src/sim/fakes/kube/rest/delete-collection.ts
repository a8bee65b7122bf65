// DELETE of a collection: every selected object, each by the rules for one.

import type { JsonObject } from "../json.ts";
import { objectAt, stringAt } from "../schema/json-value.ts";
import { storageKey } from "../server-context.ts";
import { ApiError } from "./api-error.ts";
import type { Call } from "./call.ts";
import { deleteObject } from "./delete-object.ts";
import { deleteOptions } from "./delete-options.ts";
import type { ListedPage } from "./list-objects.ts";
import { selection } from "./list-options.ts";
import { viewsOf } from "./object-view.ts";

export async function deleteCollection(call: Call): Promise<ListedPage> {
  const { server, resource, version, namespace } = call;
  const filter = selection(call);
  const options = deleteOptions(call.info);
  const stored = server.store.list(storageKey(resource), namespace).map(([, object]) => object);
  const revision = String(server.store.revision);
  const views = await viewsOf(server, resource, version, stored);
  const objects = views.filter((object) => filter?.(object) ?? true);
  for (const object of objects) await deleteOne(call, object, options);
  return { objects, metadata: { resourceVersion: revision } };
}

async function deleteOne(call: Call, object: JsonObject, options: ReturnType<typeof deleteOptions>): Promise<void> {
  const metadata = objectAt(object, "metadata");
  const one: Call = {
    ...call,
    name: stringAt(metadata, "name"),
    namespace: call.resource.namespaced ? stringAt(metadata, "namespace") : undefined,
  };
  try {
    await deleteObject(one, options);
  } catch (error) {
    // Somebody else was quicker: it is gone as requested.
    if (!(error instanceof ApiError && error.code === 404)) throw error;
  }
}
