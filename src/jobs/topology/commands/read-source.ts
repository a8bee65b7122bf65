// From a named source to the topology it declares, with everything a person should know about how it was read.

import { parseRef } from "../../../apis/kube/kube-object.ts";
import { type Checked, isRecord, type Problem } from "../../../apis/text/problem.ts";
import type { CliPorts } from "../../../cli/cli-ports.ts";
import { withConnection } from "../../../cli/connection-options.ts";
import { InvalidInput, orInvalid } from "../../../cli/invalid-input.ts";
import { withProgress } from "../../../cli/progress.ts";
import { MainstayError } from "../../../core/errors.ts";
import { parseYaml } from "../../../core/yaml-text.ts";
import { readClusterProfile } from "../apis/cluster-profile.ts";
import {
  checked,
  checkReplicas,
  checkTogether,
  type DeclaredReplicas,
  type ReplicaSource,
  unusable,
} from "../apis/declared-replicas.ts";
import { readInstallConfig } from "../apis/install-config.ts";
import { readDeclaredReplicas, readInstallConfigIn } from "../controller/sources.ts";
import type { Declaration } from "../core/declaration.ts";
import { type Derivation, deriveTopology, type RuleSet } from "../core/derive.ts";
import type { Source, SourceFlags } from "./source-options.ts";

export interface Intent {
  readonly declaration: Declaration;
  /** Where it was read, for people. Never the name of a profile. */
  readonly from: string;
  /** Defaults that were taken. */
  readonly notes: readonly string[];
  /** Absent when the topology itself was declared. */
  readonly because?: Derivation["because"];
  /** What is declared today, where that is something else, for people. */
  readonly since?: string;
}

export async function readSource(source: Source, flags: SourceFlags, ports: CliPorts): Promise<Intent> {
  const { rules } = flags;
  switch (source.kind) {
    case "file":
      return readFile(source.path, flags, ports);
    case "flags": {
      const { value } = orInvalid("the numbers", readNumbers(source, flags.external === true));
      return intent("flags", "the command line", value, rules);
    }
    case "live":
      return readLive(source, flags, ports);
    case "profile":
      return readProfile(source.path, rules, ports);
  }
}

async function readFile(path: string, { external = false, rules }: SourceFlags, ports: CliPorts): Promise<Intent> {
  const { name, document } = await readDocument(path, ports);
  const isConfigMap = isRecord(document) && document["kind"] === "ConfigMap";
  const read = isConfigMap ? readInstallConfigIn(document, external) : readInstallConfig(document, { external });
  const { value, notes } = orInvalid(name, read);
  return intent("install-config", name, value, rules, notes);
}

async function readLive(source: { readonly cluster?: string }, flags: SourceFlags, ports: CliPorts): Promise<Intent> {
  const cluster = source.cluster === undefined ? {} : { cluster: parseRef(source.cluster) };
  const answer = await withConnection(ports, flags, ({ kube }) =>
    withProgress("reading what the cluster declares", ports, readDeclaredReplicas(kube, cluster)),
  );
  if (answer.found === "nothing") {
    throw new MainstayError({
      reason: "TopologyUndeclared",
      message: nothingDeclared(source.cluster),
      hint: "Give the numbers with --control-plane and --workers. Nodes are not counted: they cannot tell a forming cluster from a small one.",
    });
  }
  if (answer.found === "invalid") throw new InvalidInput(`${answer.from} cannot be used`, answer.problems);
  const { replicas, from, notes } = answer.declared;
  return intent(answer.declared.source, from, replicas, flags.rules, notes);
}

/** With `--cluster` only Cluster API's objects of that cluster are read. */
function nothingDeclared(cluster: string | undefined): string {
  return cluster === undefined
    ? "the cluster declares no replicas: neither ConfigMap kube-system/cluster-config-v1 nor a KubeadmControlPlane was found"
    : `the cluster ${cluster} declares no replicas: it has no KubeadmControlPlane`;
}

async function readProfile(path: string, rules: RuleSet, ports: CliPorts): Promise<Intent> {
  const { name, document } = await readDocument(path, ports);
  const { value, notes } = orInvalid(name, readClusterProfile(document));
  if (value.kind === "replicas") return intent("profile", "the profile", value.replicas, rules, notes);
  return { declaration: { topology: value.topology, source: "profile", rules }, from: "the profile", notes };
}

async function readDocument(path: string, { files, terminal }: CliPorts) {
  const name = path === "-" ? "standard input" : path;
  const text = path === "-" ? await terminal.readInput() : await files.readText(path);
  const { value: document } = orInvalid(name, parseYaml(text, name));
  return { name, document };
}

function readNumbers(source: Source & { readonly kind: "flags" }, external: boolean): Checked<DeclaredReplicas> {
  const problems: Problem[] = [];
  const count = (where: string, text: string): number => {
    const replicas = checkReplicas(where, /^-?\d+$/.test(text) ? Number(text) : text);
    if (typeof replicas === "number") return replicas;
    problems.push(replicas);
    return unusable;
  };
  const { controlPlane, workers, arbiters } = source;
  if (controlPlane === undefined && !external) {
    problems.push({
      where: "--control-plane",
      message: "missing",
      hint: "Say how many there are, or --external when they run elsewhere.",
    });
  }
  if (controlPlane !== undefined && external) {
    problems.push({
      where: "--control-plane",
      message: `${controlPlane} contradicts --external`,
      hint: "Keep one of them.",
    });
  }
  if (workers.length === 0)
    problems.push({ where: "--workers", message: "missing", hint: "Say how many there are, 0 if none." });
  const replicas: DeclaredReplicas = {
    controlPlane: external
      ? "external"
      : controlPlane === undefined
        ? unusable
        : count("--control-plane", controlPlane),
    workers: workers.map((pool) => count("--workers", pool)),
    arbiters: arbiters === undefined ? 0 : count("--arbiters", arbiters),
  };
  problems.push(...checkTogether(replicas, { controlPlane: "--control-plane", arbiters: "--arbiters" }));
  return checked(replicas, problems);
}

function intent(
  source: ReplicaSource,
  from: string,
  replicas: DeclaredReplicas,
  rules: RuleSet,
  notes: readonly string[] = [],
): Intent {
  const { topology, because } = deriveTopology(replicas, rules);
  return { declaration: { topology, source, rules, replicas }, from, notes, because };
}
