// What a client of any API server sees: reading, writing, watching, refusals. The driver and the fakes both rest on it.

import { describe } from "vitest";
import type { GetContext } from "../kube-target.ts";
import { accessBehaviours } from "./client-access.ts";
import { readingBehaviours } from "./client-reading.ts";
import { watchingBehaviours } from "./client-watching.ts";
import { writingBehaviours } from "./client-writing.ts";

export function clientBehaviours(get: GetContext): void {
  describe("reading", () => readingBehaviours(get));
  describe("writing", () => writingBehaviours(get));
  describe("watching", () => watchingBehaviours(get));
  describe("access and raw requests", () => accessBehaviours(get));
}
