// Functions such as `sets.contains(a, b)`: methods of a value that stands for their library.

import type { Environment } from "@marcbachmann/cel-js";

/** Each namespace has a class of its own, by which the evaluator finds its functions. */
export function registerNamespace(env: Environment, name: string, typeName: string): void {
  class Namespace {
    readonly name = name;
  }
  env.registerType(typeName, Namespace);
  env.registerConstant(name, typeName, new Namespace());
}
