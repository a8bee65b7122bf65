// Does a published topology fit these numbers of machines? For reports only. Numbers of Nodes may be compared with a
// topology here; they must never become one.

import type { KubeObject } from "../../../apis/kube/kube-object.ts";
import type { TopologyField } from "./declaration.ts";

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

/** What was counted: Nodes that there are, or replicas that are declared today. */
export type Counted = "nodes" | "declared";

export interface Misfit {
  readonly field: TopologyField;
  /** For people. */
  readonly words: string;
}

/** One for each field that does not fit. Values this version does not know fit everything. */
export function misfits(
  published: Readonly<Record<TopologyField, string>>,
  counts: MachineCounts,
  counted: Counted,
): readonly Misfit[] {
  const misfit = (field: TopologyField, fits: boolean, but: string): readonly Misfit[] =>
    fits ? [] : [{ field, words: `${field}Topology is ${published[field]}, but ${but}` }];
  return [
    ...misfit("controlPlane", controlPlaneFits(published.controlPlane, counts), controlPlaneWords(counts, counted)),
    ...misfit("infrastructure", infrastructureFits(published.infrastructure, counts), workerWords(counts, counted)),
  ];
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

function controlPlaneWords({ controlPlane, arbiters }: MachineCounts, counted: Counted): string {
  if (controlPlane === "external") return "the control plane is external";
  const arbitersToo = arbiters > 0 ? ` and ${count(arbiters, "arbiter")}` : "";
  const machines = count(controlPlane, `control-plane ${machineWord[counted]}`);
  return there(`${machines}${arbitersToo}`, controlPlane !== 1 || arbiters > 0, counted);
}

/** Without workers the control-plane nodes do their work, so that those count. */
function workerWords({ controlPlane, workers }: MachineCounts, counted: Counted): string {
  if (workers > 0) return there(count(workers, `worker ${machineWord[counted]}`), workers !== 1, counted);
  const none = there(`no worker ${machineWord[counted]}s`, true, counted);
  if (controlPlane === "external") return `${none}, and the control plane is external`;
  const work = controlPlane === 1 ? "does their work" : "do their work";
  return `${none}: ${count(controlPlane, `control-plane ${machineWord[counted]}`)} ${work}`;
}

const machineWord: Readonly<Record<Counted, string>> = { nodes: "node", declared: "machine" };

function there(what: string, isPlural: boolean, counted: Counted): string {
  const verb = isPlural ? "are" : "is";
  return counted === "declared" ? `${what} ${verb} declared` : `there ${verb} ${what}`;
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
