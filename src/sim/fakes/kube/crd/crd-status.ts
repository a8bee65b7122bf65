// The status of a CRD: which names it was given, whether it is established, which versions its objects were stored in.
// Names belong to whoever had them first; a CRD that asks for taken ones waits until they are free.

import { isJsonObject, type Json, type JsonObject, listAt, objectAt, stringAt } from "../schema/json-value.ts";
import { type CrdNames, crdNames, crdSpec, crdVersions, stringsAt } from "./crd-parts.ts";

/** `others`: all other CRDs, whatever their group. Built-in groups cannot be had by a CRD. */
export function withCrdStatus(crd: JsonObject, others: readonly JsonObject[], nowIso: string): JsonObject {
  const status = objectAt(crd, "status");
  const wanted = crdNames(objectAt(crdSpec(crd), "names"));
  const before = crdNames(objectAt(status, "acceptedNames"));
  const taken = namesOfOthers(crd, others);
  const { accepted, conflict } = acceptNames(wanted, before, taken);
  const conditions = [namesCondition(conflict), establishedCondition(conflict, isTrue(status, "Established"))].map(
    (condition) => withTransition(condition, status, nowIso),
  );
  const rest = listAt(status, "conditions").filter(
    (one) => isJsonObject(one) && !["NamesAccepted", "Established"].includes(stringAt(one, "type")),
  );
  return {
    ...crd,
    status: {
      ...status,
      conditions: [...conditions, ...rest],
      acceptedNames: compact(accepted),
      storedVersions: storedVersions(crd),
    },
  };
}

function namesOfOthers(
  crd: JsonObject,
  others: readonly JsonObject[],
): { readonly resources: ReadonlySet<string>; readonly kinds: ReadonlySet<string> } {
  const own = stringAt(objectAt(crd, "metadata"), "name");
  const group = stringAt(crdSpec(crd), "group");
  const names = others
    .filter(
      (other) => stringAt(crdSpec(other), "group") === group && stringAt(objectAt(other, "metadata"), "name") !== own,
    )
    .map((other) => crdNames(objectAt(objectAt(other, "status"), "acceptedNames")));
  return {
    resources: new Set(
      names.flatMap((one) => [one.plural, one.singular, ...one.shortNames]).filter((name) => name !== ""),
    ),
    kinds: new Set(names.flatMap((one) => [one.kind, one.listKind]).filter((name) => name !== "")),
  };
}

interface Conflict {
  readonly reason: string;
  readonly message: string;
}

/** Each name on its own: what is free is given, what is taken keeps what was accepted before. The last conflict is reported. */
function acceptNames(wanted: CrdNames, before: CrdNames, taken: ReturnType<typeof namesOfOthers>) {
  let conflict: Conflict | undefined;
  const give = (name: keyof CrdNames, value: string, set: ReadonlySet<string>, previous: string): string => {
    if (!set.has(value)) return value;
    conflict = {
      reason: `${name.charAt(0).toUpperCase()}${name.slice(1)}Conflict`,
      message: `${JSON.stringify(value)} is already in use`,
    };
    return previous;
  };
  const plural = give("plural", wanted.plural, taken.resources, before.plural);
  const singular = give("singular", wanted.singular, taken.resources, before.singular);
  const busy = wanted.shortNames.filter((name) => taken.resources.has(name));
  if (busy.length > 0) {
    conflict = {
      reason: "ShortNamesConflict",
      message: busy.map((name) => `${JSON.stringify(name)} is already in use`).join(", "),
    };
  }
  const shortNames = busy.length > 0 ? before.shortNames : wanted.shortNames;
  const kind = give("kind", wanted.kind, taken.kinds, before.kind);
  const listKind = give("listKind", wanted.listKind, taken.kinds, before.listKind);
  const accepted: CrdNames = { plural, singular, shortNames, kind, listKind, categories: wanted.categories };
  return { accepted, conflict };
}

type Condition = Readonly<Record<"type" | "status" | "reason" | "message", string>>;

function namesCondition(conflict: Conflict | undefined): Condition {
  if (conflict !== undefined) return { type: "NamesAccepted", status: "False", ...conflict };
  return { type: "NamesAccepted", status: "True", reason: "NoConflicts", message: "no conflicts found" };
}

/** Once established, always established: a later conflict over names does not take the resource away. */
function establishedCondition(conflict: Conflict | undefined, wasEstablished: boolean): Condition {
  if (conflict !== undefined && !wasEstablished) {
    return { type: "Established", status: "False", reason: "NotAccepted", message: "not all names are accepted" };
  }
  return {
    type: "Established",
    status: "True",
    reason: "InitialNamesAccepted",
    message: "the initial names have been accepted",
  };
}

function withTransition(condition: Condition, status: JsonObject, nowIso: string): JsonObject {
  const earlier = conditionOf(status, condition.type);
  const since =
    earlier !== undefined && earlier.status === condition.status ? stringAt(earlier, "lastTransitionTime") : nowIso;
  const { type, status: value, reason, message } = condition;
  return { type, status: value, lastTransitionTime: since, reason, message };
}

function conditionOf(status: JsonObject, type: string): JsonObject | undefined {
  return listAt(status, "conditions")
    .filter(isJsonObject)
    .find((one) => one.type === type);
}

function isTrue(status: JsonObject, type: string): boolean {
  return conditionOf(status, type)?.status === "True";
}

/** Objects may still be stored in any version that ever was the storage version. */
function storedVersions(crd: JsonObject): Json {
  const stored = stringsAt(objectAt(crd, "status"), "storedVersions");
  const storage = crdVersions(crd).find((version) => version.storage === true);
  const name = storage === undefined ? "" : stringAt(storage, "name");
  return name === "" || stored.includes(name) ? stored : [...stored, name];
}

function compact({ plural, singular, shortNames, kind, listKind, categories }: CrdNames): JsonObject {
  return {
    plural,
    ...(singular === "" ? {} : { singular }),
    ...(shortNames.length === 0 ? {} : { shortNames }),
    kind,
    ...(listKind === "" ? {} : { listKind }),
    ...(categories.length === 0 ? {} : { categories }),
  };
}
