// docs/reference/configuration.md: every setting of the configuration file, from the schema that checks it. A setting
// without a description here, or a description without a setting, is an error.

import { z } from "zod";
import { schemaFor } from "../../src/cli/configuration/configuration.ts";
import { controllerNames } from "../../src/jobs/features.ts";
import { generatedNote, table } from "./markdown.ts";

const descriptions: Readonly<Record<string, string>> = {
  kubeconfig: "Kubeconfig file. Absent: `KUBECONFIG`, then the cluster Mainstay runs in, then `~/.kube/config`.",
  context: "Context of the kubeconfig.",
  namespace: "Look after this namespace only.",
  watchFilter: "Look after objects only whose label `cluster.x-k8s.io/watch-filter` has this value.",
  "leaderElection.enabled": "One manager writes at a time. Off is for a manager that surely runs alone.",
  "leaderElection.name":
    "Name of the Lease. Absent: made of namespace and watch filter, so that each part of a fleet has its own.",
  "leaderElection.namespace": "Namespace of the Lease.",
  "leaderElection.durationSeconds": "How long a lease is good for without being renewed.",
  "leaderElection.renewDeadlineSeconds": "How long a leader tries to renew before it stops.",
  "leaderElection.retrySeconds": "Time between two tries.",
  "leaderElection.followTopology":
    "On a cluster of one control-plane node: lease timings as patient as other operators' there (270/240/60 s), unless others are set.",
  "health.bind":
    "Address that serves `/healthz`, `/readyz` and `/metrics`. In a Pod `0.0.0.0`: the kubelet's probes come from outside.",
  "health.port": "Its port; 0 takes a free one.",
  "dashboard.enabled": "Serve the [dashboard](../guides/dashboard.md) and its read API.",
  "dashboard.bind": "Address that serves them. Plain HTTP: beyond loopback, put something with TLS in front.",
  "dashboard.port": "Its port; 0 takes a free one.",
  "dashboard.hosts": "Host names that browsers may use for it, beside its addresses and `localhost`.",
  "log.level": "The lowest level that is logged.",
  "client.qps": "Requests to the API server a second, on average.",
  "client.burst": "Requests that may go out at once before that average holds.",
  featureGates: "[Feature gates](feature-gates.md) by name.",
  guards: "Guards for every controller: `dry-run`, `no-deletes`, `max-removals=N`.",
  "controllers.*.enabled": "Whether the controller runs.",
  "controllers.*.concurrency": "How many keys the controller works on at once.",
  "controllers.*.guards": "Guards for this controller, after those for all.",
  "webhook.enabled": "Whether to serve admission and conversion to the API server. See `deploy/webhook`.",
  "webhook.bind": "Address the webhooks listen on. The API server must reach it.",
  "webhook.port": "Their port.",
  "webhook.certificateFolder":
    "Folder with `tls.crt` and `tls.key`, as a mounted Secret has them; read again every minute.",
  "apiEndpoint.claims":
    "Which OpenStackClusters are ours: those with the annotation `cluster.x-k8s.io/managed-by`, or all, where there is no CAPO.",
  "apiEndpoint.relookSeconds": "How old the knowledge of a quiet cluster's balancers may become.",
  "topology.rules": "How replicas become a topology: `seed` knows two values, `current` today's.",
  "topology.upgradeGate":
    "What a requested topology waits for: the end of an upgrade that ClusterVersion reports, or nothing.",
  "topology.cluster.namespace": "Namespace of the Cluster API Cluster that describes this very cluster.",
  "topology.cluster.name": "Its name.",
};

const jsonSchema = z.looseObject({
  type: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  default: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  items: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
});
type Schema = z.output<typeof jsonSchema>;

interface Setting {
  readonly path: string;
  readonly schema: Schema;
}

export function configurationPage(): string {
  const settings = settingsOf(z.toJSONSchema(schemaFor(controllerNames), { io: "input", unrepresentable: "any" }), []);
  const known = new Set(settings.map(({ path }) => anyController(path)));
  const idle = Object.keys(descriptions).filter((path) => !known.has(path));
  if (idle.length > 0) throw new Error(`descriptions of settings that do not exist: ${idle.join(", ")}`);
  const rows = settings.map(({ path, schema }) => [`\`${path}\``, kindOf(schema), defaultOf(schema), describe(path)]);
  return `# Configuration

${generatedNote("src/cli/configuration/configuration.ts")}

\`mainstay controller --config FILE\` reads one YAML file for all jobs. Every setting may be left out; flags win over the file. Unknown settings are errors, and all problems are listed at once. \`--print-config\` prints what is in effect, defaults included.

${table(["Setting", "Kind", "Default", "Meaning"], rows)}
`;
}

function settingsOf(raw: unknown, path: readonly string[]): readonly Setting[] {
  const schema = jsonSchema.parse(raw);
  if (schema.properties === undefined) return [{ path: path.join("."), schema }];
  return Object.entries(schema.properties).flatMap(([name, inner]) => settingsOf(inner, [...path, name]));
}

function describe(path: string): string {
  const text = descriptions[anyController(path)];
  if (text === undefined) throw new Error(`setting ${path} has no description in scripts/generators/configuration.ts`);
  return text;
}

function anyController(path: string): string {
  return path.replace(/^controllers\.[^.]+\./, "controllers.*.");
}

function kindOf({ type, enum: values, items, minimum, exclusiveMinimum, maximum }: Schema): string {
  if (values !== undefined) return values.map((value) => `\`${String(value)}\``).join(", ");
  if (type === "array") return `list of ${kindOf(jsonSchema.parse(items))}s`;
  if (type === "object") return "map";
  if (type !== "integer" && type !== "number") return type ?? "any";
  const low =
    exclusiveMinimum === undefined ? (minimum === undefined ? "" : ` from ${minimum}`) : ` above ${exclusiveMinimum}`;
  return `${type}${low}${maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? "" : ` to ${maximum}`}`;
}

function defaultOf({ default: value }: Schema): string {
  return value === undefined ? "" : `\`${JSON.stringify(value)}\``;
}
