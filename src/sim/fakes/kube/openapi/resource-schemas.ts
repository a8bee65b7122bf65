// One resource's schemas: its kind, with the words of its CRD, and its list.

import type { ServedResource } from "../discovery/api-resources.ts";
import type { JsonObject } from "../json.ts";
import { objectAt } from "../schema/json-value.ts";
import type { StructuralSchema } from "../schema/structural-schema.ts";
import { builtinDefinitionName, builtinDefinitions } from "./builtin-definitions.ts";
import { listMeta, objectMeta, reference, schemaName } from "./schema-names.ts";

const apiVersion = { type: "string", description: "Group and version of the object, such as apps/v1." };
const kind = { type: "string", description: "Kind of the object." };

export function resourceSchemas(served: ServedResource): JsonObject {
  const { resource, version } = served;
  const group = { group: resource.group, version: version.name };
  const own = objectSchemaName(served);
  const list = {
    type: "object",
    description: `A list of ${resource.kind} objects.`,
    required: ["items"],
    properties: {
      apiVersion,
      kind,
      metadata: { description: "Metadata of the list.", allOf: [reference(listMeta)] },
      items: { type: "array", description: "The objects.", items: { allOf: [reference(own)] } },
    },
    "x-kubernetes-group-version-kind": [{ ...group, kind: resource.listKind }],
  };
  const named = resource.crd === undefined ? builtinDefinitions(own) : {};
  return {
    ...named,
    [own]: {
      ...withMetadata(named[own] ?? toJson(version.schema)),
      "x-kubernetes-group-version-kind": [{ ...group, kind: resource.kind }],
    },
    [schemaName(served, resource.listKind)]: list,
  };
}

export function objectSchemaName(served: ServedResource): string {
  const { resource, version } = served;
  const builtin =
    resource.crd === undefined ? builtinDefinitionName(resource.group, version.name, resource.kind) : undefined;
  return builtin ?? schemaName(served, resource.kind);
}

function withMetadata(schema: JsonObject): JsonObject {
  const metadata = { description: "Metadata that every stored object has.", allOf: [reference(objectMeta)] };
  return { ...schema, type: "object", properties: { ...objectAt(schema, "properties"), apiVersion, kind, metadata } };
}

/** A structural schema of a CRD is JSON already; only its type does not say so. */
function toJson(schema: StructuralSchema): JsonObject {
  return { ...schema } as unknown as JsonObject;
}
