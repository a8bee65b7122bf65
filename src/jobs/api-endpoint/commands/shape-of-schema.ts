// What a definition's schema says about the types of fields, and which must be there: enough for code to read an object that no API server
// has checked. Limits, patterns and rules are validation's, which says them in words; fields that the schema does not know stay.

import { z } from "zod";
import type { CrdSchema } from "../../../apis/kube/crd.ts";

export function shapeOf(schema: CrdSchema): z.ZodType {
  const { type, items, properties, required } = schema as Partial<Keywords>;
  switch (type) {
    case "object":
      return z.looseObject(shapesOf(properties ?? {}, required ?? []));
    case "array":
      return z.array(items === undefined ? z.unknown() : shapeOf(items));
    case "string":
      return z.string();
    case "integer":
    case "number":
      return z.number();
    case "boolean":
      return z.boolean();
    default:
      return z.unknown();
  }
}

/** Of OpenAPI, as far as they say what an object looks like. */
interface Keywords {
  readonly type: string;
  readonly items: CrdSchema;
  readonly properties: Readonly<Record<string, CrdSchema>>;
  readonly required: readonly string[];
}

function shapesOf(properties: Keywords["properties"], required: readonly string[]): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const shape = shapeOf(schema);
      return [name, required.includes(name) ? shape : shape.optional()];
    }),
  );
}
