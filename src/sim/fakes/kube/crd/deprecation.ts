// The warning that clients of a deprecated version get when the CRD words none: what to use instead.

import { compareVersions } from "../compare-versions.ts";
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
        compareVersions(stringAt(one, "name"), stringAt(version, "name")) < 0,
    )
    .sort((a, b) => compareVersions(stringAt(a, "name"), stringAt(b, "name")));
  return newest === undefined
    ? `${name(version)} is deprecated`
    : `${name(version)} is deprecated; use ${name(newest)}`;
}
