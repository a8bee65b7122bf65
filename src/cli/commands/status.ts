// mainstay status, explain and plan: the health of objects, its reasons, and what would be done now.

import { Command, Option } from "commander";
import type { CliPorts } from "../cli-ports.ts";
import { addConnectionOptions } from "../connection-options.ts";
import { invalid } from "../invalid-input.ts";
import type { Ending } from "../job-commands.ts";
import { outputOption } from "../output-option.ts";
import { outputFormats } from "../print.ts";
import { repeatable } from "../repeated-options.ts";
import { type ExplainFlags, explainObject } from "../status/explain.ts";
import { type PlanFlags, plan } from "../status/plan.ts";
import { type StatusFlags, status, statusFormats } from "../status/status.ts";

const config = "configuration file of the controller manager, for the controllers and guards it has";

export function statusCommand(ports: CliPorts, ending: Ending): Command {
  return addConnectionOptions(new Command("status"))
    .summary("show every object Mainstay manages, with its conditions in words")
    .addOption(outputOption(statusFormats))
    .option("-w, --watch", "print it again whenever something has changed, until interrupted")
    .option("--config <file>", config)
    .action(async (flags: StatusFlags) => {
      ending.code = await status(flags, ports);
    });
}

export function explainCommand(ports: CliPorts, ending: Ending): Command {
  return about("explain")
    .summary("explain an object: what it is, its health, what it waits for or is refused, and why")
    .action(async (kind: string, name: string | undefined, flags: ExplainFlags) => {
      ending.code = await explainObject(named(kind, name), flags, ports);
    });
}

export function planCommand(ports: CliPorts, ending: Ending): Command {
  return about("plan")
    .summary("print what would be done for an object now, without doing it")
    .addOption(repeatable(new Option("--guard <name>", "dry-run, no-deletes or max-removals=N; may be repeated")))
    .action(async (kind: string, name: string | undefined, flags: PlanFlags) => {
      ending.code = await plan(named(kind, name), flags, ports);
    });
}

/** `osc blue`, as kubectl takes it, is `osc/blue`. */
function named(kind: string, name: string | undefined): string {
  if (name === undefined) return kind;
  if (kind.includes("/"))
    throw invalid("<object>", `"${name}" after ${kind} is one argument too many`, "Name one object.");
  return `${kind}/${name}`;
}

function about(name: string): Command {
  return addConnectionOptions(new Command(name))
    .argument("<object>", "such as infrastructure/cluster or osc/<namespace>/<name>; the kind as kubectl takes it")
    .argument("[name]", "where the first word is the kind alone, as in osc blue")
    .option("-n, --namespace <name>", "namespace of the object")
    .option("--config <file>", config)
    .addOption(outputOption(outputFormats));
}
