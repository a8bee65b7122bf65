// From declared machine counts to the topology operators obey. Pure arithmetic on declarations: it must never be fed with
// counted Nodes, which cannot tell a cluster that is still forming from one that will never grow.
//
//   control plane  workers (sum)   rules two-modes   rules current
//   1              0 | 1 | 2+      S/S  S/S  S/HA    S/S  S/S  S/HA
//   2              0 | 1 | 2+      S/S  S/S  S/HA    D/HA D/S  D/HA
//   2 + arbiter    0 | 1 | 2+      S/S  S/S  S/HA    A/HA A/S  A/HA
//   3+             0 | 1 | 2+      HA/HA HA/S HA/HA  HA/HA HA/S HA/HA
//   3+ + arbiter   0 | 1 | 2+      HA/HA HA/S HA/HA  A/HA A/S  A/HA
//   external       0 | 1 | 2+      E/HA E/S  E/HA    E/HA E/S  E/HA
//   S SingleReplica, HA HighlyAvailable, D DualReplica, A HighlyAvailableArbiter, E External; control plane / infrastructure

import { type DeclaredReplicas, workerCount } from "../apis/declared-replicas.ts";
import type { ControlPlaneTopology, InfrastructureTopology, Topology } from "../apis/infrastructure.ts";

export const ruleSets = ["two-modes", "current"] as const;
/**
 * `two-modes`: HighlyAvailable and SingleReplica, as in the first API. `current`: today's, with two-node and arbiter control planes. Both
 * know an external control plane.
 */
export type RuleSet = (typeof ruleSets)[number];

/** What `two-modes` was called before: read wherever people or objects say it, and never written. */
export const formerTwoModes = "seed";

export function parseRuleSet(word: unknown): RuleSet | undefined {
  return word === formerTwoModes ? "two-modes" : ruleSets.find((known) => known === word);
}

export interface Derivation {
  readonly topology: Topology;
  /** One sentence per field, for `explain`. */
  readonly because: { readonly controlPlane: string; readonly infrastructure: string };
}

interface Derived<T> {
  readonly value: T;
  readonly because: string;
}

export function deriveTopology(declared: DeclaredReplicas, rules: RuleSet): Derivation {
  const controlPlane = deriveControlPlane(declared, rules);
  const infrastructure = deriveInfrastructure(workerCount(declared), controlPlane.value);
  return {
    topology: { controlPlane: controlPlane.value, infrastructure: infrastructure.value },
    because: { controlPlane: controlPlane.because, infrastructure: infrastructure.because },
  };
}

function deriveControlPlane(declared: DeclaredReplicas, rules: RuleSet): Derived<ControlPlaneTopology> {
  const { controlPlane, arbiters } = declared;
  if (controlPlane === "external") return derived("External", "the control plane runs outside the cluster");
  const machines = count(controlPlane, "control-plane machine");
  if (rules === "current" && arbiters > 0 && controlPlane >= 2) {
    return derived("HighlyAvailableArbiter", `${machines} and ${count(arbiters, "arbiter")} keep a quorum`);
  }
  if (rules === "current" && controlPlane === 2) return derived("DualReplica", `${machines}, no arbiter`);
  if (controlPlane < 3) return derived("SingleReplica", `${machines}: fewer than 3${ignored(arbiters, rules)}`);
  return derived("HighlyAvailable", `${machines}: 3 or more${ignored(arbiters, rules)}`);
}

function deriveInfrastructure(workers: number, controlPlane: ControlPlaneTopology): Derived<InfrastructureTopology> {
  if (workers >= 2) return derived("HighlyAvailable", `${workers} workers: 2 or more`);
  if (workers === 1) return derived("SingleReplica", "1 worker");
  if (controlPlane === "External")
    return derived("HighlyAvailable", "no workers yet and no control-plane nodes: the default");
  const value = controlPlane === "SingleReplica" ? "SingleReplica" : "HighlyAvailable";
  return derived(value, `no workers: the control-plane nodes do their work, and those are ${controlPlane}`);
}

function ignored(arbiters: number, rules: RuleSet): string {
  return rules === "two-modes" && arbiters > 0
    ? `; the rules "two-modes" know no arbiters, so ${arbiters} went uncounted`
    : "";
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function derived<T>(value: T, because: string): Derived<T> {
  return { value, because };
}
