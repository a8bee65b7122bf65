// Schemas as CEL types. Objects become types of their own, so that a rule that names an undeclared field does not
// compile; what has no declared shape is out of reach for rules.

import type { Environment } from "@marcbachmann/cel-js";
import type { StructuralSchema } from "../structural-schema.ts";
import { CelObject } from "./cel-object.ts";
import { deepEqual } from "./deep-equal.ts";
import { escapeName } from "./escape-name.ts";

export type CelType =
  | { readonly kind: "scalar"; readonly name: string; readonly schema: StructuralSchema }
  | { readonly kind: "list"; readonly name: string; readonly items: CelType }
  | { readonly kind: "map"; readonly name: string; readonly values: CelType }
  | {
      readonly kind: "object";
      readonly name: string;
      readonly fields: ReadonlyMap<string, CelType>;
      readonly create: () => CelObject;
    };

/** Declares the types a schema needs; undefined when rules cannot see such a value. */
export function declareType(
  env: Environment,
  schema: StructuralSchema,
  name: string,
  isRoot = false,
): CelType | undefined {
  if (schema["x-kubernetes-int-or-string"] === true) return { kind: "scalar", name: "dyn", schema };
  if (schema.type === "array") {
    const items = schema.items === undefined ? undefined : declareChild(env, schema.items, `${name}.items`);
    return items === undefined ? undefined : { kind: "list", name: `list<${items.name}>`, items };
  }
  if (schema.type === "object") return declareObject(env, schema, name, isRoot);
  const scalar = scalarName(schema);
  return scalar === undefined ? undefined : { kind: "scalar", name: scalar, schema };
}

function declareChild(env: Environment, schema: StructuralSchema, name: string): CelType | undefined {
  return declareType(env, schema, name, schema["x-kubernetes-embedded-resource"] === true);
}

function declareObject(env: Environment, schema: StructuralSchema, name: string, isRoot: boolean): CelType | undefined {
  if (typeof schema.additionalProperties === "object") {
    const values = declareChild(env, schema.additionalProperties, `${name}.values`);
    return values === undefined ? undefined : { kind: "map", name: `map<string, ${values.name}>`, values };
  }
  const fields = new Map<string, CelType>();
  const declared: Record<string, string> = {};
  const properties = isRoot ? { ...schema.properties, ...identityFields } : (schema.properties ?? {});
  for (const [property, inner] of Object.entries(properties)) {
    const escaped = escapeName(property);
    const type = escaped === undefined ? undefined : declareChild(env, inner, `${name}.${escaped}`);
    if (escaped === undefined || type === undefined) continue;
    fields.set(property, type);
    declared[escaped] = type.name;
  }
  class Instance extends CelObject {}
  env.registerType(name, { ctor: Instance, fields: declared });
  env.registerOperator(`${name} == ${name}`, deepEqual);
  return { kind: "object", name, fields, create: () => new Instance() };
}

/** What rules may read of any resource, declared or not. Nothing else of its metadata is theirs to see. */
const identityFields: Readonly<Record<string, StructuralSchema>> = {
  apiVersion: { type: "string" },
  kind: { type: "string" },
  metadata: { type: "object", properties: { name: { type: "string" }, generateName: { type: "string" } } },
};

const stringTypes: Readonly<Record<string, string>> = {
  byte: "bytes",
  duration: "google.protobuf.Duration",
  date: "google.protobuf.Timestamp",
  "date-time": "google.protobuf.Timestamp",
};

function scalarName({ type, format = "" }: StructuralSchema): string | undefined {
  switch (type) {
    case "string":
      return stringTypes[format] ?? "string";
    case "integer":
      return "int";
    case "number":
      return "double";
    case "boolean":
      return "bool";
    default:
      return undefined;
  }
}
