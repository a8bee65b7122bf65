// The small differences between JSON on the wire and our objects.

import { z } from "zod";

/** Null or left out: empty. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

/** A field that is there only when the wire had a value. */
export function absent<K extends string, V>(name: K, value: V | null | undefined): { readonly [key in K]?: V } {
  // TypeScript takes a computed key for any string.
  return value === null || value === undefined || value === "" ? {} : ({ [name]: value } as { [key in K]: V });
}

/** The object below its key, as services wrap it: `{"loadbalancer": {…}}`. */
export function wrapped<T>(key: string, schema: z.ZodType<T>): z.ZodType<T> {
  return z.object({ [key]: schema }).transform((body, context): T => {
    const [value] = Object.values(body);
    if (value !== undefined) return value;
    context.addIssue({ code: "custom", message: `it holds no ${key}` });
    return z.NEVER;
  });
}
