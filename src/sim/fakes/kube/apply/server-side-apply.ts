// Server-side apply: merges what a manager wants into what is there, gives it those fields, takes away what it no
// longer wants and nobody else owns, and refuses to change what others own unless forced.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { present } from "../../../../core/present.ts";
import { isJsonObject, type JsonObject, sameJson } from "../schema/json-value.ts";
import type { StructuralSchema } from "../schema/structural-schema.ts";
import { type ApplyFailure, checkApplied } from "./check-applied.ts";
import { conflictCauses } from "./conflicts.ts";
import { difference, type FieldSet, isEmptySet, sameSetOr } from "./field-set.ts";
import { allowedByLastApplied, withLastApplied } from "./last-applied.ts";
import {
  decodeManagers,
  identityOf,
  type ManagerEntry,
  type Managers,
  withManagers,
  withoutManagedFields,
} from "./managed-fields.ts";
import { mergeType } from "./merge-type.ts";
import { mergeValues } from "./merge-values.ts";
import { onlyTimesDiffer } from "./only-times-differ.ts";
import { ownedFields } from "./owned-fields.ts";
import { type AtVersion, transferOwnership, versionProblem, withoutIdentity, withoutIgnored } from "./ownership.ts";
import { pruneUnwanted } from "./prune-unwanted.ts";
import { managersAfterUpdate } from "./track-update.ts";
import { zeroObject } from "./zero-object.ts";

export interface ApplyRequest {
  readonly schema: StructuralSchema;
  readonly live: JsonObject | undefined;
  readonly applied: JsonObject;
  readonly manager: string;
  readonly force: boolean;
  readonly apiVersion: string;
  readonly subresource?: string;
  readonly nowIso: string;
  /** Top-level fields this endpoint ignores; see reset-fields.ts. */
  readonly resetFields?: readonly string[];
  /** Needed only where managers may have written at other versions. */
  readonly atVersion?: AtVersion;
}

export type ApplyResult =
  | { readonly ok: true; readonly object: JsonObject }
  | {
      readonly ok: false;
      readonly conflicts: readonly FieldCause[];
      /** The request itself is wrong; there are no conflicts then. */
      readonly failure?: ApplyFailure;
    };

export function serverSideApply(request: ApplyRequest): ApplyResult {
  const { schema, applied, apiVersion, manager } = request;
  const failure = checkApplied(schema, applied, apiVersion);
  if (failure !== undefined) return { ok: false, conflicts: [], failure };
  const live = withoutManagedFields(request.live ?? zeroObject(schema, applied));
  const merged = mergeObjects(schema, live, applied);
  const atVersion = request.atVersion ?? ((object) => ({ object, schema }));
  const claim = newClaim(request, startingManagers(request));
  const problem = versionProblem([live, merged], claim.managers, apiVersion, atVersion);
  if (problem !== undefined) return { ok: false, conflicts: [], failure: { status: 500, message: problem } };
  const wanted = pruneUnwanted(merged, claim.managers, claim.last, apiVersion, atVersion);
  const transition = { before: live, after: wanted, apiVersion, ignored: request.resetFields ?? [], atVersion };
  const { managers, conflicts } = transferOwnership(transition, claim.managers, claim.id);
  const contested = request.force ? new Map() : without(conflicts, allowedByLastApplied(manager, schema, live));
  if (contested.size > 0) return { ok: false, conflicts: conflictCauses(claim.managers, contested) };
  const isChanged = !sameJson(live, wanted);
  const owners = withClaim(managers, claim, isChanged ? request.nowIso : claim.last?.time);
  const object = withLastApplied(manager, withManagers(isChanged ? wanted : live, owners), applied);
  return {
    ok: true,
    object: request.live !== undefined && onlyTimesDiffer(request.live, object) ? request.live : object,
  };
}

function mergeObjects(schema: StructuralSchema, live: JsonObject, applied: JsonObject): JsonObject {
  const merged = mergeValues(mergeType(schema), live, applied);
  return isJsonObject(merged) ? merged : live;
}

function without(conflicts: ReadonlyMap<string, FieldSet>, allowed: FieldSet): ReadonlyMap<string, FieldSet> {
  const left = [...conflicts].map(([id, fields]) => [id, difference(fields, allowed)] as const);
  return new Map(left.filter(([, fields]) => !isEmptySet(fields)));
}

/** Fields that were there before anybody applied belong to a manager of that name. */
function startingManagers(request: ApplyRequest): Managers {
  const managers = decodeManagers(request.live) ?? new Map();
  if (managers.size > 0 || request.live === undefined) return managers;
  const { schema, apiVersion, nowIso, live, subresource, resetFields, atVersion } = request;
  return managersAfterUpdate(
    {
      schema,
      old: undefined,
      updated: live,
      manager: "before-first-apply",
      operation: "Update",
      apiVersion,
      nowIso,
      ...present({ subresource, resetFields, atVersion }),
    },
    managers,
  );
}

interface Claim {
  readonly id: string;
  readonly entry: ManagerEntry;
  /** What the applier claimed last time. */
  readonly last: ManagerEntry | undefined;
  /** Everybody, the applier with its new claim. */
  readonly managers: Managers;
}

function newClaim(request: ApplyRequest, managers: Managers): Claim {
  const { schema, applied, manager, apiVersion, subresource = "", resetFields = [] } = request;
  const identity = { manager, operation: "Apply", apiVersion, subresource } as const;
  const id = identityOf(identity);
  const fields = withoutIgnored(ownedFields(mergeType(schema), withoutManagedFields(applied)), resetFields);
  const entry: ManagerEntry = { ...identity, time: undefined, fields };
  return { id, entry, last: managers.get(id), managers: new Map([...managers, [id, entry]]) };
}

/** An applier who changed nothing keeps its time; one who only joins has none. */
function withClaim(managers: Managers, { id, entry, last }: Claim, time: string | undefined): Managers {
  const fields = sameSetOr(last?.fields, withoutIdentity(entry.fields));
  const others = [...managers].filter(([other]) => other !== id);
  return new Map(isEmptySet(fields) ? others : [...others, [id, { ...entry, fields, time }]]);
}
