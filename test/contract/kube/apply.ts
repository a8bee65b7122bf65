// Server-side apply: ownership, conflicts, removal, lists and maps.

import { describe } from "vitest";
import type { GetContext } from "../kube-target.ts";
import { conflictBehaviours } from "./apply-conflicts.ts";
import { listBehaviours } from "./apply-lists.ts";
import { ownershipBehaviours } from "./apply-ownership.ts";
import { updateTrackingBehaviours } from "./apply-updates.ts";

export function applyBehaviours(get: GetContext): void {
  describe("ownership", () => ownershipBehaviours(get));
  describe("conflicts", () => conflictBehaviours(get));
  describe("lists and maps", () => listBehaviours(get));
  describe("beside updates", () => updateTrackingBehaviours(get));
}
