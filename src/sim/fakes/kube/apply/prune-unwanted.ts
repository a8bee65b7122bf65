// Takes away what an applier set last time and no longer wants, unless somebody else owns it too.

import { isJsonObject, type JsonObject } from "../schema/json-value.ts";
import type { StructuralSchema } from "../schema/structural-schema.ts";
import { contains, difference, emptyFieldSet, type FieldSet, intersection, isEmptySet, union } from "./field-set.ts";
import { identityOf, type ManagerEntry, type Managers } from "./managed-fields.ts";
import { type MergeType, mergeType } from "./merge-type.ts";
import { ownedFields, withNamedFields } from "./owned-fields.ts";
import type { AtVersion } from "./ownership.ts";
import { removeFields } from "./remove-fields.ts";

/** `managers` already holds the applier's new claim; `last` is the one before. */
export function pruneUnwanted(
  merged: JsonObject,
  managers: Managers,
  last: ManagerEntry | undefined,
  apiVersion: string,
  atVersion: AtVersion,
): JsonObject {
  if (last === undefined || isEmptySet(last.fields)) return merged;
  if (wantsAllStill(managers, last, apiVersion)) return merged;
  const viewed = atVersion(merged, last.apiVersion);
  if (viewed === undefined) return merged;
  const type = mergeType(viewed.schema);
  const lastFields = withNamedFields(type, last.fields);
  const kept = addBackOwned(
    viewed.object,
    remove(type, viewed.object, lastFields),
    managers,
    last.apiVersion,
    atVersion,
  );
  // Only what the applier owned may go: a container it emptied may hold things of nobody.
  const gone = intersection(difference(fieldsOf(type, viewed.object), fieldsOf(type, kept)), lastFields);
  const pruned = remove(type, viewed.object, gone);
  return atVersion(pruned, apiVersion)?.object ?? pruned;
}

/** As nearly every apply does. Only where all speak one version: in another one, a field may be another. */
function wantsAllStill(managers: Managers, last: ManagerEntry, apiVersion: string): boolean {
  const now = managers.get(identityOf(last));
  if (now === undefined || !contains(now.fields, last.fields)) return false;
  return [last, ...managers.values()].every((entry) => entry.apiVersion === apiVersion);
}

function addBackOwned(
  merged: JsonObject,
  pruned: JsonObject,
  managers: Managers,
  version: string,
  atVersion: AtVersion,
): JsonObject {
  const ownedAt = new Map<string, FieldSet>([[version, emptyFieldSet]]);
  for (const entry of managers.values()) {
    ownedAt.set(entry.apiVersion, union(ownedAt.get(entry.apiVersion) ?? emptyFieldSet, entry.fields));
  }
  let result = pruned;
  for (const [apiVersion, ownedFieldsHere] of ownedAt) {
    const full = atVersion(merged, apiVersion);
    const less = atVersion(result, apiVersion);
    if (full === undefined || less === undefined) continue;
    const type = mergeType(full.schema);
    const stays = union(fieldsOf(type, less.object), withNamedFields(type, ownedFieldsHere));
    result = remove(type, full.object, difference(fieldsOf(type, full.object), stays));
  }
  return atVersion(result, version)?.object ?? result;
}

/** Of the same object it is asked several times in one apply. */
const known = new WeakMap<JsonObject, { readonly schema: StructuralSchema; readonly fields: FieldSet }>();

function fieldsOf(type: MergeType, object: JsonObject): FieldSet {
  const earlier = known.get(object);
  if (earlier?.schema === type.schema) return earlier.fields;
  const fields = withNamedFields(type, ownedFields(type, object));
  known.set(object, { schema: type.schema, fields });
  return fields;
}

function remove(type: MergeType, object: JsonObject, fields: FieldSet): JsonObject {
  const removed = removeFields(type, object, fields);
  return isJsonObject(removed) ? removed : {};
}
