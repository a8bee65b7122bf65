// mainstay controller: the controller manager, from one configuration file with flags laid over it.

import { Command, Option } from "commander";
import { controllerNames } from "../../controllers/all.ts";
import { type ConfigurationFlags, printConfiguration, readConfiguration } from "../../controllers/configuration.ts";
import { MainstayError } from "../../core/errors.ts";
import { parseGates } from "../../core/feature-gates.ts";
import type { CliPorts, ConnectOptions } from "../cli-ports.ts";
import { addConnectionOptions } from "../connection-options.ts";

interface ControllerFlags extends ConnectOptions {
  readonly config?: string;
  readonly printConfig?: boolean;
  readonly namespace?: string;
  readonly watchFilter?: string;
  readonly featureGates?: string;
  readonly guard?: readonly string[];
  readonly healthBind?: string;
  readonly healthPort?: string;
  readonly logLevel?: string;
  readonly leaderElection: boolean;
}

export function controllerCommand(ports: CliPorts): Command {
  const collect = (value: string, before: readonly string[] = []) => [...before, value];
  return addConnectionOptions(new Command("controller"))
    .summary("run the controller manager")
    .option("--config <file>", "configuration file; flags win over it")
    .option("--print-config", "print the configuration in effect and end")
    .option("--namespace <name>", "look after this namespace only")
    .option("--watch-filter <value>", "look after objects labelled cluster.x-k8s.io/watch-filter with this value only")
    .option("--feature-gates <list>", "such as MutableTopology=true")
    .addOption(
      new Option("--guard <name>", "dry-run, no-deletes or max-removals=N; may be repeated").argParser(collect),
    )
    .option("--health-bind <address>", "where to serve /healthz, /readyz and /metrics")
    .option("--health-port <number>", "port for them")
    .option("--log-level <level>", "debug, info, warn or error")
    .option("--no-leader-election", "run alone, without a lease")
    .action(async (flags: ControllerFlags) => {
      const text = flags.config === undefined ? undefined : await ports.files.readText(flags.config);
      const { configuration, warnings } = readConfiguration({
        ...(text === undefined ? {} : { text }),
        ...(flags.config === undefined ? {} : { path: flags.config }),
        flags: overrides(flags),
        controllers: controllerNames,
      });
      for (const warning of warnings) ports.terminal.err(`warning: ${warning}`);
      if (flags.printConfig === true) ports.terminal.out(printConfiguration(configuration).trimEnd());
      else await ports.runController(configuration, ports.version);
    });
}

/** In the file's own words; what a flag does not say is absent. */
function overrides(flags: ControllerFlags): ConfigurationFlags {
  const { kubeconfig, context, namespace, watchFilter, guard, healthBind, healthPort, logLevel } = flags;
  const health = defined({ bind: healthBind, port: healthPort === undefined ? undefined : asNumber(healthPort) });
  return defined({
    kubeconfig,
    context,
    namespace,
    watchFilter,
    guards: guard,
    featureGates: flags.featureGates === undefined ? undefined : gatesIn(flags.featureGates),
    health: Object.keys(health).length === 0 ? undefined : health,
    log: logLevel === undefined ? undefined : { level: logLevel },
    leaderElection: flags.leaderElection ? undefined : { enabled: false },
  });
}

function gatesIn(text: string): Readonly<Record<string, boolean>> {
  const { values, problems } = parseGates(text);
  if (problems.length === 0) return values;
  throw new MainstayError({
    reason: "ConfigurationInvalid",
    message: `--feature-gates: ${problems.join("; ")}`,
    hint: "Write Name=true, with commas between several.",
  });
}

/** Left as text when it is no number, so that the configuration's own check names it. */
function asNumber(text: string): number | string {
  return /^\d+$/.test(text) ? Number(text) : text;
}

function defined(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
