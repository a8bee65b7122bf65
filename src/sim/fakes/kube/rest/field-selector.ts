// Field selectors: `metadata.name=a,spec.nodeName!=b`. Which fields a kind knows comes from its definition; others are refused.

import type { JsonObject } from "../json.ts";
import type { ResourceDefinition } from "../resource.ts";
import { isJsonObject, objectAt, stringAt } from "../schema/json-value.ts";
import { badRequest } from "./api-error.ts";
import type { ObjectFilter } from "./label-selector.ts";

interface Term {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

export interface FieldFilter {
  readonly matches: ObjectFilter;
  /** Set when the selector names one object. */
  readonly name?: string;
}

/** Undefined: every object passes. */
export function parseFieldSelector(
  text: string,
  resource: ResourceDefinition,
  version: string,
): FieldFilter | undefined {
  const terms = splitTerms(text).map((part) => parseTerm(part, text));
  if (terms.length === 0) return undefined;
  for (const { field } of terms) refuseUnknown(field, resource, version);
  const matches = (object: JsonObject): boolean => {
    const fields = selectableFields(object, resource, version);
    return terms.every(({ field, equal, value }) => ((fields[field] ?? "") === value) === equal);
  };
  const named = terms.find(({ field, equal }) => field === "metadata.name" && equal);
  return named === undefined ? { matches } : { matches, name: named.value };
}

function splitTerms(text: string): readonly string[] {
  return (text.match(/(?:\\.|[^,\\])+/g) ?? []).filter((part) => part !== "");
}

function parseTerm(part: string, whole: string): Term {
  const found = /^(.*?)(!=|==|=)(.*)$/.exec(part);
  if (found === null) throw badRequest(`invalid selector: '${whole}'; can't understand '${part}'`);
  const [, field = "", operator, value = ""] = found;
  return { field, equal: operator !== "!=", value: value.replace(/\\(.)/g, "$1") };
}

function refuseUnknown(field: string, resource: ResourceDefinition, version: string): void {
  const known = ["metadata.name", "metadata.namespace", ...extraFields(resource, version)];
  if (known.includes(field)) return;
  if (known.length > 2 || resource.crd !== undefined) throw badRequest(`field label not supported: ${field}`);
  throw badRequest(`"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`);
}

function extraFields(resource: ResourceDefinition, version: string): readonly string[] {
  const own = resource.strategy.selectableFields;
  if (own !== undefined) return Object.keys(own({}));
  return (definedFields(resource, version) ?? []).map(plainPath);
}

function definedFields(resource: ResourceDefinition, version: string): readonly string[] | undefined {
  return resource.versions.find(({ name }) => name === version)?.selectableFields;
}

function selectableFields(
  object: JsonObject,
  resource: ResourceDefinition,
  version: string,
): Readonly<Record<string, string>> {
  const metadata = objectAt(object, "metadata");
  const paths = (definedFields(resource, version) ?? []).map(plainPath);
  return {
    ...Object.fromEntries(paths.map((path) => [path, valueAt(object, path)])),
    ...resource.strategy.selectableFields?.(object),
    "metadata.name": stringAt(metadata, "name"),
    "metadata.namespace": stringAt(metadata, "namespace"),
  };
}

function plainPath(path: string): string {
  return path.replace(/^\./, "");
}

function valueAt(object: JsonObject, path: string): string {
  let value: JsonObject[string] = object;
  for (const word of path.split(".")) value = isJsonObject(value) ? value[word] : undefined;
  return typeof value === "object" || value === undefined ? "" : String(value);
}
