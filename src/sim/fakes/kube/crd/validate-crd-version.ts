// One version of a CRD: its schema must be structural, its rules must compile, its columns and paths must lead somewhere.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { childPath, invalid, itemPath, required } from "../field-cause.ts";
import { compileRules } from "../schema/cel-rules.ts";
import { isJsonObject, type JsonObject, listAt, objectAt, sameJson, stringAt } from "../schema/json-value.ts";
import { structuralProblems } from "../schema/structural.ts";
import type { StructuralSchema } from "../schema/structural-schema.ts";
import { crdVersions, versionSchema } from "./crd-parts.ts";
import { labelProblem } from "./validate-crd-names.ts";

export function versionProblems(crd: JsonObject, version: JsonObject, index: number): readonly FieldCause[] {
  const own = `spec.versions[${index}]`;
  // The server keeps what all versions share at the top, and names it there in its errors.
  const at = (name: string): string => (isShared(crd, name) ? "spec" : own);
  const schema = versionSchema(version);
  const schemaPath = isShared(crd, "schema") ? "spec.validation.openAPIV3Schema" : `${own}.schema.openAPIV3Schema`;
  const once = (name: string, problems: () => readonly FieldCause[]): readonly FieldCause[] =>
    index > 0 && isShared(crd, name) ? [] : problems();
  return [
    ...labelProblem(`${own}.name`, stringAt(version, "name")),
    ...(stringAt(version, "deprecationWarning") !== "" && version.deprecated !== true
      ? [invalid(`${own}.deprecationWarning`, version.deprecationWarning, "can only be set for deprecated versions")]
      : []),
    ...once("schema", () =>
      schema === undefined ? [required(`${own}.schema.openAPIV3Schema`)] : schemaProblems(schema, schemaPath),
    ),
    ...once("additionalPrinterColumns", () =>
      columnProblems(version, `${at("additionalPrinterColumns")}.additionalPrinterColumns`),
    ),
    ...once("subresources", () => scaleProblems(version, `${at("subresources")}.subresources.scale`)),
    ...once("selectableFields", () =>
      selectableProblems(version, schema ?? {}, `${at("selectableFields")}.selectableFields`),
    ),
  ];
}

function isShared(crd: JsonObject, name: string): boolean {
  const [first, ...rest] = crdVersions(crd);
  return first?.[name] !== undefined && rest.every((version) => sameJson(version[name], first[name]));
}

/** That nothing is wrong with, wherever they stand. */
const soundSchemas = new WeakSet<StructuralSchema>();

function schemaProblems(schema: StructuralSchema, path: string): readonly FieldCause[] {
  if (soundSchemas.has(schema)) return [];
  const problems = newSchemaProblems(schema, path);
  if (problems.length === 0) soundSchemas.add(schema);
  return problems;
}

function newSchemaProblems(schema: StructuralSchema, path: string): readonly FieldCause[] {
  const structural = structuralProblems(schema, path);
  // Rules are typed by the schema: with a broken one their errors would only confuse.
  return structural.length > 0 ? structural : compileRules(schema, path);
}

const columnTypes = ["boolean", "date", "integer", "number", "string"];
const columnFormats = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];

function columnProblems(version: JsonObject, path: string): readonly FieldCause[] {
  return listAt(version, "additionalPrinterColumns")
    .filter(isJsonObject)
    .flatMap((column, i) => {
      const at = (name: string): string => childPath(itemPath(path, i), name);
      const [type, format] = [stringAt(column, "type"), stringAt(column, "format")];
      const problems: FieldCause[] = [];
      if (stringAt(column, "name") === "") problems.push(required(at("name")));
      if (type === "") problems.push(required(at("type")));
      else if (!columnTypes.includes(type))
        problems.push(invalid(at("type"), type, `must be one of ${columnTypes.join(",")}`));
      if (format !== "" && !columnFormats.includes(format)) {
        problems.push(invalid(at("format"), format, `must be one of ${columnFormats.join(",")}`));
      }
      const jsonPath = stringAt(column, "jsonPath");
      if (jsonPath === "") problems.push(required(at("JSONPath")));
      else if (!jsonPath.startsWith("."))
        problems.push(invalid(at("JSONPath"), jsonPath, "must be a simple json path starting with ."));
      return problems;
    });
}

function scaleProblems(version: JsonObject, path: string): readonly FieldCause[] {
  const scale = objectAt(version, "subresources").scale;
  if (!isJsonObject(scale)) return [];
  return [
    ...pathProblem(scale, "specReplicasPath", ".spec", path),
    ...pathProblem(scale, "statusReplicasPath", ".status", path),
  ];
}

function pathProblem(scale: JsonObject, name: string, root: string, path: string): readonly FieldCause[] {
  const value = stringAt(scale, name);
  if (value === "") return [required(childPath(path, name))];
  return value.startsWith(`${root}.`)
    ? []
    : [invalid(childPath(path, name), value, `should be a json path under ${root}`)];
}

function selectableProblems(version: JsonObject, schema: StructuralSchema, path: string): readonly FieldCause[] {
  return listAt(version, "selectableFields")
    .filter(isJsonObject)
    .flatMap((field, i) => {
      const jsonPath = stringAt(field, "jsonPath");
      const at = childPath(itemPath(path, i), "jsonPath");
      if (jsonPath === "") return [required(at)];
      const found = jsonPath
        .replace(/^\./, "")
        .split(".")
        .reduce<StructuralSchema | undefined>((inner, name) => inner?.properties?.[name], schema);
      if (found === undefined) return [invalid(at, jsonPath, "is an invalid path: does not refer to a valid field")];
      const isSelectable = ["string", "boolean", "integer"].includes(found.type ?? "");
      return isSelectable ? [] : [invalid(at, jsonPath, "must point to a field of type string, boolean or integer")];
    });
}
