// Validation of one rule of a webhook configuration.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { invalid, notSupported, required } from "../field-cause.ts";
import type { JsonObject } from "../json.ts";
import { stringsAt } from "../json-lists.ts";
import { stringAt } from "../schema/json-value.ts";

const operations = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
const scopes = ["*", "Cluster", "Namespaced"];

export function ruleProblems(rule: JsonObject, field: string): readonly FieldCause[] {
  const scope = stringAt(rule, "scope");
  const unknown = stringsAt(rule, "operations").flatMap((operation, i) =>
    operations.includes(operation) ? [] : [notSupported(`${field}.operations[${i}]`, operation, operations)],
  );
  return [
    ...listProblems(rule, "operations", field, "operations"),
    ...unknown,
    ...listProblems(rule, "apiGroups", field, "API groups"),
    ...listProblems(rule, "apiVersions", field, "API versions"),
    ...resourceProblems(rule, field),
    ...(scope === "" || scopes.includes(scope) ? [] : [notSupported(`${field}.scope`, scope, scopes)]),
  ];
}

function listProblems(rule: JsonObject, name: string, field: string, words: string): readonly FieldCause[] {
  const list = stringsAt(rule, name);
  if (list.length === 0) return [required(`${field}.${name}`)];
  const mixed = list.includes("*") && list.length > 1;
  return mixed ? [invalid(`${field}.${name}`, list, `if '*' is present, must not specify other ${words}`)] : [];
}

/** `*` is every resource without its parts; beside it only parts make sense. */
function resourceProblems(rule: JsonObject, field: string): readonly FieldCause[] {
  const list = stringsAt(rule, "resources");
  if (list.length === 0) return [required(`${field}.resources`)];
  const at = `${field}.resources`;
  if (list.includes("*/*") && list.length > 1)
    return [invalid(at, list, "if '*/*' is present, must not specify other resources")];
  const plain = list.filter((resource) => !resource.includes("/"));
  const mixed = plain.includes("*") && plain.length > 1;
  return mixed ? [invalid(at, list, "if '*' is present, must not specify other resources without subresources")] : [];
}
