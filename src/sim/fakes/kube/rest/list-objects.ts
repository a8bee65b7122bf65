// GET of a collection: one consistent state, in pages, as of a revision or as of now.

import type { JsonObject } from "../json.ts";
import { objectAt, stringAt } from "../schema/json-value.ts";
import { storageKey } from "../server-context.ts";
import { keyOf } from "../storage/object-store.ts";
import { expired, versionTooLarge } from "./api-error.ts";
import type { Call } from "./call.ts";
import { type ContinueToken, decodeContinue, encodeContinue } from "./continue-token.ts";
import { type ListOptions, listOptions } from "./list-options.ts";
import { viewsOf } from "./object-view.ts";

export interface ListedPage {
  readonly objects: readonly JsonObject[];
  readonly metadata: JsonObject;
}

const goneList = "The resourceVersion for the provided list is too old.";
const goneContinue =
  "The provided continue parameter is too old to display a consistent list result. You can start a new list without the " +
  "continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing " +
  "with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the " +
  "time the first chunk was returned and now may show up in the list.";

export async function listObjects(call: Call): Promise<ListedPage> {
  const { server, resource, version } = call;
  const options = listOptions(call);
  const from = options.continueToken === "" ? undefined : decodeContinue(options.continueToken);
  const revision = revisionFor(call, options, from);
  const entries = entriesAt(call, revision, from);
  const views = await viewsOf(
    server,
    resource,
    version,
    entries.map(([, object]) => object),
  );
  const rest = views.filter((object) => isAfter(object, from) && (options.filter?.(object) ?? true));
  // The real server's watch cache answers a list at "0" and does not page it.
  const limit = options.revision === 0 && from === undefined ? 0 : options.limit;
  const page = limit > 0 ? rest.slice(0, limit) : rest;
  const left = rest.length - page.length;
  return { objects: page, metadata: listMetadata(revision, page, left, options) };
}

function revisionFor(call: Call, options: ListOptions, from: ContinueToken | undefined): number {
  const { store } = call.server;
  if (from !== undefined) return from.revision < 0 ? store.revision : from.revision;
  if (options.revision === undefined || options.revision === 0) return store.revision;
  if (options.revision > store.revision) throw versionTooLarge(options.revision, store.revision);
  const exact = options.match === "Exact" || (options.match === undefined && options.limit > 0);
  return exact ? options.revision : store.revision;
}

function entriesAt(call: Call, revision: number, from: ContinueToken | undefined) {
  const { server, resource, namespace } = call;
  const entries = server.store.listAt(storageKey(resource), namespace, revision);
  if (entries !== undefined) return entries;
  if (from === undefined) throw expired(goneList);
  throw expired(goneContinue, encodeContinue({ revision: -1, lastKey: from.lastKey }));
}

function isAfter(object: JsonObject, from: ContinueToken | undefined): boolean {
  return from === undefined || keyOfView(object) > from.lastKey;
}

function keyOfView(object: JsonObject): string {
  const metadata = objectAt(object, "metadata");
  return keyOf(stringAt(metadata, "namespace"), stringAt(metadata, "name"));
}

function listMetadata(
  revision: number,
  page: readonly JsonObject[],
  left: number,
  { filter }: ListOptions,
): JsonObject {
  const last = page.at(-1);
  if (left === 0 || last === undefined) return { resourceVersion: String(revision) };
  return {
    resourceVersion: String(revision),
    continue: encodeContinue({ revision, lastKey: keyOfView(last) }),
    ...(filter === undefined ? { remainingItemCount: left } : {}),
  };
}
