// mainstay controller: the controller manager, with a configuration file and flags that override it.

import { Command, Option } from "commander";
import { MainstayError } from "../../core/errors.ts";
import { parseGates } from "../../core/feature-gates.ts";
import { present } from "../../core/present.ts";
import type { CliPorts, ConnectOptions } from "../cli-ports.ts";
import { suggest } from "../completion/completable-commands.ts";
import type { ConfigurationFlag } from "../configuration/configuration.ts";
import { addConnectionOptions } from "../connection-options.ts";
import { guardOption } from "../guard-option.ts";
import { addExamples } from "../help-text.ts";
import { whenCalled } from "../when-called.ts";

const loadConfiguration = whenCalled(() => import("../configuration/configuration.ts"));

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
  const command = addConnectionOptions(new Command("controller"))
    .summary("run the controller manager")
    .description("Runs the controller manager until it is stopped. Flags win over the configuration file.")
    .option("--config <file>", "configuration file; flags win over it")
    .option("--print-config", "print the configuration in effect and end")
    .option("--namespace <name>", "manage this namespace only")
    .option("--watch-filter <value>", "manage only objects labelled cluster.x-k8s.io/watch-filter with this value")
    .option("--feature-gates <list>", "such as MutableTopology=true")
    .addOption(guardOption())
    .option("--health-bind <address>", "where to serve /healthz, /readyz and /metrics")
    .option("--health-port <number>", "port for them")
    .addOption(
      suggest(new Option("--log-level <level>", "debug, info, warn or error"), () => [
        "debug",
        "info",
        "warn",
        "error",
      ]),
    )
    .option("--no-leader-election", "run alone, without a lease")
    .action(async (flags: ControllerFlags) => {
      const { printConfiguration, readConfiguration } = await loadConfiguration();
      const { jobs } = await ports.product();
      const text = flags.config === undefined ? undefined : await ports.files.readText(flags.config);
      const { configuration, warnings } = readConfiguration({
        ...present({ text }),
        ...(flags.config === undefined ? {} : { path: flags.config }),
        flags: overrides(flags),
        jobs,
      });
      for (const warning of warnings) ports.terminal.err(`warning: ${warning}`);
      if (flags.printConfig === true) ports.terminal.out(printConfiguration(configuration).trimEnd());
      else await ports.runController(configuration, ports.version);
    });
  return addExamples(
    command,
    ["mainstay controller --config mainstay.yaml", "as the Deployment runs it"],
    ["mainstay controller --config mainstay.yaml --print-config", "what is in effect, without running it"],
    ["mainstay controller --guard dry-run --no-leader-election", "from a laptop: plans everything, changes nothing"],
  );
}

/** Each flag that was given, with its place in the file. */
function overrides(flags: ControllerFlags): readonly ConfigurationFlag[] {
  const { kubeconfig, context, namespace, watchFilter, guard, healthBind, healthPort, logLevel } = flags;
  const said: readonly ConfigurationFlag[] = [
    { flag: "--kubeconfig", path: ["kubeconfig"], value: kubeconfig },
    { flag: "--context", path: ["context"], value: context },
    { flag: "--namespace", path: ["namespace"], value: namespace },
    { flag: "--watch-filter", path: ["watchFilter"], value: watchFilter },
    { flag: "--guard", path: ["guards"], value: guard },
    { flag: "--health-bind", path: ["health", "bind"], value: healthBind },
    { flag: "--health-port", path: ["health", "port"], value: asNumber(healthPort) },
    { flag: "--log-level", path: ["log", "level"], value: logLevel },
    {
      flag: "--no-leader-election",
      path: ["leaderElection", "enabled"],
      value: flags.leaderElection ? undefined : false,
    },
    // Gate by gate: a flag does not change the gates that only the file sets.
    ...Object.entries(gatesIn(flags.featureGates ?? "")).map(([gate, value]) => {
      return { flag: "--feature-gates", path: ["featureGates", gate], value };
    }),
  ];
  return said.filter(({ value }) => value !== undefined);
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
function asNumber(text: string | undefined): number | string | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : text;
}
