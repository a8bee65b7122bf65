// Is a CRD's schema structural: does it say the type of every field outside of allOf, anyOf, oneOf and not? Only such
// schemas can prune, default and type rules. Says all that is wrong with one, in the API server's words.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { childPath, forbidden, invalid, keyPath, notSupported, required } from "../field-cause.ts";
import { patternProblem } from "./pattern.ts";
import { defaultProblems } from "./structural-defaults.ts";
import { listTypeProblems } from "./structural-list-type.ts";
import { nestedProblems } from "./structural-nested.ts";
import type { StructuralSchema } from "./structural-schema.ts";

type Level = "root" | "field" | "item";

const types = ["array", "boolean", "integer", "number", "object", "string"];

const missingType: Readonly<Record<Level, string>> = {
  root: "must not be empty at the root",
  field: "must not be empty for specified object fields",
  item: "must not be empty for specified array items",
};

export function structuralProblems(schema: StructuralSchema, path = ""): readonly FieldCause[] {
  return problemsAt(schema, path, "root");
}

function problemsAt(schema: StructuralSchema, path: string, level: Level): readonly FieldCause[] {
  const { properties = {}, items, additionalProperties } = schema;
  return [
    ...typeProblems(schema, path, level),
    ...extensionProblems(schema, path),
    ...forbiddenKeywords(schema, path, level),
    ...listTypeProblems(schema, path),
    ...nestedProblems(schema, path),
    ...defaultProblems(schema, path),
    ...(level === "root" ? metadataProblems(schema, path) : []),
    ...Object.entries(properties).flatMap(([name, field]) =>
      level === "root" && name === "metadata"
        ? []
        : problemsAt(field, keyPath(childPath(path, "properties"), name), "field"),
    ),
    ...(items === undefined ? [] : problemsAt(items, childPath(path, "items"), "item")),
    ...(typeof additionalProperties === "object"
      ? problemsAt(additionalProperties, childPath(path, "additionalProperties"), "field")
      : []),
  ];
}

function typeProblems(schema: StructuralSchema, path: string, level: Level): readonly FieldCause[] {
  const { type = "", items } = schema;
  const at = childPath(path, "type");
  const problems: FieldCause[] = [];
  const isFree =
    schema["x-kubernetes-int-or-string"] === true || schema["x-kubernetes-preserve-unknown-fields"] === true;
  if (isReference(schema)) problems.push(forbidden(childPath(path, "$ref"), "$ref is not supported"));
  else if (schema["x-kubernetes-embedded-resource"] === true && type !== "object") {
    problems.push(invalid(at, type, "must be object if x-kubernetes-embedded-resource is true"));
  } else if (type === "" && !isFree) problems.push(required(at, missingType[level]));
  if (type !== "" && !types.includes(type)) problems.push(notSupported(at, type, types));
  else if (level === "root" && type !== "" && type !== "object")
    problems.push(invalid(at, type, "must be object at the root"));
  if (type === "array" && items === undefined) problems.push(required(childPath(path, "items"), "must be specified"));
  return problems;
}

function extensionProblems(schema: StructuralSchema, path: string): readonly FieldCause[] {
  const preserve = schema["x-kubernetes-preserve-unknown-fields"];
  const isIntOrString = schema["x-kubernetes-int-or-string"] === true;
  const isEmbedded = schema["x-kubernetes-embedded-resource"] === true;
  const problems: FieldCause[] = [];
  const preserveAt = childPath(path, "x-kubernetes-preserve-unknown-fields");
  if (preserve === false) problems.push(invalid(preserveAt, false, "must be true or undefined"));
  if (isIntOrString && preserve === true)
    problems.push(invalid(preserveAt, true, "must be false if x-kubernetes-int-or-string is true"));
  if (isIntOrString && isEmbedded) {
    problems.push(
      invalid(
        childPath(path, "x-kubernetes-embedded-resource"),
        true,
        "must be false if x-kubernetes-int-or-string is true",
      ),
    );
  }
  if (isEmbedded && preserve !== true && Object.keys(schema.properties ?? {}).length === 0) {
    const detail =
      "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields";
    problems.push(required(childPath(path, "properties"), detail));
  }
  return problems;
}

const unsupported = ["id", "definitions", "dependencies", "patternProperties", "additionalItems"];

function forbiddenKeywords(schema: StructuralSchema, path: string, level: Level): readonly FieldCause[] {
  const problems = unsupported.flatMap((name) =>
    Object.hasOwn(schema, name) ? [forbidden(childPath(path, name), `${name} is not supported`)] : [],
  );
  if (schema.uniqueItems === true) {
    const detail = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
    problems.push(forbidden(childPath(path, "uniqueItems"), detail));
  }
  const at = childPath(path, "additionalProperties");
  const { additionalProperties } = schema;
  if (additionalProperties !== undefined && level === "root")
    problems.push(forbidden(at, "must not be used at the root"));
  else if (typeof additionalProperties === "object" && Object.keys(schema.properties ?? {}).length > 0) {
    problems.push(forbidden(at, "additionalProperties and properties are mutual exclusive"));
  }
  const broken = schema.pattern === undefined ? undefined : patternProblem(schema.pattern);
  if (broken !== undefined) {
    problems.push(
      invalid(childPath(path, "pattern"), schema.pattern, `must be a valid regular expression, but isn't: ${broken}`),
    );
  }
  return problems;
}

/** Of metadata, a CRD may restrict the name and nothing else. */
function metadataProblems({ properties = {} }: StructuralSchema, path: string): readonly FieldCause[] {
  const { metadata } = properties;
  if (metadata === undefined) return [];
  const at = keyPath(childPath(path, "properties"), "metadata");
  if (metadata.type !== "object") return [invalid(childPath(at, "type"), metadata.type ?? "", "must be object")];
  const { type: _, properties: inner = {}, description: __, ...rest } = metadata;
  const notAllowed = [
    ...Object.keys(rest),
    ...Object.keys(inner).filter((name) => name !== "name" && name !== "generateName"),
  ];
  const detail = "must not specify anything other than name and generateName, but metadata is implicitly specified";
  return notAllowed.length === 0 ? [] : [forbidden(at, detail)];
}

function isReference(schema: StructuralSchema): boolean {
  return Object.hasOwn(schema, "$ref");
}
