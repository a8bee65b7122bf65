// Where a deliberate bug of the api-endpoint job is put in: between features and their caches, in what they see and plan, and on the way to
// the cloud.

import { clusters } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import { dnsEndpoints } from "../../../src/apis/external-dns/dns-endpoint.ts";
import type { Kind, KubeObject } from "../../../src/apis/kube/kube-object.ts";
import { KubeError } from "../../../src/core/kube-error.ts";
import type { Action, Plan } from "../../../src/core/plan.ts";
import type { Feature, Reader, Writer } from "../../../src/engine/feature.ts";
import type { ObservedEndpoint } from "../../../src/jobs/api-endpoint/controller/observe.ts";
import type { BalancerObserved } from "../../../src/jobs/api-endpoint/core/model/observed.ts";
import { hasOwnerTag } from "../../../src/jobs/api-endpoint/core/model/ownership.ts";
import type { EndpointOverrides } from "../../../src/jobs/api-endpoint/sim/api-endpoint-job.ts";
import type { Kube } from "../../../src/ports/kube.ts";
import type { Neutron } from "../../../src/ports/neutron.ts";
import type { Octavia } from "../../../src/ports/octavia.ts";
import type { CloudWriteOptions, OpenStackProject } from "../../../src/ports/openstack.ts";
import type { Mutation } from "./mutation.ts";

type Change = (feature: Feature) => Partial<Feature>;

const doors = new Set(["openstack-cluster", "api-endpoint"]);

export function changingDoors(change: Change): Pick<Mutation, "overrides"> {
  return {
    overrides: () => ({
      features: (features) =>
        features.map((feature) => (doors.has(feature.name) ? { ...feature, ...change(feature) } : feature)),
    }),
  };
}

type PlanChange = (plan: Plan, observed: ObservedEndpoint) => Plan;

export function planning(change: PlanChange): Pick<Mutation, "overrides"> {
  return changingDoors((feature) => ({ plan: changedPlan(feature, change) }));
}

/** The records are also not read once more before an address is given back: that look alone would hide a bug of the plan. */
export function planningUnguarded(change: PlanChange): Pick<Mutation, "overrides"> {
  return changingDoors((feature) => ({
    plan: changedPlan(feature, change),
    executors: Object.fromEntries(
      Object.entries(feature.executors).map(([kind, execute]) => [
        kind,
        (action: Action, writer: Writer) => execute(action, { ...writer, kube: withoutRecords(writer.kube) }),
      ]),
    ),
  }));
}

function changedPlan(feature: Feature, change: PlanChange): Feature["plan"] {
  return (observed, nowMs) => {
    const seen = observed as ObservedEndpoint;
    const plan = change(feature.plan(observed, nowMs), seen);
    // As every action of ours, those of the bug say whom they are for.
    return { ...plan, actions: plan.actions.map((action) => ({ uid: seen.object.uid, ...action })) };
  };
}

function withoutRecords(kube: Kube): Kube {
  const get: Kube["get"] = async (kind, ref, options) => {
    if (kind.plural === dnsEndpoints.plural) throw new KubeError({ code: "NotFound", message: "not looked at" });
    return await kube.get(kind, ref, options);
  };
  return new Proxy(kube, {
    get: (target, name) => (name === "get" ? get : Reflect.get(target, name)),
  });
}

export function seeing(change: (observed: ObservedEndpoint) => ObservedEndpoint): Pick<Mutation, "overrides"> {
  return changingDoors((feature) => ({
    observe: async (key, reader) => {
      const observed = (await feature.observe(key, reader)) as ObservedEndpoint | undefined;
      return observed === undefined ? undefined : change(observed);
    },
  }));
}

/** The object is not what it is when it is read. */
export function reading(change: (feature: Feature, object: KubeObject) => KubeObject): Pick<Mutation, "overrides"> {
  return readingKind((feature) => feature.root, change);
}

/** Nor is the Cluster that it stands for. */
export function readingCluster(change: (cluster: KubeObject) => KubeObject): Pick<Mutation, "overrides"> {
  return readingKind(
    () => clusters,
    (_feature, cluster) => change(cluster),
  );
}

function readingKind(
  kindOf: (feature: Feature) => Kind,
  change: (feature: Feature, object: KubeObject) => KubeObject,
): Pick<Mutation, "overrides"> {
  return changingDoors((feature) => ({
    observe: (key, reader) => {
      const cached = ((kind) => {
        const store = reader.cached(kind);
        if (kind.plural !== kindOf(feature).plural) return store;
        return {
          list: () => store.list(),
          byIndex: (index, value) => store.byIndex(index, value),
          hasSynced: () => store.hasSynced(),
          state: store.state,
          get: (ref) => {
            const found = store.get(ref);
            return found === undefined ? undefined : change(feature, found);
          },
        };
      }) as Reader["cached"];
      return feature.observe(key, { ...reader, cached });
    },
  }));
}

/** What it remembers lives as long as its process. */
export function projectBug(
  change: (project: OpenStackProject) => OpenStackProject,
  world: Pick<EndpointOverrides, "habit"> = {},
): Pick<Mutation, "endpoint"> {
  return {
    endpoint: () => ({
      ...world,
      openStack: (openStack) => {
        const changed = new Map<OpenStackProject, OpenStackProject>();
        return {
          project: (config) => {
            const project = openStack.project(config);
            const bugged = changed.get(project) ?? change(project);
            changed.set(project, bugged);
            return bugged;
          },
        };
      },
    }),
  };
}

export function octaviaBug(bug: (octavia: Octavia) => Partial<Octavia>): Pick<Mutation, "endpoint"> {
  return projectBug((project) => ({ ...project, octavia: { ...project.octavia, ...bug(project.octavia) } }));
}

export function neutronBug(bug: (neutron: Neutron) => Partial<Neutron>): Pick<Mutation, "endpoint"> {
  return projectBug((project) => ({ ...project, neutron: { ...project.neutron, ...bug(project.neutron) } }));
}

/** Calls that change something, with other options than they were given. */
export function writingWith<P extends object>(port: P, change: (options: CloudWriteOptions) => CloudWriteOptions): P {
  const methods = Object.entries(port as Readonly<Record<string, (...args: unknown[]) => unknown>>);
  const changed = methods.map(([name, method]) => [
    name,
    (...args: unknown[]) => method(...args.map((arg) => (isWriteOptions(arg) ? change(arg) : arg))),
  ]);
  return Object.fromEntries(changed) as P;
}

function isWriteOptions(arg: unknown): arg is CloudWriteOptions {
  return typeof arg === "object" && arg !== null && "signal" in arg && "fence" in arg;
}

export function withActions(plan: Plan, actions: readonly Action[]): Plan {
  return { ...plan, actions: [...plan.actions, ...actions] };
}

export function ours({ intent, balancers }: ObservedEndpoint): readonly BalancerObserved[] {
  const { ownerId } = intent;
  if (ownerId === undefined || !balancers.known) return [];
  return balancers.value
    .filter(({ balancer }) => hasOwnerTag(balancer.tags, ownerId) && balancer.provisioningStatus === "ACTIVE")
    .map((seen) => ({ ...seen, object: intent.object }))
    .toSorted((a, b) => (a.balancer.id < b.balancer.id ? -1 : 1));
}

export function mapKnown(
  balancers: ObservedEndpoint["balancers"],
  change: (seen: BalancerObserved) => BalancerObserved,
): ObservedEndpoint["balancers"] {
  return balancers.known ? { ...balancers, value: balancers.value.map(change) } : balancers;
}
