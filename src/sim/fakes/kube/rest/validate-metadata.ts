// The rules for `metadata` that every kind shares, on create and on update.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { forbidden, immutableField, invalid, required } from "../field-cause.ts";
import type { Json, JsonObject } from "../json.ts";
import { textOf } from "../json-text.ts";
import type { ResourceDefinition } from "../resource.ts";
import { isJsonObject, listAt, objectAt, sameJson, stringAt } from "../schema/json-value.ts";
import {
  labelProblems,
  labelValueProblems,
  pathSegmentProblems,
  qualifiedNameProblems,
  subdomainProblems,
} from "./name-rules.ts";

const standardFinalizers = ["orphan", "foregroundDeletion", "kubernetes"];
const annotationBytesLimit = 256 * 1024;

export function validateMetadata(object: JsonObject, resource: ResourceDefinition): readonly FieldCause[] {
  const metadata = objectAt(object, "metadata");
  return [
    ...nameCauses(metadata, resource),
    ...namespaceCauses(metadata, resource),
    ...labelCauses(objectAt(metadata, "labels"), "metadata.labels"),
    ...annotationCauses(objectAt(metadata, "annotations")),
    ...ownerCauses(listAt(metadata, "ownerReferences")),
    ...finalizerCauses(listAt(metadata, "finalizers"), resource),
  ];
}

export function validateMetadataUpdate(object: JsonObject, old: JsonObject): readonly FieldCause[] {
  const metadata = objectAt(object, "metadata");
  const before = objectAt(old, "metadata");
  const causes: FieldCause[] = [];
  for (const field of [
    "name",
    "namespace",
    "uid",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
  ]) {
    if (sameJson(metadata[field], before[field])) continue;
    // The real server checks twice and says so twice.
    const cause = immutableField(`metadata.${field}`, metadata[field]);
    causes.push(cause, cause);
  }
  const added = listAt(metadata, "finalizers").filter((name) => !listAt(before, "finalizers").includes(name));
  if (before["deletionTimestamp"] !== undefined && added.length > 0) {
    const list = added.map((name) => JSON.stringify(name)).join(", ");
    const why = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
    causes.push(forbidden("metadata.finalizers", why), forbidden("metadata.finalizers", why));
  }
  return causes;
}

export function labelCauses(labels: JsonObject, field: string): readonly FieldCause[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...qualifiedNameProblems(key).map((problem) => invalid(field, key, problem)),
    ...labelValueProblems(textOf(value)).map((problem) => invalid(field, value, problem)),
  ]);
}

function nameCauses(metadata: JsonObject, resource: ResourceDefinition): readonly FieldCause[] {
  const name = stringAt(metadata, "name");
  if (name === "") return [required("metadata.name", "name or generateName is required")];
  const rule = resource.strategy.nameRule;
  if (rule === "path-segment") return pathSegmentProblems(name).map((why) => invalid("metadata.name", name, why));
  if (rule !== "label") return subdomainProblems(name).map((why) => invalid("metadata.name", name, why));
  const problems = name.includes(".") ? ["must not contain dots"] : labelProblems(name);
  return problems.map((why) => invalid("metadata.name", name, why));
}

function namespaceCauses(metadata: JsonObject, resource: ResourceDefinition): readonly FieldCause[] {
  const namespace = stringAt(metadata, "namespace");
  if (!resource.namespaced) return [];
  if (namespace === "") return [required("metadata.namespace")];
  return labelProblems(namespace).map((why) => invalid("metadata.namespace", namespace, why));
}

function annotationCauses(annotations: JsonObject): readonly FieldCause[] {
  const causes = Object.keys(annotations).flatMap((key) =>
    qualifiedNameProblems(key.toLowerCase()).map((why) => invalid("metadata.annotations", key, why)),
  );
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations)) bytes += key.length + textOf(value).length;
  if (bytes <= annotationBytesLimit) return causes;
  const message = `Too long: may not be more than ${annotationBytesLimit} bytes`;
  return [...causes, { field: "metadata.annotations", reason: "FieldValueTooLong", message }];
}

function ownerCauses(owners: readonly Json[]): readonly FieldCause[] {
  const causes: FieldCause[] = [];
  let controllers = 0;
  for (const owner of owners) {
    if (!isJsonObject(owner)) continue;
    const at = "metadata.ownerReferences";
    const apiVersion = stringAt(owner, "apiVersion");
    if (apiVersion === "" || apiVersion.endsWith("/")) {
      causes.push(invalid(`${at}.apiVersion`, apiVersion, "version must not be empty"));
    }
    for (const field of ["kind", "name", "uid"]) {
      if (stringAt(owner, field) === "") causes.push(invalid(`${at}.${field}`, "", "must not be empty"));
    }
    if (owner["controller"] === true) controllers += 1;
  }
  if (controllers > 1) {
    const why = "Only one reference can have Controller set to true";
    causes.push(invalid("metadata.ownerReferences", owners, why));
  }
  return causes;
}

/** Custom resources may have plain names: Cluster API holds its own with `cluster.cluster.x-k8s.io`. */
function finalizerCauses(finalizers: readonly Json[], { crd }: ResourceDefinition): readonly FieldCause[] {
  return finalizers.flatMap((finalizer, index) => {
    const name = textOf(finalizer);
    const at = `metadata.finalizers[${index}]`;
    const problems = qualifiedNameProblems(name);
    if (problems.length > 0) return problems.map((why) => invalid(at, name, why));
    if (crd !== undefined || name.includes("/") || standardFinalizers.includes(name)) return [];
    return [invalid(at, name, "name is neither a standard finalizer name nor is it fully qualified")];
  });
}
