// What makes a CRD invalid: its names, its versions, their schemas and rules, and changes that would strand its objects.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { forbidden, invalid, notSupported, required } from "../field-cause.ts";
import { type JsonObject, objectAt, sameJson, stringAt } from "../schema/json-value.ts";
import { crdSpec, crdVersions, stringsAt, withCrdDefaults } from "./crd-parts.ts";
import { nameProblems } from "./validate-crd-names.ts";
import { versionProblems } from "./validate-crd-version.ts";

export function validateCrd(given: JsonObject, old?: JsonObject): readonly FieldCause[] {
  const crd = withCrdDefaults(given);
  const spec = crdSpec(crd);
  return [
    ...nameProblems(crd),
    ...scopeProblems(spec),
    ...preserveProblems(spec, old),
    ...versionSetProblems(crd),
    ...crdVersions(crd).flatMap((version, index) => versionProblems(crd, version, index)),
    ...conversionProblems(objectAt(spec, "conversion")),
    ...(old === undefined ? [] : updateProblems(crd, old)),
  ];
}

function scopeProblems(spec: JsonObject): readonly FieldCause[] {
  const scope = stringAt(spec, "scope");
  if (scope === "") return [required("spec.scope")];
  return scope === "Cluster" || scope === "Namespaced"
    ? []
    : [notSupported("spec.scope", scope, ["Cluster", "Namespaced"])];
}

function preserveProblems(spec: JsonObject, old: JsonObject | undefined): readonly FieldCause[] {
  if (spec.preserveUnknownFields !== true || (old !== undefined && crdSpec(old).preserveUnknownFields === true))
    return [];
  const detail =
    "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
  return [invalid("spec.preserveUnknownFields", true, detail)];
}

function versionSetProblems(crd: JsonObject): readonly FieldCause[] {
  const versions = crdVersions(crd);
  const names = versions.map((version) => stringAt(version, "name"));
  const problems: FieldCause[] = [];
  if (new Set(names).size !== names.length)
    problems.push(invalid("spec.versions", names, "must contain unique version names"));
  if (versions.filter((version) => version.storage === true).length !== 1) {
    problems.push(invalid("spec.versions", names, "must have exactly one version marked as storage version"));
  }
  return problems;
}

function conversionProblems(conversion: JsonObject): readonly FieldCause[] {
  const strategy = stringAt(conversion, "strategy");
  if (strategy === "") return [required("spec.conversion.strategy")];
  if (strategy !== "None" && strategy !== "Webhook")
    return [notSupported("spec.conversion.strategy", strategy, ["None", "Webhook"])];
  const webhook = objectAt(conversion, "webhook");
  if (strategy === "None") {
    return conversion.webhook === undefined
      ? []
      : [forbidden("spec.conversion.webhookClientConfig", "should not be set when strategy is not set to Webhook")];
  }
  const problems: FieldCause[] = [];
  if (Object.keys(objectAt(webhook, "clientConfig")).length === 0) {
    problems.push(required("spec.conversion.webhookClientConfig", "required when strategy is set to Webhook"));
  }
  const reviews = stringsAt(webhook, "conversionReviewVersions");
  const at = "spec.conversion.conversionReviewVersions";
  if (reviews.length === 0) problems.push(required(at));
  else if (!reviews.includes("v1") && !reviews.includes("v1beta1")) {
    problems.push(invalid(at, reviews, "must include at least one of v1, v1beta1"));
  }
  return problems;
}

function updateProblems(crd: JsonObject, old: JsonObject): readonly FieldCause[] {
  const [spec, before] = [crdSpec(crd), crdSpec(old)];
  const [names, namesBefore] = [objectAt(spec, "names"), objectAt(before, "names")];
  const unchangeable = [
    ["spec.group", spec.group, before.group],
    ["spec.scope", spec.scope, before.scope],
    ["spec.names.kind", names.kind, namesBefore.kind],
    ["spec.names.plural", names.plural, namesBefore.plural],
  ] as const;
  return [
    ...unchangeable.flatMap(([field, is, was]) =>
      sameJson(is, was) ? [] : [invalid(field, is, "field is immutable")],
    ),
    ...strandedVersions(crd, old),
  ];
}

function strandedVersions(crd: JsonObject, old: JsonObject): readonly FieldCause[] {
  const names = new Set(crdVersions(crd).map((version) => stringAt(version, "name")));
  const status = crd.status === undefined ? objectAt(old, "status") : objectAt(crd, "status");
  return stringsAt(status, "storedVersions").flatMap((name, index) => {
    const detail = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    return names.has(name) ? [] : [invalid(`status.storedVersions[${index}]`, name, detail)];
  });
}
