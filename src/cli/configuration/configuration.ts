// The one configuration file of all jobs: its schema, its defaults, and flags that override it. Every problem is listed with its path,
// and an unknown key with the nearest known one. It holds no secrets: credentials stay in the kubeconfig it names.

import { stringify } from "yaml";
import { z } from "zod";
import { formatProblem, isRecord } from "../../apis/text/problem.ts";
import { MainstayError } from "../../core/errors.ts";
import { type DecidedGates, decideGates, type GateSettings, type GateTable } from "../../core/feature-gates.ts";
import { allGuards, type Guard, parseGuard } from "../../core/guards.ts";
import type { JobDeclaration } from "../../core/job/declaration.ts";
import { parseYaml } from "../../core/yaml-text.ts";
import { type LeaseTimings, leaseTimingProblems } from "../../engine/lease/lease-timings.ts";
import { describeIssue, valueAt } from "./configuration-issue.ts";

const seconds = z.number().positive();
const bind = z.string().min(1);
const port = z.int().min(0).max(65_535);
const dnsLabel = z
  .string()
  .regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/, "must be a DNS label: lower case letters, digits and dashes");
const labelValue = z.string().regex(/^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/, "must be a label value");
const guardName = z.string().superRefine((text, context) => {
  const parsed = parseGuard(text);
  if ("problem" in parsed) context.addIssue({ code: "custom", message: parsed.problem });
});

const controllerSettings = z.strictObject({
  enabled: z.boolean().default(true).describe("Whether the controller runs."),
  concurrency: z
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe(
      "How many keys the controller begins at once; one that takes longer than a second makes room for the next.",
    ),
  guards: z.array(guardName).default([]).describe("Guards for this controller, after those for all."),
});

const leaderElection = z
  .strictObject({
    enabled: z
      .boolean()
      .default(true)
      .describe("One manager writes at a time. Off is for a manager that surely runs alone."),
    name: dnsLabel
      .optional()
      .describe(
        "Name of the Lease. Absent: made of namespace and watch filter, so that each part of a fleet has its own.",
      ),
    namespace: dnsLabel.default("mainstay-system").describe("Namespace of the Lease."),
    durationSeconds: seconds.default(15).describe("How long a lease is good for without being renewed."),
    renewDeadlineSeconds: seconds.default(10).describe("How long a leader tries to renew before it stops."),
    retrySeconds: seconds.default(2).describe("Time between two tries."),
    followTopology: z
      .boolean()
      .default(false)
      .describe(
        "On a cluster of one control-plane node: lease timings as patient as other operators' there (270/240/60 s), unless others are set.",
      ),
  })
  .superRefine((settings, context) => {
    for (const message of leaseTimingProblems(leaseTimingsOf(settings))) context.addIssue({ code: "custom", message });
  });

const health = z.strictObject({
  bind: bind
    .default("127.0.0.1")
    .describe(
      "Address that serves `/healthz`, `/readyz` and `/metrics`. In a Pod `0.0.0.0`: the kubelet's probes come from outside.",
    ),
  port: port.default(8_080).describe("Its port; 0 takes a free one."),
});

const metrics = z.strictObject({
  objectLimit: z
    .int()
    .min(0)
    .max(10_000)
    .default(500)
    .describe(
      "Objects of a controller that metrics name in the label `object`, the sick first. The others are summed as `(other)`.",
    ),
});

const dashboard = z.strictObject({
  enabled: z.boolean().default(false).describe("Serve the [dashboard](../guides/dashboard.md) and its read API."),
  bind: bind
    .default("127.0.0.1")
    .describe("Address that serves them. Plain HTTP: beyond loopback, put something with TLS in front."),
  port: port.default(8_081).describe("Its port; 0 takes a free one."),
  // Others are refused, or a page of somebody else could use it.
  hosts: z
    .array(z.string().min(1))
    .default([])
    .describe("Host names that browsers may use for it, beside its addresses and `localhost`."),
});

const webhook = z.strictObject({
  enabled: z
    .boolean()
    .default(false)
    .describe("Whether to serve admission and conversion to the API server. See `deploy/webhook`."),
  bind: bind.default("0.0.0.0").describe("Address the webhooks listen on. The API server must reach it."),
  port: port.default(9_443).describe("Their port."),
  certificateFolder: z
    .string()
    .min(1)
    .default("/etc/mainstay/webhook")
    .describe("Folder with `tls.crt` and `tls.key`, as a mounted Secret has them; read again every minute."),
});

const client = z.strictObject({
  qps: z.number().positive().max(10_000).default(50).describe("Requests to the API server a second, on average."),
  burst: z
    .int()
    .min(1)
    .max(10_000)
    .default(100)
    .describe("Requests that may go out at once before that average holds."),
});

/** What does not depend on the jobs. */
const shared = {
  kubeconfig: z
    .string()
    .min(1)
    .optional()
    .describe("Kubeconfig file. Absent: `KUBECONFIG`, then the cluster Mainstay runs in, then `~/.kube/config`."),
  context: z.string().min(1).optional().describe("Context of the kubeconfig."),
  namespace: dnsLabel.optional().describe("Manage this namespace only."),
  watchFilter: labelValue
    .optional()
    .describe("Manage only objects whose label `cluster.x-k8s.io/watch-filter` has this value."),
  leaderElection: leaderElection.prefault({}),
  health: health.prefault({}),
  metrics: metrics.prefault({}),
  dashboard: dashboard.prefault({}),
  webhook: webhook.prefault({}),
  log: z
    .strictObject({
      level: z.enum(["debug", "info", "warn", "error"]).default("info").describe("The lowest level that is logged."),
    })
    .prefault({}),
  client: client.prefault({}),
  featureGates: z.record(z.string(), z.boolean()).default({}).describe("[Feature gates](feature-gates.md) by name."),
  guards: z
    .array(guardName)
    .default([])
    .describe("Guards for every controller: `dry-run`, `no-deletes`, `max-removals=N`."),
};

const sharedSchema = z.strictObject(shared);

const schemas = new WeakMap<readonly JobDeclaration[], z.ZodObject>();

/** Of the whole file: what all jobs share, the controllers of these jobs, and each job's own settings under its key. Made once. */
export function schemaFor(jobs: readonly JobDeclaration[]): z.ZodObject {
  const made = schemas.get(jobs) ?? newSchema(jobs);
  schemas.set(jobs, made);
  return made;
}

function newSchema(jobs: readonly JobDeclaration[]): z.ZodObject {
  const controllers = jobs.flatMap((job) => Object.keys(job.controllers));
  return z.strictObject({
    ...shared,
    controllers: z
      .strictObject(Object.fromEntries(controllers.map((name) => [name, controllerSettings.prefault({})])))
      .prefault({}),
    ...Object.fromEntries(jobs.map(({ settings }) => [settings.key, settings.schema.prefault({})])),
  });
}

export type ControllerSettings = z.output<typeof controllerSettings>;

export interface Configuration extends Omit<z.output<typeof sharedSchema>, "featureGates"> {
  readonly controllers: Readonly<Record<string, ControllerSettings>>;
  /** Decided: every gate that exists, on or off. */
  readonly featureGates: GateSettings;
  /** Of each job, by its key in the file. */
  readonly jobs: Readonly<Record<string, unknown>>;
}

/** The job's own part of the configuration. */
export function settingsOf<D extends JobDeclaration>(
  { jobs }: Pick<Configuration, "jobs">,
  { settings: { key } }: D,
): z.output<D["settings"]["schema"]> {
  // It passed this very schema: a configuration is only made by checkConfiguration.
  return jobs[key] as z.output<D["settings"]["schema"]>;
}

/** What one flag says, and where the file would say it: flags are laid over the file before it is checked. */
export interface ConfigurationFlag {
  /** For messages, such as `--health-port`. */
  readonly flag: string;
  readonly path: readonly string[];
  readonly value: unknown;
}

export interface ReadConfiguration {
  /** The file's text; absent when there is no file. */
  readonly text?: string;
  /** For messages. */
  readonly path?: string;
  readonly flags?: readonly ConfigurationFlag[];
  readonly jobs: readonly JobDeclaration[];
}

export type CheckedConfiguration =
  | { readonly configuration: Configuration; readonly warnings: readonly string[] }
  | { readonly problems: readonly string[] };

export function checkConfiguration({
  text,
  path = "configuration",
  flags = [],
  jobs,
}: ReadConfiguration): CheckedConfiguration {
  const file = parseYaml(text ?? "", path, {});
  if (!file.ok) return { problems: file.problems.map(formatProblem) };
  const schema = schemaFor(jobs);
  const input = flags.reduce<unknown>((under, { path: at, value }) => overlaid(under, at, value), file.value);
  const parsed = schema.safeParse(input);
  const switches = switchesIn(input);
  const table = gatesOf(jobs);
  const gates: DecidedGates = decideGates(table, switches);
  // It takes longer than all the rest, and only what is wrong needs it.
  const known = () => z.toJSONSchema(schema, { io: "input" });
  const flagAt = (at: readonly PropertyKey[]) =>
    flags.find((flag) => flag.path.every((step, index) => step === at[index]))?.flag;
  const problems = [
    ...(parsed.error?.issues ?? []).flatMap((issue) => {
      const flag = flagAt(issue.path);
      // A flag's name says where; in the file, the place does.
      const place = flag === undefined ? issue.path.map(String).join(".") : "";
      return describeIssue(issue, known(), input, place).map((problem) => `${flag ?? path}: ${problem}`);
    }),
    ...Object.entries(switches).flatMap(([gate, on]) =>
      decideGates(table, { [gate]: on }).problems.map(
        (problem) => `${flagAt(["featureGates", gate]) ?? path}: ${problem}`,
      ),
    ),
  ];
  if (!parsed.success || problems.length > 0) return { problems };
  return { configuration: configurationOf(parsed.data, jobs, gates.enabled), warnings: gates.warnings };
}

export function gatesOf(jobs: readonly JobDeclaration[]): GateTable {
  return Object.fromEntries(jobs.flatMap(({ featureGates }) => Object.entries(featureGates)));
}

function configurationOf(
  file: Readonly<Record<string, unknown>>,
  jobs: readonly JobDeclaration[],
  featureGates: GateSettings,
): Configuration {
  const keys = new Set(jobs.map(({ settings }) => settings.key));
  const parts = Object.entries(file);
  const rest = Object.fromEntries(parts.filter(([name]) => !keys.has(name)));
  const ofJobs = Object.fromEntries(parts.filter(([name]) => keys.has(name)));
  return { ...(rest as unknown as Omit<Configuration, "jobs">), featureGates, jobs: ofJobs };
}

/** What can be read as feature gates, whatever else is wrong. */
function switchesIn(input: unknown): Readonly<Record<string, boolean>> {
  const gates = valueAt(input, ["featureGates"]);
  const entries = isRecord(gates) ? Object.entries(gates) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, boolean] => typeof entry[1] === "boolean"));
}

/** As `checkConfiguration`; throws with every problem in one message. */
export function readConfiguration(input: ReadConfiguration): Extract<CheckedConfiguration, { configuration: unknown }> {
  const checked = checkConfiguration(input);
  if ("configuration" in checked) return checked;
  throw new MainstayError({
    reason: "ConfigurationInvalid",
    message: ["the configuration cannot be used", ...checked.problems.map((problem) => `  - ${problem}`)].join("\n"),
  });
}

/** The effective configuration as YAML that can be read back. */
export function printConfiguration({ jobs, ...configuration }: Configuration): string {
  return stringify({ ...configuration, ...jobs });
}

export function leaseTimingsOf(settings: z.output<typeof leaderElection>): LeaseTimings {
  return {
    durationMs: settings.durationSeconds * 1_000,
    renewDeadlineMs: settings.renewDeadlineSeconds * 1_000,
    retryMs: settings.retrySeconds * 1_000,
  };
}

/** Those for all first, then the controller's own. */
export function guardOf({ guards, controllers }: Configuration, controller: string): Guard {
  const names = [...guards, ...(controllers[controller]?.guards ?? [])];
  return allGuards(
    names.flatMap((name) => {
      const parsed = parseGuard(name);
      return "guard" in parsed ? [parsed.guard] : [];
    }),
  );
}

/** The value at its place; a file that has something else on the way there stays as it is, for its own check to name. */
function overlaid(file: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  if (!isRecord(file ?? {})) return file;
  const fields: Readonly<Record<string, unknown>> = isRecord(file) ? file : {};
  return { ...fields, [step]: overlaid(fields[step], rest, value) };
}
