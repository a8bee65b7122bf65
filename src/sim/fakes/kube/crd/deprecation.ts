// The warning that clients of a deprecated version get when the CRD words none: what to use instead.

import { type JsonObject, objectAt, stringAt } from "../schema/json-value.ts";
import { crdNames, crdSpec, crdVersions } from "./crd-parts.ts";

export function deprecationWarning(crd: JsonObject, version: JsonObject): string {
  const given = stringAt(version, "deprecationWarning");
  if (given !== "") return given;
  const spec = crdSpec(crd);
  const name = (one: JsonObject): string =>
    `${stringAt(spec, "group")}/${stringAt(one, "name")} ${crdNames(objectAt(spec, "names")).kind}`;
  const [newest] = crdVersions(crd)
    .filter(
      (one) =>
        one.served === true &&
        one.deprecated !== true &&
        compareVersions(stringAt(one, "name"), stringAt(version, "name")) > 0,
    )
    .sort((a, b) => compareVersions(stringAt(b, "name"), stringAt(a, "name")));
  return newest === undefined
    ? `${name(version)} is deprecated`
    : `${name(version)} is deprecated; use ${name(newest)}`;
}

/** Stable before beta before alpha, higher numbers first; names of another form come last, by alphabet. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [rank(a), rank(b)];
  if (left === undefined || right === undefined) {
    return left === right ? -a.localeCompare(b, "en") : left === undefined ? -1 : 1;
  }
  for (const [i, value] of left.entries()) {
    const difference = value - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function rank(version: string): readonly number[] | undefined {
  const [, major, stage = "", minor = "0"] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
  if (major === undefined) return undefined;
  return [{ "": 2, beta: 1, alpha: 0 }[stage] ?? 0, Number(major), Number(minor)];
}
