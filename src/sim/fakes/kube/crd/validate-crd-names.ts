// The names of a CRD: its own, its group's, and those people and programs will call its objects by.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { invalid, required } from "../field-cause.ts";
import { type JsonObject, objectAt, stringAt } from "../schema/json-value.ts";
import { crdNames, crdSpec } from "./crd-parts.ts";

const label = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

const labelWords =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
const subdomainWords =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const approval = "api-approved.kubernetes.io";

export function nameProblems(crd: JsonObject): readonly FieldCause[] {
  const spec = crdSpec(crd);
  const group = stringAt(spec, "group");
  const names = crdNames(objectAt(spec, "names"));
  const metadata = objectAt(crd, "metadata");
  return [
    ...groupProblems(group, metadata),
    ...(["plural", "singular", "kind", "listKind"] as const).flatMap((name) => oneName(name, names[name])),
    ...names.shortNames.flatMap((name, i) => labelProblem(`spec.names.shortNames[${i}]`, name)),
    ...names.categories.flatMap((name, i) => labelProblem(`spec.names.categories[${i}]`, name)),
    ...(names.kind !== "" && names.kind === names.listKind
      ? [invalid("spec.names.listKind", names.listKind, "kind and listKind may not be the same")]
      : []),
    ...(stringAt(metadata, "name") === `${names.plural}.${group}`
      ? []
      : [invalid("metadata.name", stringAt(metadata, "name"), 'must be spec.names.plural+"."+spec.group')]),
  ];
}

function oneName(name: "plural" | "singular" | "kind" | "listKind", value: string): readonly FieldCause[] {
  const field = `spec.names.${name}`;
  if (value === "") return [required(field)];
  if (name === "plural" || name === "singular") return labelProblem(field, value);
  return label.test(value.toLowerCase())
    ? []
    : [invalid(field, value, `may have mixed case, but should otherwise match: ${labelWords}`)];
}

export function labelProblem(field: string, value: string): readonly FieldCause[] {
  return label.test(value) ? [] : [invalid(field, value, labelWords)];
}

function groupProblems(group: string, metadata: JsonObject): readonly FieldCause[] {
  if (group === "") return [required("spec.group")];
  if (group.length > 253 || !subdomain.test(group)) return [invalid("spec.group", group, subdomainWords)];
  if (!group.includes(".")) return [invalid("spec.group", group, "should be a domain with at least one dot")];
  const isProtected = /(^|\.)(k8s|kubernetes)\.io$/.test(group);
  if (!isProtected || stringAt(objectAt(metadata, "annotations"), approval) !== "") return [];
  return [
    required(`metadata.annotations[${approval}]`, `protected groups must have approval annotation "${approval}"`),
  ];
}
