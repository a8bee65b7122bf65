// The one configuration file of all jobs: its schema, its defaults, and flags that override it. Every problem is listed with its path,
// and an unknown key with the nearest known one. It holds no secrets: credentials stay in the kubeconfig it names.

import { stringify } from "yaml";
import { z } from "zod";
import { formatProblem, isRecord } from "../../apis/text/problem.ts";
import { MainstayError } from "../../core/errors.ts";
import { type DecidedGates, decideGates, type GateSettings } from "../../core/feature-gates.ts";
import { allGuards, type Guard, parseGuard } from "../../core/guards.ts";
import { parseYaml } from "../../core/yaml-text.ts";
import { type LeaseTimings, leaseTimingProblems } from "../../engine/lease/lease-timings.ts";
import { describeIssue, valueAt } from "./configuration-issue.ts";

const seconds = z.number().positive();
const dnsLabel = z
  .string()
  .regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/, "must be a DNS label: lower case letters, digits and dashes");
const labelValue = z.string().regex(/^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/, "must be a label value");
const guardName = z.string().superRefine((text, context) => {
  const parsed = parseGuard(text);
  if ("problem" in parsed) context.addIssue({ code: "custom", message: parsed.problem });
});

const controllerSettings = z.strictObject({
  enabled: z.boolean().default(true),
  concurrency: z.int().min(1).max(100).optional(),
  guards: z.array(guardName).default([]),
});

const leaderElection = z
  .strictObject({
    enabled: z.boolean().default(true),
    /** Absent: made of namespace and watch filter, so that each part of a fleet has its own. */
    name: dnsLabel.optional(),
    namespace: dnsLabel.default("mainstay-system"),
    durationSeconds: seconds.default(15),
    renewDeadlineSeconds: seconds.default(10),
    retrySeconds: seconds.default(2),
    /** On a cluster of one control-plane node: the patient timings that other operators use there, unless others are set. */
    followTopology: z.boolean().default(false),
  })
  .superRefine((settings, context) => {
    for (const message of leaseTimingProblems(leaseTimingsOf(settings))) context.addIssue({ code: "custom", message });
  });

/** `controllers` are the names that may be configured. */
export function schemaFor(controllers: readonly string[]) {
  return z.strictObject({
    kubeconfig: z.string().min(1).optional(),
    context: z.string().min(1).optional(),
    namespace: dnsLabel.optional(),
    watchFilter: labelValue.optional(),
    leaderElection: leaderElection.prefault({}),
    health: z
      .strictObject({ bind: z.string().min(1).default("127.0.0.1"), port: z.int().min(0).max(65_535).default(8_080) })
      .prefault({}),
    dashboard: z
      .strictObject({
        enabled: z.boolean().default(false),
        bind: z.string().min(1).default("127.0.0.1"),
        port: z.int().min(0).max(65_535).default(8_081),
        /** Names under which browsers reach it, beside its addresses: others are refused, or a foreign page could borrow it. */
        hosts: z.array(z.string().min(1)).default([]),
      })
      .prefault({}),
    webhook: z
      .strictObject({
        enabled: z.boolean().default(false),
        bind: z.string().min(1).default("0.0.0.0"),
        port: z.int().min(0).max(65_535).default(9_443),
        /** Holds tls.crt and tls.key, as a mounted Secret does; read again when they change. */
        certificateFolder: z.string().min(1).default("/etc/mainstay/webhook"),
      })
      .prefault({}),
    log: z.strictObject({ level: z.enum(["debug", "info", "warn", "error"]).default("info") }).prefault({}),
    client: z
      .strictObject({
        qps: z.number().positive().max(10_000).default(50),
        burst: z.int().min(1).max(10_000).default(100),
      })
      .prefault({}),
    featureGates: z.record(z.string(), z.boolean()).default({}),
    guards: z.array(guardName).default([]),
    controllers: z
      .strictObject(Object.fromEntries(controllers.map((name) => [name, controllerSettings.prefault({})])))
      .prefault({}),
    apiEndpoint: z
      .strictObject({
        /** Which OpenStackClusters are ours: those annotated as externally managed, or all, where there is no CAPO. */
        claims: z.enum(["annotated", "all"]).default("annotated"),
        /** How old the knowledge of a quiet cluster's balancers may become. */
        relookSeconds: z.number().min(1).max(3_600).default(30),
      })
      .prefault({}),
    topology: z
      .strictObject({
        rules: z.enum(["seed", "current"]).default("seed"),
        /** `none` for clusters without ClusterVersion: a requested topology then waits for no upgrade. */
        upgradeGate: z.enum(["ClusterVersion", "none"]).default("ClusterVersion"),
        /** The Cluster API Cluster that describes this very cluster. */
        cluster: z.strictObject({ namespace: dnsLabel, name: z.string().min(1) }).optional(),
      })
      .prefault({}),
  });
}

export type ConfigurationFile = z.output<ReturnType<typeof schemaFor>>;
export type ControllerSettings = z.output<typeof controllerSettings>;

export interface Configuration extends Omit<ConfigurationFile, "controllers"> {
  readonly controllers: Readonly<Record<string, ControllerSettings>>;
  /** Decided: every gate that exists, on or off. */
  readonly featureGates: GateSettings;
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
  readonly controllers: readonly string[];
}

export type CheckedConfiguration =
  | { readonly configuration: Configuration; readonly warnings: readonly string[] }
  | { readonly problems: readonly string[] };

export function checkConfiguration({
  text,
  path = "configuration",
  flags = [],
  controllers,
}: ReadConfiguration): CheckedConfiguration {
  const file = parseYaml(text ?? "", path, {});
  if (!file.ok) return { problems: file.problems.map(formatProblem) };
  const schema = schemaFor(controllers);
  const input = flags.reduce<unknown>((under, { path: at, value }) => overlaid(under, at, value), file.value);
  const parsed = schema.safeParse(input);
  const switches = switchesIn(input);
  const gates: DecidedGates = decideGates(switches);
  const known = z.toJSONSchema(schema, { io: "input" });
  const flagAt = (at: readonly PropertyKey[]) =>
    flags.find((flag) => flag.path.every((step, index) => step === at[index]))?.flag;
  const problems = [
    ...(parsed.error?.issues ?? []).flatMap((issue) => {
      const flag = flagAt(issue.path);
      // A flag's name says where; in the file, the place does.
      const place = flag === undefined ? issue.path.map(String).join(".") : "";
      return describeIssue(issue, known, input, place).map((problem) => `${flag ?? path}: ${problem}`);
    }),
    ...Object.entries(switches).flatMap(([gate, on]) =>
      decideGates({ [gate]: on }).problems.map((problem) => `${flagAt(["featureGates", gate]) ?? path}: ${problem}`),
    ),
  ];
  if (!parsed.success || problems.length > 0) return { problems };
  return { configuration: { ...parsed.data, featureGates: gates.enabled }, warnings: gates.warnings };
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
export function printConfiguration(configuration: Configuration): string {
  return stringify(configuration);
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
