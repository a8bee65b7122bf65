// Shapes a Deployment for a topology: replicas, anti-affinity, roll-out, node selector, and the disruption budget beside
// it. Applying twice changes nothing, and only what the topology decides is touched.

import type { Topology } from "../apis/infrastructure.ts";
import { desiredReplicas, nodeSelectorFor, type ReplicaOptions, type Scope } from "./operands.ts";

export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly unknown[];
}

export interface PodAffinityTerm {
  readonly topologyKey: string;
  readonly labelSelector?: LabelSelector;
  readonly [other: string]: unknown;
}

export interface PodAntiAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly {
    readonly weight: number;
    readonly podAffinityTerm: PodAffinityTerm;
  }[];
}

interface Affinity {
  readonly podAntiAffinity?: PodAntiAffinity;
  readonly [other: string]: unknown;
}

interface PodSpec {
  readonly affinity?: Affinity;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly hostNetwork?: boolean;
  readonly containers?: readonly { readonly ports?: readonly { readonly hostPort?: number }[] }[];
  readonly [other: string]: unknown;
}

export interface Deployment {
  readonly spec: {
    readonly replicas?: number;
    readonly selector: LabelSelector;
    readonly strategy?: UpdateStrategy;
    readonly template: { readonly spec?: PodSpec; readonly [other: string]: unknown };
    readonly [other: string]: unknown;
  };
  readonly [other: string]: unknown;
}

export type UpdateStrategy =
  | {
      readonly type?: "RollingUpdate";
      readonly rollingUpdate?: { readonly maxUnavailable?: number | string; readonly maxSurge?: number | string };
    }
  | { readonly type?: "Recreate"; readonly rollingUpdate?: never };

export interface HighAvailabilityOptions extends ReplicaOptions {
  readonly scope: Scope;
  readonly topology: Topology;
}

const hostname = "kubernetes.io/hostname";
const fullWeight = 100;

/**
 * Pods of one operand on different nodes. Two must be apart. Three or more on other nodes than the control plane should
 * be, so that a cluster with fewer nodes still runs them all. One has nobody to be apart from.
 */
export function podAntiAffinity(scope: Scope, replicas: number, selector: LabelSelector): PodAntiAffinity | undefined {
  if (replicas <= 1) return undefined;
  const term: PodAffinityTerm = { topologyKey: hostname, labelSelector: selector };
  return replicas >= 3 && scope === "infrastructure"
    ? { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: fullWeight, podAffinityTerm: term }] }
    : { requiredDuringSchedulingIgnoredDuringExecution: [term] };
}

/**
 * With a hard anti-affinity a new Pod may find no free node, and with a host port it never does: the old one has to go
 * first. Kubernetes rounds 25 % of a few Pods down to none and then, as surge is none too, allows one.
 */
export function updateStrategyFor(scope: Scope, replicas: number, holdsHostPort = false): UpdateStrategy {
  if (replicas <= 1 && holdsHostPort) return { type: "Recreate" };
  const oldOneFirst =
    holdsHostPort || podAntiAffinity(scope, replicas, {})?.requiredDuringSchedulingIgnoredDuringExecution;
  return { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "25%", maxSurge: oldOneFirst ? 0 : "25%" } };
}

export interface DisruptionBudget {
  readonly apiVersion: "policy/v1";
  readonly kind: "PodDisruptionBudget";
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: {
    readonly maxUnavailable: 1;
    readonly unhealthyPodEvictionPolicy: "AlwaysAllow";
    readonly selector: LabelSelector;
  };
}

/** Undefined for one replica or none: a budget would only block drains. Delete the one from before. */
export function disruptionBudgetFor(
  {
    name,
    namespace,
    selector,
  }: { readonly name: string; readonly namespace: string; readonly selector: LabelSelector },
  replicas: number,
): DisruptionBudget | undefined {
  if (replicas <= 1) return undefined;
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name, namespace },
    spec: { maxUnavailable: 1, unhealthyPodEvictionPolicy: "AlwaysAllow", selector },
  };
}

/** The Deployment as it should be: a copy, with every field it does not decide left as it was. */
export function applyHighAvailability<T extends Deployment>(deployment: T, options: HighAvailabilityOptions): T {
  const { topology } = options;
  // Without control-plane nodes the operand runs on the others, whose topology then decides.
  const scope = desiredReplicas(options.scope, topology).schedulable ? options.scope : "infrastructure";
  const { replicas } = desiredReplicas(scope, topology, options);
  const { spec } = deployment;
  const pod = spec.template.spec ?? {};
  return {
    ...deployment,
    spec: {
      ...spec,
      replicas,
      strategy: updateStrategyFor(scope, replicas, holdsHostPort(pod)),
      template: {
        ...spec.template,
        spec: withPlacement(pod, podAntiAffinity(scope, replicas, spec.selector), spec.selector, options),
      },
    },
  };
}

function withPlacement(
  pod: PodSpec,
  wanted: PodAntiAffinity | undefined,
  selector: LabelSelector,
  { scope, topology }: HighAvailabilityOptions,
): PodSpec {
  const { affinity, nodeSelector, ...rest } = pod;
  const nextAffinity = withAntiAffinity(affinity ?? {}, wanted, selector);
  const nextSelector = withoutControlPlane(nodeSelector ?? {}, scope, topology);
  return {
    ...rest,
    ...(Object.keys(nextAffinity).length === 0 ? {} : { affinity: nextAffinity }),
    ...(Object.keys(nextSelector).length === 0 ? {} : { nodeSelector: nextSelector }),
  };
}

/** Our own terms go, whichever way they were set before; terms about other Pods or other domains stay. */
function withAntiAffinity(affinity: Affinity, wanted: PodAntiAffinity | undefined, selector: LabelSelector): Affinity {
  const isOurs = (term: PodAffinityTerm) =>
    term.topologyKey === hostname && canonical(term.labelSelector) === canonical(selector);
  const { podAntiAffinity: before = {}, ...others } = affinity;
  const required = [
    ...(before.requiredDuringSchedulingIgnoredDuringExecution ?? []).filter((term) => !isOurs(term)),
    ...(wanted?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
  ];
  const preferred = [
    ...(before.preferredDuringSchedulingIgnoredDuringExecution ?? []).filter(
      ({ podAffinityTerm }) => !isOurs(podAffinityTerm),
    ),
    ...(wanted?.preferredDuringSchedulingIgnoredDuringExecution ?? []),
  ];
  const after: PodAntiAffinity = {
    ...(required.length === 0 ? {} : { requiredDuringSchedulingIgnoredDuringExecution: required }),
    ...(preferred.length === 0 ? {} : { preferredDuringSchedulingIgnoredDuringExecution: preferred }),
  };
  return Object.keys(after).length === 0 ? others : { ...others, podAntiAffinity: after };
}

const controlPlaneRoles = ["node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master"];

/** Without control-plane nodes a selector for them would keep every Pod pending; other selectors are the author's. */
function withoutControlPlane(selector: Readonly<Record<string, string>>, scope: Scope, topology: Topology) {
  if (scope === "infrastructure") return selector;
  const wanted = nodeSelectorFor(scope, topology);
  if (Object.keys(wanted).length > 0) return { ...selector, ...wanted };
  return Object.fromEntries(Object.entries(selector).filter(([label]) => !controlPlaneRoles.includes(label)));
}

function holdsHostPort(pod: PodSpec): boolean {
  const ports = (pod.containers ?? []).flatMap((container) => container.ports ?? []);
  return pod.hostNetwork === true || ports.some((port) => port.hostPort !== undefined);
}

/** The same text for equal values, whatever the order of keys. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === "object" && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ) ?? ""
  );
}
