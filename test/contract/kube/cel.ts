// Rules in schemas: what compiles, what they accept, how they refuse, and what they see of the past.

import { describe } from "vitest";
import type { GetContext } from "../kube-target.ts";
import { compileBehaviours } from "./cel-compile.ts";
import { evaluateBehaviours } from "./cel-evaluate.ts";
import { messageBehaviours } from "./cel-messages.ts";
import { transitionBehaviours } from "./cel-transitions.ts";

export function celBehaviours(get: GetContext): void {
  describe("compiling", () => compileBehaviours(get));
  describe("evaluating", () => evaluateBehaviours(get));
  describe("refusing", () => messageBehaviours(get));
  describe("transitions", () => transitionBehaviours(get));
}
