// Names of schemas inside a document. Other schemas refer to them, so there is one place that makes them.

import type { ServedResource } from "../discovery/api-resources.ts";
import type { JsonObject } from "../json.ts";

export const objectMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
export const listMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta";
export const patchBody = "io.k8s.apimachinery.pkg.apis.meta.v1.Patch";
export const status = "io.k8s.apimachinery.pkg.apis.meta.v1.Status";
export const scale = "io.k8s.api.autoscaling.v1.Scale";

/** `io.k8s.api.core.v1.ServiceList`; a custom resource has its group backwards, as in `test.example.v1.Widget`. */
export function schemaName({ resource, version }: ServedResource, kind: string): string {
  const { group, crd } = resource;
  const prefix =
    crd === undefined ? `io.k8s.api.${group.split(".")[0] || "core"}` : group.split(".").toReversed().join(".");
  return `${prefix}.${version.name}.${kind}`;
}

export function reference(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}
