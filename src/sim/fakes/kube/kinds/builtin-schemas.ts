// Schemas of built-in kinds, as the real API server publishes them. Definitions refer to each other by name and are
// resolved on first use; recursive ones (JSONSchemaProps) become cyclic graphs, so walk them along a value.

import type { StructuralSchema } from "../schema/structural-schema.ts";
import { definitions, roots } from "./builtin-schemas-data.ts";

/** A schema whose parts may be `$ref` names of other definitions. */
export interface SchemaDefinition extends Omit<StructuralSchema, "properties" | "items" | "additionalProperties"> {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, SchemaDefinition>>;
  readonly items?: SchemaDefinition;
  readonly additionalProperties?: boolean | SchemaDefinition;
}

const resolved = new Map<string, StructuralSchema>();

// Types that decode themselves: stricter, or more patient, than what the server publishes about them.
const exact: Readonly<Record<string, StructuralSchema>> = {
  "io.k8s.apimachinery.pkg.api.resource.Quantity": { "x-kubernetes-int-or-string": true, format: "quantity" },
  "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime": { type: "string", format: "micro-time" },
};

export function builtinSchema(group: string, version: string, kind: string): StructuralSchema {
  const name = roots[group === "" ? `${version}/${kind}` : `${group}/${version}/${kind}`];
  if (name === undefined) throw new Error(`no built-in schema for ${group}/${version} ${kind}`);
  return namedSchema(name);
}

export function hasBuiltinSchema(group: string, version: string, kind: string): boolean {
  return Object.hasOwn(roots, group === "" ? `${version}/${kind}` : `${group}/${version}/${kind}`);
}

/** `metadata` of every kind, custom ones included. */
export function objectMetaSchema(): StructuralSchema {
  return namedSchema("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
}

function namedSchema(name: string): StructuralSchema {
  const known = resolved.get(name);
  if (known !== undefined) return known;
  const definition = exact[name] ?? definitions[name];
  if (definition === undefined) throw new Error(`no definition named ${name}`);
  // Registered before it is filled: a definition may mention itself.
  const schema: StructuralSchema = {};
  resolved.set(name, schema);
  return Object.assign(schema, resolve(definition));
}

function resolve({ $ref, properties, items, additionalProperties, ...rest }: SchemaDefinition): StructuralSchema {
  if ($ref !== undefined) return Object.keys(rest).length === 0 ? namedSchema($ref) : overlay($ref, rest);
  return {
    ...rest,
    ...(properties === undefined ? {} : { properties: resolveFields(properties) }),
    ...(items === undefined ? {} : { items: resolve(items) }),
    ...(typeof additionalProperties === "object"
      ? { additionalProperties: resolve(additionalProperties) }
      : additionalProperties === undefined
        ? {}
        : { additionalProperties }),
  };
}

function resolveFields(fields: Readonly<Record<string, SchemaDefinition>>): Readonly<Record<string, StructuralSchema>> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, resolve(field)]));
}

/** A named schema with keywords of its own beside the reference. No recursive definition has such. */
function overlay(name: string, own: StructuralSchema): StructuralSchema {
  const base = namedSchema(name);
  if (Object.keys(base).length === 0)
    throw new Error(`definition ${name} refers to itself with keywords beside the reference`);
  return { ...base, ...own };
}
