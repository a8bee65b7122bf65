// Bugs of the api-endpoint job about whose something is: marks, claims, holds, pauses, the user's host.

import { finalizerOf } from "../../../src/core/ownership.ts";
import type { Action } from "../../../src/core/plan.ts";
import { ownerIdAnnotation, pausedAnnotation } from "../../../src/jobs/api-endpoint/apis/annotations.ts";
import type { ObservedEndpoint } from "../../../src/jobs/api-endpoint/controller/observe.ts";
import type { BalancerObserved } from "../../../src/jobs/api-endpoint/core/model/observed.ts";
import { ownerTag } from "../../../src/jobs/api-endpoint/core/model/ownership.ts";
import {
  changingDoors,
  mapKnown,
  ours,
  planning,
  projectBug,
  reading,
  readingCluster,
  seeing,
  withActions,
} from "./endpoint-overrides.ts";
import type { Mutation } from "./mutation.ts";

export const endpointMarks: readonly Mutation[] = [
  {
    name: "names-prove-ownership",
    bug: "a balancer that bears our name is taken for ours",
    checker: "foreign-untouched",
    caughtAt: 5,
    ...seeing((observed) => ({
      ...observed,
      balancers: mapKnown(observed.balancers, (seen) => marked(seen, observed)),
    })),
  },
  {
    name: "balancer-of-capo-adopted",
    bug: "an APIEndpoint takes over the balancer that CAPO keeps for the same cluster",
    checker: "foreign-untouched",
    caughtAt: 5,
    ...seeing((observed) => {
      if (observed.intent.door !== "APIEndpoint") return observed;
      return { ...observed, balancers: mapKnown(observed.balancers, (seen) => marked(seen, observed)) };
    }),
  },
  {
    name: "host-overwritten",
    bug: "the balancer's own address is written over the user's host",
    checker: "host-stays",
    caughtAt: 21,
    ...changingDoors((feature) => ({
      plan: (observed, nowMs) => {
        const plan = feature.plan(observed, nowMs);
        const { intent } = observed as ObservedEndpoint;
        const [first] = ours(observed as ObservedEndpoint);
        if (first === undefined || intent.mode !== "single" || intent.endpoint === undefined || intent.deleting)
          return plan;
        if (intent.endpoint.host === first.balancer.vipAddress) return plan;
        const again = { kind: "set-endpoint", object: intent.object, host: first.balancer.vipAddress, port: 6443 };
        return withActions(plan, [{ ...again, because: "AsExpected" }]);
      },
      executors: {
        ...feature.executors,
        "set-endpoint": async (action, { kube }) => {
          const { object, host, port } = action as unknown as { object: { name: string }; host: string; port: number };
          const { metadata } = await kube.get(feature.root, object);
          const body = {
            metadata: { resourceVersion: metadata.resourceVersion },
            spec: { controlPlaneEndpoint: { host, port } },
          };
          await kube.patch(feature.root, object, { type: "merge", body });
        },
      },
    })),
  },
  {
    name: "made-before-claimed",
    bug: "balancers are made before the object says by which id they are found again",
    checker: "claimed-first",
    caughtAt: 5,
    ...reading((feature, object) => ({
      ...object,
      metadata: {
        ...object.metadata,
        annotations: { [ownerIdAnnotation]: object.metadata.uid ?? "", ...object.metadata.annotations },
        finalizers: [...new Set([...(object.metadata.finalizers ?? []), finalizerOf(feature.name)])],
      },
    })),
  },
  {
    name: "endpoint-let-go-first",
    bug: "the finalizer goes before what it protects",
    checker: "nothing-left",
    caughtAt: 37,
    ...planning((plan, { intent, object }) => {
      if (!intent.deleting || !object.hasFinalizer) return plan;
      const first = { kind: "remove-finalizer", object: intent.object, because: "EndpointDeleted" } as Action;
      return { ...plan, waits: [], actions: [first] };
    }),
  },
  {
    name: "floating-ips-not-waited-for",
    bug: "the finalizer goes when the balancers have gone, whatever became of their floating IPs",
    checker: "nothing-left",
    sees: /floating IP/,
    caughtAt: 5,
    ...planning((plan, observed) => {
      const { intent, object, balancers, machines } = observed;
      const isFree = intent.door === "APIEndpoint" || machines.length === 0;
      if (!intent.deleting || !object.hasFinalizer || object.paused || !isFree) return plan;
      if (!balancers.known || balancers.value.some(({ balancer }) => isMarked(balancer.tags, observed))) return plan;
      const early = { kind: "remove-finalizer", object: intent.object, because: "EndpointDeleted" } as Action;
      return { ...plan, waits: [], actions: [early] };
    }),
  },
  {
    name: "late-create-not-waited-for",
    bug: "the finalizer goes although the cloud may still make a balancer that was asked for",
    checker: "nothing-left",
    sees: /came after/,
    caughtAt: 557,
    ...planning((plan, { intent }) => {
      const isWaiting = plan.waits.some(({ reason }) => reason === "LoadBalancerUnanswered");
      if (!intent.deleting || !isWaiting) return plan;
      const early = { kind: "remove-finalizer", object: intent.object, because: "EndpointDeleted" } as Action;
      return withActions({ ...plan, waits: [] }, [early]);
    }),
  },
  {
    name: "project-not-compared",
    bug: "every project is taken for the one where an object's things are, whatever its credentials lead to",
    checker: "strayed-is-still",
    caughtAt: 45,
    ...projectBug(
      (project) => ({
        ...project,
        identify: async (options) => ({ ...(await project.identify(options)), projectId: "any" }),
      }),
      { habit: "wrong-credentials" },
    ),
  },
  {
    name: "pause-overlooked",
    bug: "an object that is paused is looked after as ever",
    checker: "paused-is-silent",
    caughtAt: 37,
    ...reading((_feature, object) => {
      const { [pausedAnnotation]: _gone, ...annotations } = object.metadata.annotations ?? {};
      return { ...object, metadata: { ...object.metadata, annotations } };
    }),
  },
  {
    name: "paused-cluster-overlooked",
    bug: "a Cluster that is paused is looked after as ever, unless its infrastructure is paused, too",
    checker: "paused-is-silent",
    sees: /by its Cluster/,
    caughtAt: 61,
    ...readingCluster((cluster) => {
      const { spec = {} } = cluster as { readonly spec?: object };
      return { ...cluster, spec: { ...spec, paused: false } } as typeof cluster;
    }),
  },
];

function marked(seen: BalancerObserved, { intent }: ObservedEndpoint): BalancerObserved {
  const { balancer } = seen;
  const hasOwner = intent.ownerId === undefined || balancer.tags.some((tag) => tag.startsWith("mainstay-owner="));
  if (hasOwner) return seen;
  return { ...seen, balancer: { ...balancer, tags: [...balancer.tags, ownerTag(intent.ownerId ?? "")] } };
}

function isMarked(tags: readonly string[], { intent }: ObservedEndpoint): boolean {
  return intent.ownerId !== undefined && tags.includes(ownerTag(intent.ownerId));
}
