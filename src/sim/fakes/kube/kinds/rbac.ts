// What Roles and bindings add to the rules every kind has: defaults, validation, and a roleRef that never changes.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { invalid, notSupported, required } from "../field-cause.ts";
import type { JsonObject } from "../json.ts";
import { objectsAt, stringsAt } from "../json-lists.ts";
import type { ResourceStrategy } from "../resource.ts";
import { objectAt, sameJson, stringAt } from "../schema/json-value.ts";

const apiGroup = "rbac.authorization.k8s.io";

export const roleStrategy: ResourceStrategy = {
  createsOnUpdate: true,
  nameRule: "path-segment",
  defaults: (role) => ({ ...role, rules: role["rules"] ?? null }),
  validate: (role) => {
    const namespaced = stringAt(role, "kind") === "Role";
    return objectsAt(role, "rules").flatMap((rule, i) => ruleProblems(rule, `rules[${i}]`, namespaced));
  },
};

export const bindingStrategy: ResourceStrategy = {
  createsOnUpdate: true,
  nameRule: "path-segment",
  defaults: withGroups,
  validate: (binding, old) => bindingProblems(binding, old, stringAt(binding, "kind") === "RoleBinding"),
};

function ruleProblems(rule: JsonObject, field: string, namespaced: boolean): readonly FieldCause[] {
  const problems: FieldCause[] = [];
  const urls = stringsAt(rule, "nonResourceURLs");
  const groups = stringsAt(rule, "apiGroups");
  const resources = stringsAt(rule, "resources");
  if (stringsAt(rule, "verbs").length === 0)
    problems.push(required(`${field}.verbs`, "verbs must contain at least one value"));
  if (urls.length > 0) {
    const mixed = groups.length + resources.length + stringsAt(rule, "resourceNames").length > 0;
    if (namespaced)
      problems.push(invalid(`${field}.nonResourceURLs`, urls, "namespaced rules cannot apply to non-resource URLs"));
    if (mixed)
      problems.push(
        invalid(`${field}.nonResourceURLs`, urls, "rules cannot apply to both regular resources and non-resource URLs"),
      );
    return problems;
  }
  if (groups.length === 0)
    problems.push(required(`${field}.apiGroups`, "resource rules must supply at least one api group"));
  if (resources.length === 0)
    problems.push(required(`${field}.resources`, "resource rules must supply at least one resource"));
  return problems;
}

function withGroups(binding: JsonObject): JsonObject {
  const subjects = objectsAt(binding, "subjects").map((subject) =>
    stringAt(subject, "apiGroup") === "" && stringAt(subject, "kind") !== "ServiceAccount"
      ? { ...subject, apiGroup }
      : subject,
  );
  const roleRef = objectAt(binding, "roleRef");
  return {
    ...binding,
    ...(binding["subjects"] === undefined ? {} : { subjects }),
    roleRef: stringAt(roleRef, "apiGroup") === "" ? { ...roleRef, apiGroup } : roleRef,
  };
}

function bindingProblems(binding: JsonObject, old: JsonObject | undefined, namespaced: boolean): readonly FieldCause[] {
  const ref = objectAt(binding, "roleRef");
  const kinds = namespaced ? ["Role", "ClusterRole"] : ["ClusterRole"];
  const problems: FieldCause[] = [];
  if (!kinds.includes(stringAt(ref, "kind"))) problems.push(notSupported("roleRef.kind", stringAt(ref, "kind"), kinds));
  if (stringAt(ref, "name") === "") problems.push(required("roleRef.name"));
  if (old !== undefined && !sameJson(old["roleRef"], ref))
    problems.push(invalid("roleRef", refWords(ref), "cannot change roleRef"));
  return [
    ...problems,
    ...objectsAt(binding, "subjects").flatMap((subject, i) => subjectProblems(subject, `subjects[${i}]`, namespaced)),
  ];
}

function subjectProblems(subject: JsonObject, field: string, namespaced: boolean): readonly FieldCause[] {
  const kind = stringAt(subject, "kind");
  const kinds = ["ServiceAccount", "User", "Group"];
  if (stringAt(subject, "name") === "") return [required(`${field}.name`)];
  if (!kinds.includes(kind)) return [notSupported(`${field}.kind`, kind, kinds)];
  const homeless = kind === "ServiceAccount" && !namespaced && stringAt(subject, "namespace") === "";
  return homeless ? [required(`${field}.namespace`)] : [];
}

/** The real server shows this field in the words of its own code. */
function refWords(ref: JsonObject): JsonObject {
  return { APIGroup: stringAt(ref, "apiGroup"), Kind: stringAt(ref, "kind"), Name: stringAt(ref, "name") };
}
