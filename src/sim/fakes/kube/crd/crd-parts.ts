// A CRD as its readers need it, with what the server fills in: defaults of names and conversion.

import type { PrinterColumn } from "../resource.ts";
import { isJsonObject, type Json, type JsonObject, listAt, objectAt, stringAt } from "../schema/json-value.ts";
import type { StructuralSchema } from "../schema/structural-schema.ts";

export interface CrdNames {
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

export function crdSpec(crd: JsonObject): JsonObject {
  return objectAt(crd, "spec");
}

export function crdNames(names: JsonObject): CrdNames {
  return {
    plural: stringAt(names, "plural"),
    singular: stringAt(names, "singular"),
    kind: stringAt(names, "kind"),
    listKind: stringAt(names, "listKind"),
    shortNames: stringsAt(names, "shortNames"),
    categories: stringsAt(names, "categories"),
  };
}

export function crdVersions(crd: JsonObject): readonly JsonObject[] {
  return listAt(crdSpec(crd), "versions").filter(isJsonObject);
}

/** Undefined when the version has none. */
export function versionSchema(version: JsonObject): StructuralSchema | undefined {
  const schema = objectAt(version, "schema").openAPIV3Schema;
  return isJsonObject(schema) ? schema : undefined;
}

export function versionColumns(version: JsonObject): readonly PrinterColumn[] {
  return listAt(version, "additionalPrinterColumns").filter(isJsonObject).map(printerColumn);
}

function printerColumn(column: JsonObject): PrinterColumn {
  const { format, description, priority } = column;
  return {
    name: stringAt(column, "name"),
    type: stringAt(column, "type"),
    jsonPath: stringAt(column, "jsonPath"),
    ...(typeof format === "string" ? { format } : {}),
    ...(typeof description === "string" ? { description } : {}),
    ...(typeof priority === "number" ? { priority } : {}),
  };
}

export function stringsAt(object: JsonObject, name: string): readonly string[] {
  return listAt(object, name).filter((item): item is string => typeof item === "string");
}

/** What the server fills in when a CRD is written. */
export function withCrdDefaults(crd: JsonObject): JsonObject {
  const spec = crdSpec(crd);
  const names = objectAt(spec, "names");
  const kind = stringAt(names, "kind");
  const filled: Record<string, Json | undefined> = { ...names };
  if (stringAt(names, "singular") === "" && kind !== "") filled.singular = kind.toLowerCase();
  if (stringAt(names, "listKind") === "" && kind !== "") filled.listKind = `${kind}List`;
  return { ...crd, spec: { ...spec, names: filled, conversion: spec.conversion ?? { strategy: "None" } } };
}
