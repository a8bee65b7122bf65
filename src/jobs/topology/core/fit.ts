// Does a published topology fit these numbers of machines? For reports only. Numbers of Nodes may be compared with a
// topology here; they must never become one.

import type { KubeObject } from "../../../apis/kube/kube-object.ts";

export interface MachineCounts {
  readonly controlPlane: number | "external";
  readonly workers: number;
  readonly arbiters: number;
}

export interface NodesSeen {
  readonly controlPlane: number;
  readonly readyControlPlane: number;
  /** Neither control plane nor arbiter. */
  readonly workers: number;
  readonly arbiters: number;
}

/** A cluster that has no Nodes yet cannot be compared with anything. */
export function noneSeen({ controlPlane, workers, arbiters }: NodesSeen): boolean {
  return controlPlane + workers + arbiters === 0;
}

/** One sentence per misfit. Values this version does not know fit everything. */
export function misfits(published: { controlPlane: string; infrastructure: string }, counts: MachineCounts): string[] {
  const controlPlane = controlPlaneFits(published.controlPlane, counts)
    ? []
    : [`control plane ${published.controlPlane} does not fit ${describeControlPlane(counts)}`];
  const infrastructure = infrastructureFits(published.infrastructure, counts)
    ? []
    : [`infrastructure ${published.infrastructure} does not fit ${describeWorkers(counts)}`];
  return [...controlPlane, ...infrastructure];
}

function controlPlaneFits(value: string, { controlPlane, arbiters }: MachineCounts): boolean {
  const machines = controlPlane === "external" ? 0 : controlPlane;
  switch (value) {
    case "HighlyAvailable":
      return machines >= 3;
    case "HighlyAvailableArbiter":
      return machines >= 2 && arbiters >= 1;
    case "DualReplica":
      return machines === 2;
    case "SingleReplica":
      return machines === 1 || machines === 2;
    case "External":
      return machines === 0;
    default:
      return true;
  }
}

function infrastructureFits(value: string, { controlPlane, workers }: MachineCounts): boolean {
  const onControlPlane = controlPlane === "external" ? 0 : controlPlane;
  switch (value) {
    case "HighlyAvailable":
      return workers >= 2 || (workers === 0 && onControlPlane !== 1);
    case "SingleReplica":
      return workers === 1 || (workers === 0 && onControlPlane < 3);
    default:
      return true;
  }
}

function describeControlPlane({ controlPlane, arbiters }: MachineCounts): string {
  const machines =
    controlPlane === "external" ? "an external control plane" : count(controlPlane, "control-plane machine");
  return arbiters > 0 ? `${machines} and ${count(arbiters, "arbiter")}` : machines;
}

function describeWorkers(counts: MachineCounts): string {
  return counts.workers > 0
    ? count(counts.workers, "worker")
    : `no workers and ${describeControlPlane({ ...counts, arbiters: 0 })}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

interface NodeLike extends KubeObject {
  readonly spec?: { readonly unschedulable?: boolean };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

const role = (name: string) => `node-role.kubernetes.io/${name}`;

export function countNodes(nodes: readonly KubeObject[]): NodesSeen {
  const controlPlane = nodes.filter((node) => hasRole(node, "control-plane", "master"));
  const arbiters = nodes.filter((node) => hasRole(node, "arbiter"));
  return {
    controlPlane: controlPlane.length,
    readyControlPlane: controlPlane.filter(isReady).length,
    workers: nodes.filter((node) => !hasRole(node, "control-plane", "master", "arbiter")).length,
    arbiters: arbiters.length,
  };
}

function hasRole(node: KubeObject, ...names: readonly string[]): boolean {
  return names.some((name) => node.metadata.labels?.[role(name)] !== undefined);
}

function isReady(node: NodeLike): boolean {
  const ready = node.status?.conditions?.find(({ type }) => type === "Ready");
  return ready?.status === "True" && node.spec?.unschedulable !== true;
}
