// mainstay status, explain and plan: the health of objects, its reasons, and what would be done now.

import { Command } from "commander";
import type { CliPorts } from "../cli-ports.ts";
import { addConnectionOptions } from "../connection-options.ts";
import { guardOption } from "../guard-option.ts";
import { addExamples, addExitCodes } from "../help-text.ts";
import { invalid } from "../invalid-input.ts";
import type { Ending } from "../job-commands.ts";
import { outputFormats, outputOption } from "../output-option.ts";
import type { ExplainFlags } from "../status/explain.ts";
import type { PlanFlags } from "../status/plan.ts";
import { defaultTimeout, type StatusFlags, statusFormats } from "../status/status-flags.ts";
import { whenCalled } from "../when-called.ts";

const loadStatus = whenCalled(() => import("../status/status.ts"));
const loadExplain = whenCalled(() => import("../status/explain.ts"));
const loadPlan = whenCalled(() => import("../status/plan.ts"));

const config = "configuration file of the controller manager, for the controllers and guards it has";
const configInstead = `${config} (default: that of the manager that leads, where its Lease can be read)`;

export function statusCommand(ports: CliPorts, ending: Ending): Command {
  const command = addConnectionOptions(new Command("status"))
    .summary("show every object Mainstay manages, with its conditions in words")
    .description(
      "Shows the health of every object that Mainstay manages, or of those you name. It reads, and changes nothing.",
    )
    .argument(
      "[object]",
      "a name, <kind>, <kind>/<name>, <namespace>/<name> or <kind>/<namespace>/<name>; the kind as kubectl takes it",
    )
    .option("-n, --namespace <name>", "objects of this namespace only")
    .option("-A, --all-namespaces", "objects of all namespaces, which is the default")
    .addOption(outputOption(statusFormats))
    .option("-w, --watch", "print it again whenever something has changed, until interrupted")
    .option("--wait", "wait until all of them are healthy, then print it")
    .option("--timeout <duration>", `with --wait: how long, such as 90s or 1h30m (default: ${defaultTimeout})`)
    .option("--check", "exit with 1 when one of them is not healthy")
    .option("--config <file>", config)
    .action(async (object: string | undefined, flags: StatusFlags) => {
      const { status } = await loadStatus();
      ending.code = await status(object, flags, ports);
    });
  addExamples(
    command,
    ["mainstay status", "every object, a line for each"],
    ["mainstay status blue -o wide", "all objects named blue, a line for each condition"],
    ["mainstay status -n clusters --check", "for a script: exit code 1 when one in the namespace is not healthy"],
    ["mainstay status osc/clusters/blue --wait --timeout 15m", "after a change: until it has been made"],
  );
  return addExitCodes(command, {
    0: "done; with --check or --wait: all are healthy",
    1: "with --check: one is not healthy; with --wait: the time is over",
    3: "the cluster does not answer, or what is asked for may not be listed",
    5: "no object has the name, or there is no such namespace",
  });
}

export function explainCommand(ports: CliPorts, ending: Ending): Command {
  const command = about("explain")
    .summary("explain an object: what it is, its health, what it waits for or is refused, and why")
    .description(
      "Explains one object: what it is, its health, each condition in words, what Mainstay would do now, the last events, and what each reason means.",
    )
    .action(async (kind: string, name: string | undefined, flags: ExplainFlags) => {
      const { explainObject } = await loadExplain();
      ending.code = await explainObject(named(kind, name), flags, ports);
    });
  return addExamples(
    command,
    ["mainstay explain osc/clusters/blue", "the OpenStackCluster blue in the namespace clusters"],
    ["mainstay explain osc blue -n clusters", "the same, as kubectl takes it"],
    ["mainstay explain infrastructure/cluster -o json", "for programs"],
  );
}

export function planCommand(ports: CliPorts, ending: Ending): Command {
  const command = about("plan")
    .summary("print what would be done for an object now, without doing it")
    .description(
      "Prints what the controllers would do for an object now, what they wait for and what they refuse, with the rights of your user. It changes nothing.",
    )
    .addOption(guardOption())
    .action(async (kind: string, name: string | undefined, flags: PlanFlags) => {
      const { plan } = await loadPlan();
      ending.code = await plan(named(kind, name), flags, ports);
    });
  addExamples(
    command,
    ["mainstay plan osc/clusters/blue", "as the manager that leads would"],
    ["mainstay plan osc/clusters/blue --config mainstay.yaml", "as a manager with this configuration would"],
    ["mainstay plan osc/clusters/blue --guard no-deletes --guard max-removals=1", "with two guards"],
  );
  return addExitCodes(command, {
    0: "done",
    3: "something that the plan needs may not be read",
    5: "no object has the name",
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
    .option("--config <file>", configInstead)
    .addOption(outputOption(outputFormats));
}
