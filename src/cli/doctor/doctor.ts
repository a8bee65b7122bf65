// mainstay doctor: checks everything that can keep Mainstay from working, and says how to fix it. It changes nothing.

import { MainstayError } from "../../core/errors.ts";
import { definitionsOf } from "../../core/job/declaration.ts";
import type { Permission } from "../../core/job/permission.ts";
import { present } from "../../core/present.ts";
import { leaseNameFor } from "../../engine/lease/lease-name.ts";
import type { CliPorts, Connection, ConnectOptions } from "../cli-ports.ts";
import { type Configuration, checkConfiguration } from "../configuration/configuration.ts";
import { enabledFeatures } from "../configuration/enabled-features.ts";
import { dashboardPermissions, managerPermissions, permissionsOf } from "../configuration/permissions.ts";
import { exitCodes } from "../exit-codes.ts";
import { invalid } from "../invalid-input.ts";
import type { JobCheck } from "../job-commands.ts";
import { type OutputFormat, printAs } from "../print.ts";
import type { Product } from "../product.ts";
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
}

export async function doctor(flags: DoctorFlags, ports: CliPorts): Promise<number> {
  const account = accountOf(flags.account);
  const findings = await withProgress("looking", ports, examine(flags, account, ports));
  printAs(flags.output, findings, () => text(findings), ports.terminal);
  const failed = findings.filter(({ result }) => result === "fail");
  if (failed.length === 0) return exitCodes.ok;
  const cutOff = failed.some(({ check }) => ["connection", "reachability", "identity"].includes(check));
  return cutOff ? exitCodes.cluster : exitCodes.refused;
}

async function examine(flags: DoctorFlags, account: Account | undefined, ports: CliPorts): Promise<readonly Finding[]> {
  const { findings, configuration } = await examineConfiguration(flags.config, ports);
  const { kubeconfig = configuration.kubeconfig, context = configuration.context } = flags;
  const connection = await ports
    .connect({
      ...present({ kubeconfig, context }),
    })
    .catch((error: unknown) => {
      if (error instanceof MainstayError) return error;
      throw error;
    });
  if (connection instanceof MainstayError)
    return [...findings, fail("connection", connection.message, connection.hint ?? "Check the kubeconfig.")];
  try {
    return [
      ...findings,
      ...(await examineCluster(connection, configuration, { account, clouds: flags.clouds ?? false }, ports)),
    ];
  } finally {
    await connection.close();
  }
}

/** When the file cannot be used, the other checks use the default configuration. */
async function examineConfiguration(path: string | undefined, { files, product: { jobs } }: CliPorts) {
  const text = path === undefined ? undefined : await files.readText(path);
  const given = { jobs, ...(path === undefined || text === undefined ? {} : { path, text }) };
  const checked = checkConfiguration(given);
  const check = "configuration";
  if ("configuration" in checked) {
    const says = path === undefined ? "no file given; the defaults are in effect" : `${path} can be used`;
    const warnings = checked.warnings.map((line) => warn(check, line, "See docs/reference/feature-gates.md."));
    return { findings: [ok(check, says), ...warnings], configuration: checked.configuration };
  }
  const defaults = checkConfiguration({ jobs });
  if (!("configuration" in defaults)) throw new Error("the defaults are a valid configuration");
  const fix = "Correct it; docs/reference/configuration.md lists every setting.";
  return { findings: checked.problems.map((line) => fail(check, line, fix)), configuration: defaults.configuration };
}

async function examineCluster(
  { kube }: Connection,
  configuration: Configuration,
  { account, clouds }: { readonly account: Account | undefined; readonly clouds: boolean },
  ports: CliPorts,
): Promise<readonly Finding[]> {
  const { clock, product } = ports;
  const { jobs } = product;
  const server = await checkServer(kube, clock);
  if (server.some(({ result }) => result === "fail")) return server;
  const { leaderElection, namespace, watchFilter } = configuration;
  const scope = {
    ...present({ namespace, watchFilter }),
  };
  const lease = { namespace: leaderElection.namespace, name: leaderElection.name ?? leaseNameFor(scope) };
  const known = account === undefined ? [] : await checkAccount(kube, account);
  const check = (part: string, file: string, wanted: readonly Permission[]) =>
    checkPermissions(kube, { part, role: `deploy/rbac/${file}.yaml`, ...present({ account }) }, wanted);
  const rights = await Promise.all([
    check("manager", "manager", managerPermissions(lease)),
    ...enabledFeatures(configuration, product.features, ports).map((feature) =>
      check(feature.name, `${feature.name}-controller`, permissionsOf(feature, jobs, scope)),
    ),
    configuration.dashboard.enabled
      ? check("dashboard", "dashboard", dashboardPermissions)
      : [ok("permissions of dashboard", "none are needed: it is off in this configuration")],
  ]);
  return [
    ...server,
    ...(await checkDefinitions(kube, definitionsOf(jobs))),
    ...known,
    ...rights.flat(),
    leaderElection.enabled
      ? await checkLease(kube, clock, lease)
      : ok("leader", "leader election is off: one manager runs alone"),
    ...(await checkJobs({ kube, configuration, ...(clouds ? { openStack: ports.openStack } : {}) }, product)),
  ];
}

async function checkJobs(check: JobCheck, { commands }: Product): Promise<readonly Finding[]> {
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
