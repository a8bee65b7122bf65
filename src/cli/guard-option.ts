// --guard, the same in every command that plans.

import { Option } from "commander";
import { suggest } from "./completion/completable-commands.ts";
import { repeatable } from "./repeated-options.ts";

export function guardOption(): Option {
  const option = new Option("--guard <name>", "dry-run, no-deletes or max-removals=N; may be repeated");
  return suggest(repeatable(option), () => ["dry-run", "no-deletes", "max-removals=1"]);
}
