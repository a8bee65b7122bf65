// What our definitions limit in a status: the engine cuts what it writes there, and knows of nothing else.

import { expect, test } from "vitest";
import { isRecord } from "../apis/text/problem.ts";
import { definitionsOf } from "../core/job/declaration.ts";
import { allJobs } from "./all.ts";

test("no other text in a status of ours has a limit", () => {
  const limited = definitionsOf(allJobs).flatMap((definition) => limitsIn(definition, []));
  expect(limited.length).toBeGreaterThan(0);
  // A failure domain bears the name of a zone, which no cloud makes longer than 255 characters.
  const known = /\.conditions\..*\b(type|reason|message|severity)$|\.failureDomains\.items\.properties\.name$/;
  for (const path of limited) expect(path.join(".")).toMatch(known);
});

/** Paths of texts under `status` that may not be longer than something. */
function limitsIn(schema: unknown, path: readonly string[]): readonly (readonly string[])[] {
  if (Array.isArray(schema)) return schema.flatMap((one, index) => limitsIn(one, [...path, String(index)]));
  if (!isRecord(schema)) return [];
  const own = typeof schema["maxLength"] === "number" && path.includes("status") ? [path] : [];
  return [...own, ...Object.entries(schema).flatMap(([name, inner]) => limitsIn(inner, [...path, name]))];
}
