// Objects and lists that a schema was asked about and left as they are. Values never change and most of an object stays when it is
// written, so that most of the next write is settled already.

import type { Json } from "../json.ts";
import type { StructuralSchema } from "./structural-schema.ts";

export interface SettledValues {
  has(schema: StructuralSchema, value: Json): boolean;
  add(schema: StructuralSchema, value: Json): void;
}

export function settledValues(): SettledValues {
  const bySchema = new WeakMap<StructuralSchema, WeakSet<object>>();
  return {
    has: (schema, value) => typeof value === "object" && value !== null && bySchema.get(schema)?.has(value) === true,
    add: (schema, value) => {
      if (typeof value !== "object" || value === null) return;
      const settled = bySchema.get(schema);
      if (settled === undefined) bySchema.set(schema, new WeakSet([value]));
      else settled.add(value);
    },
  };
}
