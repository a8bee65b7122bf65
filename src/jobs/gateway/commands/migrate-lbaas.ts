// `mainstay migrate lbaas`: reads the file, asks whom it may, and prints the pool, what was found and every step.

import type { CliPorts, ConnectOptions } from "../../../cli/cli-ports.ts";
import { withConnection } from "../../../cli/connection-options.ts";
import { exitCodes } from "../../../cli/exit-codes.ts";
import { InvalidInput, orInvalid } from "../../../cli/invalid-input.ts";
import type { OutputFormat } from "../../../cli/output-option.ts";
import { printAs, toYaml } from "../../../cli/print.ts";
import { withProgress } from "../../../cli/progress.ts";
import type { GatewayPool } from "../apis/gateway-pool.ts";
import { checkLbaas, type SwitchFinding, type SwitchWorld } from "../core/migration/check-lbaas.ts";
import { type LbaasControllerConfig, readLbaasControllerConfig } from "../core/migration/lbaas-controller-config.ts";
import { configNotes, poolOfLbaas } from "../core/migration/pool-of-lbaas.ts";
import { type SwitchStep, type SwitchSteps, switchSteps } from "../core/migration/switch-steps.ts";
import { askLbaasAgents, readLbaasPorts, readLbaasServices } from "./read-lbaas.ts";

export interface MigrateLbaasFlags extends ConnectOptions {
  readonly config: string;
  readonly name: string;
  readonly secretsNamespace: string;
  readonly virtualRouterId: number;
  readonly sourceAddress?: readonly string[];
  readonly offline?: boolean;
  readonly clouds?: boolean;
  readonly agents?: boolean;
  readonly output: OutputFormat;
}

interface Answer {
  readonly answer: "can" | "cannot" | "unknown";
  readonly findings: readonly SwitchFinding[];
  readonly pool: GatewayPool;
  readonly steps: SwitchSteps;
}

export async function migrateLbaas(flags: MigrateLbaasFlags, ports: CliPorts): Promise<number> {
  const config = await readConfig(flags.config, ports);
  const pool = poolOfLbaas(config, {
    name: flags.name,
    namespace: flags.secretsNamespace,
    virtualRouterId: flags.virtualRouterId,
    sourceAddresses: flags.sourceAddress ?? [],
  });
  const world =
    flags.offline === true ? {} : await withProgress("looking", ports, lookAround(config, pool, flags, ports));
  const findings = checkLbaas(pool, configNotes(config), world);
  const file = flags.config === "-" ? "the configuration" : flags.config;
  const found: Answer = {
    answer: answerOf(findings),
    findings,
    pool,
    steps: switchSteps(pool, { namespace: flags.secretsNamespace, file }),
  };
  printAs(flags.output, found, () => text(found), ports.terminal);
  return { can: exitCodes.ok, cannot: exitCodes.refused, unknown: exitCodes.cluster }[found.answer];
}

async function readConfig(path: string, { files, terminal, parseToml }: CliPorts): Promise<LbaasControllerConfig> {
  const source = path === "-" ? await terminal.readInput() : await files.readText(path);
  const { value } = orInvalid(`file ${path}`, await parseToml(source, path));
  const read = readLbaasControllerConfig(value);
  if (read.ok) return read.config;
  const hint = "ch-k8s-lbaas would not start with it, or not work.";
  throw new InvalidInput(
    `file ${path} cannot be used`,
    read.problems.map((problem) => ({ ...problem, hint })),
  );
}

async function lookAround(
  config: LbaasControllerConfig,
  pool: GatewayPool,
  flags: MigrateLbaasFlags,
  ports: CliPorts,
): Promise<SwitchWorld> {
  return await withConnection(ports, flags, async ({ kube }) => {
    const { services, pools } = await readLbaasServices(kube);
    const isCloud = config["port-manager"] === "openstack";
    const [found, agents] = await Promise.all([
      flags.clouds === true && isCloud ? readLbaasPorts(config, pool, services, ports) : undefined,
      flags.agents === true ? askLbaasAgents(config, pool, ports) : undefined,
    ]);
    return {
      services,
      pools,
      ...(found === undefined ? {} : { ports: found }),
      ...(agents === undefined ? {} : { agents }),
    };
  });
}

function answerOf(findings: readonly SwitchFinding[]): Answer["answer"] {
  if (findings.some(({ result }) => result === "no")) return "cannot";
  return findings.some(({ result }) => result === "unknown") ? "unknown" : "can";
}

const marks: Readonly<Record<SwitchFinding["result"], string>> = {
  ok: "ok  ",
  note: "note",
  no: "NO  ",
  unknown: "?   ",
};
const answers: Readonly<Record<Answer["answer"], string>> = {
  can: "It can be switched to Mainstay.",
  cannot: "It cannot be switched to Mainstay yet: correct what is marked NO.",
  unknown: "Nobody can tell whether it can be switched: something could not be asked.",
};

function text({ answer, findings, pool, steps }: Answer): string {
  return [
    answers[answer],
    "",
    ...findings.flatMap(({ check, result, says, fix }) => [
      `${marks[result]}  ${check}: ${says}`,
      ...(fix === undefined ? [] : [`      fix: ${fix}`]),
    ]),
    "",
    "The switch:",
    ...stepLines(steps.forth),
    "",
    "The way back:",
    ...stepLines(steps.back),
    "",
    "The pool:",
    "",
    toYaml(pool).trimEnd(),
  ].join("\n");
}

function stepLines(steps: readonly SwitchStep[]): readonly string[] {
  return steps.flatMap(({ does, commands }, index) => [
    `${String(index + 1).padStart(3)}. ${does}.`,
    ...commands.map((command) => `       ${command}`),
  ]);
}
