// Reads the OpenAPI v3 documents of a running API server and writes src/sim/fakes/kube/kinds/builtin-schemas-data.ts:
// the schemas of the built-in kinds the fake serves, without prose, each definition once.
// Usage: kubectl proxy --port 8001 &  node scripts/extract-builtin-schemas.ts http://127.0.0.1:8001

import { writeFileSync } from "node:fs";

const kinds: Readonly<Record<string, readonly string[]>> = {
  "api/v1": ["Namespace", "Node", "Pod", "Service", "Secret", "ConfigMap", "Event", "ServiceAccount"],
  "apis/apps/v1": ["Deployment", "ReplicaSet"],
  "apis/policy/v1": ["PodDisruptionBudget"],
  "apis/discovery.k8s.io/v1": ["EndpointSlice"],
  "apis/coordination.k8s.io/v1": ["Lease"],
  "apis/events.k8s.io/v1": ["Event"],
  "apis/rbac.authorization.k8s.io/v1": ["Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding"],
  "apis/apiextensions.k8s.io/v1": ["CustomResourceDefinition"],
  "apis/admissionregistration.k8s.io/v1": ["ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"],
  "apis/authentication.k8s.io/v1": ["TokenReview", "SelfSubjectReview"],
  "apis/authorization.k8s.io/v1": ["SubjectAccessReview", "SelfSubjectAccessReview"],
};

type Node = Readonly<Record<string, unknown>>;

const dropped = new Set(["description", "x-kubernetes-group-version-kind", "x-kubernetes-unions"]);
const refPrefix = "#/components/schemas/";

async function definitionsAt(server: string, path: string): Promise<Node> {
  const response = await fetch(`${server}/openapi/v3/${path}`);
  if (!response.ok) throw new Error(`${path}: HTTP ${response.status}`);
  return nodeAt(nodeAt(asNode(await response.json()), "components"), "schemas");
}

/** Prose out, references shortened, one-element allOf unwrapped. */
function simplify(schema: Node): Node {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (dropped.has(key)) continue;
    if (key === "$ref" && typeof value === "string") kept.$ref = value.slice(refPrefix.length);
    else if (key === "allOf" && Array.isArray(value) && value.length === 1)
      Object.assign(kept, simplify(asNode(value[0])));
    else if (key === "default" && isEmptyObject(value)) kept["x-mainstay-always-present"] = true;
    else if (key === "properties") kept.properties = mapValues(asNode(value), (field) => simplify(asNode(field)));
    else if (["items", "additionalProperties"].includes(key) && isNode(value))
      kept[key] = withoutDefault(simplify(value));
    else kept[key] = value;
  }
  return special(kept);
}

/** Items and map values are never filled in, so their defaults say nothing. */
function withoutDefault({ default: _, "x-mainstay-always-present": __, ...schema }: Node): Node {
  return schema;
}

/** Shapes that OpenAPI has no word for. */
function special(schema: Node): Node {
  if (schema.format === "int-or-string") return { "x-kubernetes-int-or-string": true };
  const isEmpty = schema.$ref === undefined && schema.type === undefined && schema.oneOf === undefined;
  const isFreeForm =
    schema.type === "object" && schema.properties === undefined && schema.additionalProperties === undefined;
  return isEmpty || isFreeForm ? { ...schema, "x-kubernetes-preserve-unknown-fields": true } : schema;
}

function referenced(schema: unknown): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(referenced);
  if (!isNode(schema)) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === "$ref" && typeof value === "string" ? [value] : referenced(value),
  );
}

function collect(all: Node, name: string, into: Map<string, Node>): void {
  if (into.has(name)) return;
  const schema = simplify(nodeAt(all, name));
  into.set(name, schema);
  for (const next of referenced(schema)) collect(all, next, into);
}

function definitionOf(all: Node, path: string, kind: string): string {
  const [, group = "", version = ""] = path === "api/v1" ? ["", "", "v1"] : path.split("/");
  const found = Object.entries(all).find(([, schema]) => {
    const ids = asNode(schema)["x-kubernetes-group-version-kind"];
    return (
      Array.isArray(ids) &&
      ids.length === 1 &&
      isNode(ids[0]) &&
      ids[0].group === group &&
      ids[0].version === version &&
      ids[0].kind === kind
    );
  });
  if (found === undefined) throw new Error(`${path} does not serve ${kind}`);
  return found[0];
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function asNode(value: unknown): Node {
  if (!isNode(value)) throw new Error(`not an object: ${JSON.stringify(value)}`);
  return value;
}
function nodeAt(node: Node, name: string): Node {
  return asNode(node[name]);
}
function isEmptyObject(value: unknown): boolean {
  return isNode(value) && Object.keys(value).length === 0;
}
function mapValues(node: Node, change: (value: unknown) => unknown): Node {
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, change(value)]));
}

const server = process.argv[2];
if (server === undefined)
  throw new Error("usage: node scripts/extract-builtin-schemas.ts http://HOST:PORT (kubectl proxy)");
const definitions = new Map<string, Node>();
const roots: Record<string, string> = {};
for (const [path, names] of Object.entries(kinds)) {
  const all = await definitionsAt(server, path);
  for (const kind of names) {
    const name = definitionOf(all, path, kind);
    roots[`${path.replace(/^apis?\//, "")}/${kind}`] = name;
    collect(all, name, definitions);
  }
}
const sorted = [...definitions].sort(([a], [b]) => (a < b ? -1 : 1));
const lines = sorted.map(([name, schema]) => `  ${JSON.stringify(name)}: ${JSON.stringify(schema)},`);
writeFileSync(
  new URL("../src/sim/fakes/kube/kinds/builtin-schemas-data.ts", import.meta.url),
  `// Generated by scripts/extract-builtin-schemas.ts from kube-apiserver's OpenAPI v3; do not edit.
// biome-ignore-all format: one definition per line keeps diffs readable.

import type { SchemaDefinition } from "./builtin-schemas.ts";

export const roots: Readonly<Record<string, string>> = ${JSON.stringify(roots, undefined, 2)};

export const definitions: Readonly<Record<string, SchemaDefinition>> = {
${lines.join("\n")}
};
`,
);
