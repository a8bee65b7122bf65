// An option with a single value may be given once: with two values it is unclear which one counts.

import type { Command, Option } from "commander";

const repeatables = new WeakSet<Option>();

/** An option that collects a list. */
export function repeatable(option: Option): Option {
  repeatables.add(option);
  return option.argParser((value: string, before: readonly string[] | undefined) => [...(before ?? []), value]);
}

/** Switches may be repeated: that changes nothing. */
export function refuseRepeated(command: Command): void {
  for (const option of command.options) {
    if (repeatables.has(option) || !option.required) continue;
    let given = false;
    command.on(`option:${option.name()}`, () => {
      if (given) command.error(`error: option '${option.flags}' is given more than once`);
      given = true;
    });
  }
}
