// An object reduced to its metadata, for clients that ask for no more.

import type { JsonObject } from "../json.ts";

export function partialMetadata(object: JsonObject): JsonObject {
  return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: object["metadata"] ?? {} };
}

export function partialMetadataList(objects: readonly JsonObject[], listMeta: JsonObject): JsonObject {
  return {
    kind: "PartialObjectMetadataList",
    apiVersion: "meta.k8s.io/v1",
    metadata: listMeta,
    items: objects.map(partialMetadata),
  };
}
