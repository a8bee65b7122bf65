// A cluster profile file: its designer's intent, either as machine counts or as the topology itself. Every key is
// checked, because a key nobody reads would be an intent nobody obeys. The profile's name is never part of the answer.

import { type Checked, isNot, isRecord, type Problem } from "../../../apis/text/problem.ts";
import { checked, checkReplicas, checkTogether, type DeclaredReplicas, unusable } from "./declared-replicas.ts";
import {
  controlPlaneTopologies,
  infrastructureTopologies,
  isControlPlaneTopology,
  isInfrastructureTopology,
  type Topology,
} from "./infrastructure.ts";

export const profileApiVersion = "topology.mainstay.dev/v1alpha1";
export const profileKind = "ClusterProfile";

export type ProfileIntent =
  | { readonly kind: "replicas"; readonly replicas: DeclaredReplicas }
  | { readonly kind: "topology"; readonly topology: Topology };

export function readClusterProfile(value: unknown): Checked<ProfileIntent> {
  if (!isRecord(value)) return fail([{ where: "profile", message: isNot(value, "a mapping"), hint: seeFormat }]);
  const problems = [
    ...unknownKeys("", value, ["apiVersion", "kind", "metadata", "spec"]),
    ...mustBe("apiVersion", value["apiVersion"], profileApiVersion),
    ...mustBe("kind", value["kind"], profileKind),
  ];
  const spec = value["spec"];
  if (!isRecord(spec))
    return fail([...problems, { where: "spec", message: isNot(spec, "a mapping"), hint: seeFormat }]);
  problems.push(...unknownKeys("spec.", spec, ["replicas", "topology"]));
  const intents = ["replicas", "topology"].filter((key) => spec[key] !== undefined);
  if (intents.length !== 1) {
    const message =
      intents.length === 0 ? "neither replicas nor topology is set" : "both replicas and topology are set";
    return fail([...problems, { where: "spec", message, hint: "Set exactly one of spec.replicas and spec.topology." }]);
  }
  const intent = spec["topology"] === undefined ? readReplicas(spec["replicas"]) : readTopology(spec["topology"]);
  if (!intent.ok) return fail([...problems, ...intent.problems]);
  return problems.length > 0 ? fail(problems) : intent;
}

const seeFormat = "See docs/guides/topology.md for the format.";

function readReplicas(value: unknown): Checked<ProfileIntent> {
  const where = "spec.replicas";
  if (!isRecord(value)) return fail([{ where, message: isNot(value, "a mapping"), hint: seeFormat }]);
  const problems = unknownKeys(`${where}.`, value, ["controlPlane", "workers", "arbiters"]);
  const count = (key: string, raw: unknown): number => {
    const replicas = checkReplicas(`${where}.${key}`, raw);
    if (typeof replicas === "number") return replicas;
    problems.push(replicas);
    return unusable;
  };
  const { controlPlane, workers, arbiters } = value;
  const replicas: DeclaredReplicas = {
    controlPlane: controlPlane === "external" ? "external" : count("controlPlane", controlPlane),
    workers: Array.isArray(workers)
      ? workers.map((pool: unknown, index) => count(`workers[${index}]`, pool))
      : [count("workers", workers)],
    arbiters: arbiters === undefined ? 0 : count("arbiters", arbiters),
  };
  const places = { controlPlane: `${where}.controlPlane`, arbiters: `${where}.arbiters` };
  const whole = checkTogether(replicas, places);
  return checked({ kind: "replicas", replicas }, [...problems, ...whole]);
}

function readTopology(value: unknown): Checked<ProfileIntent> {
  const where = "spec.topology";
  if (!isRecord(value)) return fail([{ where, message: isNot(value, "a mapping"), hint: seeFormat }]);
  const problems = unknownKeys(`${where}.`, value, ["controlPlane", "infrastructure"]);
  const { controlPlane, infrastructure } = value;
  if (!isControlPlaneTopology(controlPlane)) {
    problems.push(notOneOf(`${where}.controlPlane`, controlPlane, controlPlaneTopologies));
  }
  if (!isInfrastructureTopology(infrastructure)) {
    problems.push(notOneOf(`${where}.infrastructure`, infrastructure, infrastructureTopologies));
  }
  return isControlPlaneTopology(controlPlane) && isInfrastructureTopology(infrastructure)
    ? checked({ kind: "topology", topology: { controlPlane, infrastructure } }, problems)
    : fail(problems);
}

function unknownKeys(prefix: string, value: Readonly<Record<string, unknown>>, known: readonly string[]): Problem[] {
  return Object.keys(value)
    .filter((key) => !known.includes(key))
    .map((key) => ({ where: `${prefix}${key}`, message: "unknown field", hint: `Use one of ${known.join(", ")}.` }));
}

function mustBe(where: string, value: unknown, expected: string): Problem[] {
  return value === expected ? [] : [{ where, message: isNot(value, expected), hint: `Write ${expected}.` }];
}

function notOneOf(where: string, value: unknown, known: readonly string[]): Problem {
  return { where, message: isNot(value, "a topology"), hint: `Write one of ${known.join(", ")}.` };
}

function fail(problems: readonly Problem[]): Checked<never> {
  return { ok: false, problems };
}
