// The CEL of the API server: the language plus its libraries. Rules compile in clones of this.

import { Environment } from "@marcbachmann/cel-js";
import { registerFormats } from "./library-formats.ts";
import { registerLists } from "./library-lists.ts";
import { registerNet } from "./library-net.ts";
import { registerNumbers } from "./library-numbers.ts";
import { registerStrings } from "./library-strings.ts";
import { registerTimes } from "./library-times.ts";
import { registerUrl } from "./library-url.ts";
import { registerMacros } from "./macros.ts";

let base: Environment | undefined;

export function ruleEnvironment(): Environment {
  base ??= createBase();
  return base.clone();
}

function createBase(): Environment {
  const env = new Environment({ enableOptionalTypes: true });
  for (const register of [
    registerMacros,
    registerStrings,
    registerLists,
    registerNet,
    registerUrl,
    registerNumbers,
    registerFormats,
    registerTimes,
  ]) {
    register(env);
  }
  return env;
}
