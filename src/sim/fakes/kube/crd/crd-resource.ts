// The resource a CRD defines, with all its versions. Names are the accepted ones: two CRDs may ask for the same.

import { objectMetaSchema } from "../kinds/builtin-schemas.ts";
import type { PrinterColumn, ResourceDefinition, ResourceVersionDefinition } from "../resource.ts";
import { isJsonObject, type JsonObject, listAt, objectAt, stringAt } from "../schema/json-value.ts";
import type { StructuralSchema } from "../schema/structural-schema.ts";
import { crdNames, crdSpec, crdVersions, versionColumns, versionSchema } from "./crd-parts.ts";
import { deprecationWarning } from "./deprecation.ts";

export function crdResource(crd: JsonObject): ResourceDefinition {
  const spec = crdSpec(crd);
  const accepted = objectAt(objectAt(crd, "status"), "acceptedNames");
  const names = crdNames(stringAt(accepted, "kind") === "" ? objectAt(spec, "names") : accepted);
  const conversion = spec.conversion;
  return {
    group: stringAt(spec, "group"),
    ...names,
    namespaced: spec.scope === "Namespaced",
    versions: crdVersions(crd).map((version) => versionDefinition(crd, version)),
    crd: { name: stringAt(objectAt(crd, "metadata"), "name"), ...(isJsonObject(conversion) ? { conversion } : {}) },
    strategy: { selectableFields: (object) => selectableValues(crd, object) },
  };
}

const age: PrinterColumn = {
  name: "Age",
  type: "date",
  description: "How long ago the object was created.",
  jsonPath: ".metadata.creationTimestamp",
};

function versionDefinition(crd: JsonObject, version: JsonObject): ResourceVersionDefinition {
  const columns = versionColumns(version);
  const subresources = objectAt(version, "subresources");
  const scale = subresources.scale;
  const fields = selectablePaths(version);
  const name = stringAt(version, "name");
  return {
    name,
    served: version.served === true,
    storage: version.storage === true,
    schema: resourceSchema(versionSchema(version) ?? {}),
    columns: columns.length === 0 ? [age] : columns,
    hasStatus: subresources.status !== undefined,
    ...(isJsonObject(scale) ? { scale: scaleOf(scale) } : {}),
    ...(fields.length === 0 ? {} : { selectableFields: fields }),
    ...(version.deprecated === true ? { deprecationWarning: deprecationWarning(crd, version) } : {}),
  };
}

/** Every resource has these three, whatever its schema says. */
function resourceSchema(schema: StructuralSchema): StructuralSchema {
  return {
    ...schema,
    properties: {
      ...schema.properties,
      apiVersion: { type: "string", ...schema.properties?.apiVersion },
      kind: { type: "string", ...schema.properties?.kind },
      metadata: withNameLimits(schema.properties?.metadata),
    },
  };
}

/** The name is the one part of metadata that a CRD may restrict. */
function withNameLimits(declared: StructuralSchema | undefined): StructuralSchema {
  const meta = objectMetaSchema();
  return { ...meta, properties: { ...meta.properties, ...declared?.properties } };
}

function scaleOf(scale: JsonObject): NonNullable<ResourceVersionDefinition["scale"]> {
  const labelSelectorPath = stringAt(scale, "labelSelectorPath");
  return {
    specReplicasPath: stringAt(scale, "specReplicasPath"),
    statusReplicasPath: stringAt(scale, "statusReplicasPath"),
    ...(labelSelectorPath === "" ? {} : { labelSelectorPath }),
  };
}

/** `.spec.color` becomes `spec.color`, as a field selector spells it. */
function selectablePaths(version: JsonObject): readonly string[] {
  return listAt(version, "selectableFields")
    .filter(isJsonObject)
    .map((field) => stringAt(field, "jsonPath").replace(/^\./, ""));
}

function selectableValues(crd: JsonObject, object: JsonObject): Readonly<Record<string, string>> {
  const versionName = stringAt(object, "apiVersion").split("/").at(-1);
  const version = crdVersions(crd).find((one) => one.name === versionName);
  const paths = version === undefined ? [] : selectablePaths(version);
  return Object.fromEntries(paths.map((path) => [path, valueAt(object, path.split("."))]));
}

function valueAt(object: JsonObject, [name = "", ...rest]: readonly string[]): string {
  const value = object[name];
  if (rest.length > 0) return isJsonObject(value) ? valueAt(value, rest) : "";
  return typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);
}
