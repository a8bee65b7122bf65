// Bodies as the services take them: exactly the known fields, below one key. Everything else is a 400.

import { z } from "zod";
import { refuse } from "../cloud-fault.ts";

/** The object below its key, as in `{"listener": {…}}`. */
export function decodeBody<T>(body: unknown, key: string, schema: z.ZodType<T>): T {
  const decoded = z.strictObject({ [key]: schema }).safeParse(body);
  if (!decoded.success) {
    const [issue] = decoded.error.issues;
    return refuse(400, `Invalid input for field/attribute ${issue?.path.join(".") ?? key}: ${issue?.message ?? ""}`);
  }
  return decoded.data[key] as T;
}
