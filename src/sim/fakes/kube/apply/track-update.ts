// Keeps managedFields right when an object is created, put or patched by other means than apply.

import { type JsonObject, objectAt, stringAt } from "../schema/json-value.ts";
import type { StructuralSchema } from "../schema/structural-schema.ts";
import { capUpdaters } from "./cap-updaters.ts";
import { difference, isEmptySet, union } from "./field-set.ts";
import {
  decodeManagers,
  identityOf,
  isReset,
  type ManagerEntry,
  type Managers,
  withManagers,
  withoutManagedFields,
} from "./managed-fields.ts";
import { onlyTimesDiffer } from "./only-times-differ.ts";
import { type AtVersion, transferOwnership, versionProblem, withoutIdentity, withoutIgnored } from "./ownership.ts";
import { zeroObject } from "./zero-object.ts";

export interface TrackUpdateRequest {
  readonly schema: StructuralSchema;
  readonly old: JsonObject | undefined;
  readonly updated: JsonObject;
  readonly manager: string;
  readonly operation: "Update";
  readonly apiVersion: string;
  readonly subresource?: string;
  readonly nowIso: string;
  /** Top-level fields this endpoint ignores; see reset-fields.ts. */
  readonly resetFields?: readonly string[];
  /** Needed only where managers may have written at other versions. */
  readonly atVersion?: AtVersion;
}

export function trackUpdate(request: TrackUpdateRequest): JsonObject {
  const { old, updated, subresource = "" } = request;
  const managers = startingManagers(old, updated, subresource);
  // Ownership was forgotten on purpose, or never recorded: it starts again with the next apply.
  if (managers.size === 0 && stringAt(objectAt(old, "metadata"), "uid") !== "") return withoutManagedFields(updated);
  const atVersion = request.atVersion ?? ((object) => ({ object, schema: request.schema }));
  // The write itself must not fail over who owns what.
  const objects = old === undefined ? [updated] : [old, updated];
  if (versionProblem(objects.map(withoutManagedFields), managers, request.apiVersion, atVersion) !== undefined) {
    return withoutManagedFields(updated);
  }
  const tracked = withManagers(updated, capUpdaters(managersAfterUpdate(request, managers)));
  return old !== undefined && onlyTimesDiffer(old, tracked) ? old : tracked;
}

function startingManagers(old: JsonObject | undefined, updated: JsonObject, subresource: string): Managers {
  const live = decodeManagers(old) ?? new Map();
  if (subresource !== "") return live;
  if (isReset(updated)) return new Map();
  const given = decodeManagers(updated);
  // Clients that do not know managedFields must not lose them by accident.
  return given === undefined || given.size === 0 ? live : given;
}

export function managersAfterUpdate(request: TrackUpdateRequest, managers: Managers): Managers {
  const { schema, apiVersion, subresource = "", resetFields = [] } = request;
  const before = withoutManagedFields(request.old ?? zeroObject(schema, request.updated));
  const after = withoutManagedFields(request.updated);
  const atVersion = request.atVersion ?? ((object) => ({ object, schema }));
  const transition = { before, after, apiVersion, ignored: resetFields, atVersion };
  const { managers: others, comparison } = transferOwnership(transition, managers, "");
  const { modified, added, removed } = comparison;
  const taken = withoutIdentity(withoutIgnored(difference(union(modified, added), removed), resetFields));
  if (isEmptySet(taken)) return others;
  const identity = {
    manager: request.manager === "" ? "unknown" : request.manager,
    operation: request.operation,
    apiVersion,
    subresource,
  };
  const id = identityOf(identity);
  const previous = others.get(id);
  const entry: ManagerEntry = {
    ...identity,
    time: request.nowIso,
    fields: previous === undefined ? taken : union(taken, previous.fields),
  };
  return new Map([...others, [id, entry]]);
}
