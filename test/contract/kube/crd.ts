// CustomResourceDefinitions: what is refused, what their objects go through, and their status.

import { describe } from "vitest";
import type { GetContext } from "../kube-target.ts";
import { crdDefinitionBehaviours } from "./crd-definition.ts";
import { crdObjectBehaviours } from "./crd-objects.ts";
import { crdSchemaBehaviours } from "./crd-schema.ts";

export function crdBehaviours(get: GetContext): void {
  describe("definition", () => crdDefinitionBehaviours(get));
  describe("schema", () => crdSchemaBehaviours(get));
  describe("objects", () => crdObjectBehaviours(get));
}
