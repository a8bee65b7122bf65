// mainstay doctor: checks everything that can keep Mainstay from working, and says how to fix it. It changes nothing.

import type { ObjectRef } from "../../apis/kube/kube-object.ts";
import { MainstayError } from "../../core/errors.ts";
import { definitionsOf } from "../../core/job/declaration.ts";
import type { Permission } from "../../core/job/permission.ts";
import { present } from "../../core/present.ts";
import { leaseNameFor } from "../../engine/lease/lease-name.ts";
import type { CliPorts, Connection, ConnectOptions } from "../cli-ports.ts";
import { type Configuration, checkConfiguration } from "../configuration/configuration.ts";
import { enabledFeatures } from "../configuration/enabled-features.ts";
import { dashboardPermissions, managerPermissions, permissionsOf } from "../configuration/permissions.ts";
import { runningConfiguration, runningWords } from "../configuration/running-configuration.ts";
import { exitCodes } from "../exit-codes.ts";
import { invalid } from "../invalid-input.ts";
import type { JobCheck } from "../job-commands.ts";
import type { OutputFormat } from "../output-option.ts";
import { printAs } from "../print.ts";
import { exitCodeOf } from "../print-error.ts";
import { withProgress } from "../progress.ts";
import { checkDefinitions } from "./check-definitions.ts";
import { checkLease } from "./check-lease.ts";
import { type Account, checkAccount, checkPermissions } from "./check-permissions.ts";
import { checkServer } from "./check-server.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

export interface DoctorFlags extends ConnectOptions {
  readonly output: OutputFormat;
  readonly config?: string;
  readonly account?: string;
  /** Also try the credentials of every object. */
  readonly clouds?: boolean;
  /** Also ask the agents of gateways. */
  readonly agents?: boolean;
}

export async function doctor(flags: DoctorFlags, ports: CliPorts): Promise<number> {
  const account = accountOf(flags.account);
  const { findings, ending } = await withProgress("looking", ports, examine(flags, account, ports));
  printAs(flags.output, findings, () => text(findings), ports.terminal);
  const failed = findings.filter(({ result }) => result === "fail");
  if (failed.length === 0) return exitCodes.ok;
  if (ending !== undefined) return ending;
  const cutOff = failed.some(({ check }) => ["reachability", "identity"].includes(check));
  return cutOff ? exitCodes.cluster : exitCodes.refused;
}

interface Examined {
  readonly findings: readonly Finding[];
  /** There is no connection: it ends as every other command does then. */
  readonly ending?: number;
}

async function examine(flags: DoctorFlags, account: Account | undefined, ports: CliPorts): Promise<Examined> {
  const given = await examineConfiguration(flags.config, ports);
  const { kubeconfig = given.configuration.kubeconfig, context = given.configuration.context } = flags;
  const connection = await ports
    .connect({
      ...present({ kubeconfig, context }),
    })
    .catch((error: unknown) => {
      if (error instanceof MainstayError) return error;
      throw error;
    });
  if (connection instanceof MainstayError)
    return {
      findings: [...given.findings, fail("connection", connection.message, connection.hint ?? "Check the kubeconfig.")],
      ending: exitCodeOf(connection),
    };
  try {
    const server = await checkServer(connection.kube, ports.clock);
    if (server.some(({ result }) => result === "fail")) return { findings: [...given.findings, ...server] };
    const configured = flags.config === undefined ? await asRunning(given, connection, ports) : given;
    const cluster = await examineCluster(
      connection,
      configured,
      { account, clouds: flags.clouds ?? false, agents: flags.agents ?? false },
      ports,
    );
    return { findings: [...configured.findings, ...server, ...cluster] };
  } finally {
    await connection.close();
  }
}

interface Configured {
  readonly findings: readonly Finding[];
  readonly configuration: Configuration;
  /** Of the manager that it is read from, which says only what decides about objects: not whether it serves the dashboard. */
  readonly lease?: ObjectRef;
}

/** As the manager of the whole cluster has it, where that can be found: what `explain` and `plan` go by. */
async function asRunning(given: Configured, { kube }: Connection, { clock, product }: CliPorts): Promise<Configured> {
  const { jobs } = await product();
  const found = await runningConfiguration({ kube, clock, jobs }, {});
  const check = "configuration";
  if ("configuration" in found)
    return {
      findings: [ok(check, runningWords(found))],
      configuration: found.configuration,
      lease: found.lease,
    };
  if (found.unreadable === undefined) return given;
  const says = `the running manager's is not known: ${found.unreadable}; the defaults are checked`;
  return { ...given, findings: [warn(check, says, "Name its file with --config.")] };
}

/** When the file cannot be used, the other checks use the default configuration. */
async function examineConfiguration(
  path: string | undefined,
  { files, product, shipped }: CliPorts,
): Promise<Configured> {
  const { jobs } = await product();
  const text = path === undefined ? undefined : await files.readText(path);
  const given = { jobs, ...(path === undefined || text === undefined ? {} : { path, text }) };
  const checked = checkConfiguration(given);
  const check = "configuration";
  if ("configuration" in checked) {
    const says =
      path === undefined ? "no file given and no manager found; the defaults are checked" : `${path} can be used`;
    const warnings = checked.warnings.map((line) =>
      warn(check, line, `See ${shipped("docs/reference/feature-gates.md")}.`),
    );
    return { findings: [ok(check, says), ...warnings], configuration: checked.configuration };
  }
  const defaults = checkConfiguration({ jobs });
  if (!("configuration" in defaults)) throw new Error("the defaults are a valid configuration");
  const fix = `Correct it; ${shipped("docs/reference/configuration.md")} lists every setting.`;
  return { findings: checked.problems.map((line) => fail(check, line, fix)), configuration: defaults.configuration };
}

async function examineCluster(
  { kube }: Connection,
  { configuration, lease: running }: Configured,
  {
    account,
    clouds,
    agents,
  }: { readonly account: Account | undefined; readonly clouds: boolean; readonly agents: boolean },
  ports: CliPorts,
): Promise<readonly Finding[]> {
  const { clock } = ports;
  const { jobs, features } = await ports.product();
  const { leaderElection, namespace, watchFilter } = configuration;
  const scope = {
    ...present({ namespace, watchFilter }),
  };
  const named = { namespace: leaderElection.namespace, name: leaderElection.name ?? leaseNameFor(scope) };
  const lease = running ?? named;
  const { shipped } = ports;
  const known = account === undefined ? [] : await checkAccount(kube, account, shipped("deploy/rbac/manager.yaml"));
  const check = (part: string, file: string, wanted: readonly Permission[]) =>
    checkPermissions(kube, { part, role: shipped(`deploy/rbac/${file}.yaml`), ...present({ account }) }, wanted);
  const rights = await Promise.all([
    check("manager", "manager", managerPermissions(lease)),
    ...enabledFeatures(configuration, features, ports).map((feature) =>
      check(feature.name, `${feature.name}-controller`, permissionsOf(feature, jobs, scope)),
    ),
    configuration.dashboard.enabled
      ? check("dashboard", "dashboard", dashboardPermissions)
      : [ok("permissions of dashboard", running === undefined ? dashboardOff : dashboardUnsaid)],
  ]);
  return [
    ...(await checkDefinitions(kube, definitionsOf(jobs))),
    ...known,
    ...rights.flat(),
    leaderElection.enabled
      ? await checkLease(kube, clock, lease)
      : ok("leader", "leader election is off: one manager runs alone"),
    ...(await checkJobs(
      {
        kube,
        configuration,
        shipped,
        ...(clouds ? { openStack: ports.openStack } : {}),
        ...(agents ? { agents: ports } : {}),
      },
      ports,
    )),
  ];
}

const dashboardOff = "none are needed: it is off in this configuration";
const dashboardUnsaid = "not checked: only the manager's file says whether it is on; name it with --config";

async function checkJobs(check: JobCheck, { commands }: CliPorts): Promise<readonly Finding[]> {
  const checks = commands.flatMap((job) => job.checks);
  return (await Promise.all(checks.map((one) => one(check)))).flat();
}

function accountOf(text: string | undefined): Account | undefined {
  if (text === undefined) return undefined;
  const [namespace, name, ...more] = text.split("/");
  if (namespace === undefined || name === undefined || namespace === "" || name === "" || more.length > 0)
    throw invalid("--account", `"${text}" is not a service account`, "Write namespace/name.");
  return { namespace, name };
}

const marks: Readonly<Record<Finding["result"], string>> = { ok: "ok  ", warn: "warn", fail: "FAIL" };

function text(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ check, result, says, fix }) => [
    `${marks[result]}  ${check}: ${says}`,
    ...(fix === undefined ? [] : [`      to fix it: ${fix}`]),
  ]);
  const count = (wanted: Finding["result"]): number => findings.filter(({ result }) => result === wanted).length;
  return [...lines, "", `${count("ok")} ok, ${count("warn")} with a warning, ${count("fail")} failed.`].join("\n");
}
