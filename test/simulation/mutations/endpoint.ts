// Bugs in the api-endpoint job: in what is planned, in what is seen, and on the way to the cloud.

import { ownerIdAnnotation, pausedAnnotation } from "../../../src/apis/api-endpoint-annotations.ts";
import type { KubeObject } from "../../../src/apis/kube-object.ts";
import type { ObservedEndpoint } from "../../../src/controllers/api-endpoint/observe.ts";
import { isHealthy, membersBehind } from "../../../src/core/api-endpoint/health.ts";
import type { BalancerObserved } from "../../../src/core/api-endpoint/observed.ts";
import { hasOwnerTag, ownerTag, zoneTagOf } from "../../../src/core/api-endpoint/ownership.ts";
import { finalizerOf } from "../../../src/core/ownership.ts";
import type { Action, Plan } from "../../../src/core/plan.ts";
import type { Feature, Reader } from "../../../src/engine/feature.ts";
import type { Neutron } from "../../../src/ports/neutron.ts";
import type { Octavia } from "../../../src/ports/octavia.ts";
import type { OpenStackProject } from "../../../src/ports/openstack.ts";
import type { Mutation } from "./mutation.ts";

export const endpoint: readonly Mutation[] = [
  {
    name: "zone-removed-at-once",
    bug: "the balancer of a zone that is no longer mapped goes before another one serves",
    checker: "last-way-stays",
    caughtAt: 61,
    ...planning((plan, observed) => withActions(plan, unmapped(observed).map(deleting))),
  },
  {
    name: "pool-emptied-first",
    bug: "where a member is missing, one that is there goes first",
    checker: "replaced-before-removed",
    caughtAt: 53,
    ...planning((plan, observed) => ({ ...plan, actions: plan.actions.map((action) => emptying(action, observed)) })),
  },
  {
    name: "names-prove-ownership",
    bug: "a balancer that bears our name is taken for ours",
    checker: "strangers-untouched",
    caughtAt: 13,
    ...seeing((observed) => ({
      ...observed,
      balancers: mapKnown(observed.balancers, (seen) => marked(seen, observed)),
    })),
  },
  {
    name: "floating-ip-taken",
    bug: "instead of a new floating IP a balancer gets the one of its neighbour",
    checker: "floating-ip-stays",
    caughtAt: 13,
    ...neutronBug((neutron) => ({
      createFloatingIp: async (wanted, options) => {
        const [mark = ""] = wanted.description.split(", zone");
        const all = await neutron.listFloatingIps({}, options);
        const taken = all.find(({ description, portId }) => description.startsWith(mark) && portId !== undefined);
        if (taken === undefined || wanted.portId === undefined) return await neutron.createFloatingIp(wanted, options);
        return await neutron.updateFloatingIp(taken.id, { portId: wanted.portId }, options);
      },
    })),
  },
  {
    name: "floating-ip-made-twice",
    bug: "a floating IP is made without its port, and another one when something goes wrong",
    checker: "one-floating-ip-per-zone",
    caughtAt: 357,
    ...neutronBug((neutron) => ({
      createFloatingIp: async ({ portId, ...wanted }, options) => {
        const make = async () => {
          const made = await neutron.createFloatingIp(wanted, options);
          return portId === undefined ? made : await neutron.updateFloatingIp(made.id, { portId }, options);
        };
        return await make().catch(make);
      },
    })),
  },
  {
    name: "balancers-known-by-memory",
    bug: "what was made is remembered by the process, not found by its mark: a successor makes it again",
    checker: "one-balancer-per-zone",
    sees: /2 balancers/,
    caughtAt: 5,
    ...octaviaBug((octavia) => {
      const made = new Set<string>();
      return {
        listLoadBalancers: async (query, options) =>
          (await octavia.listLoadBalancers(query, options)).filter(({ id, tags }) => made.has(id) || tags.length === 0),
        createLoadBalancer: async (wanted, options) => {
          const balancer = await octavia.createLoadBalancer(wanted, options);
          made.add(balancer.id);
          return balancer;
        },
      };
    }),
  },
  {
    name: "balancer-without-mark",
    bug: "balancers are made without tags",
    checker: "one-balancer-per-zone",
    sees: /without a mark/,
    caughtAt: 5,
    ...octaviaBug((octavia) => ({
      createLoadBalancer: (wanted, options) => octavia.createLoadBalancer({ ...wanted, tags: [] }, options),
    })),
  },
  {
    name: "balancer-rebuilt-for-nothing",
    bug: "a port that is added makes the whole balancer be built anew",
    checker: "addresses-stay",
    sees: /was wanted, whole, and deleted/,
    caughtAt: 149,
    ...planning((plan, observed) => ({ ...plan, actions: plan.actions.map((action) => rebuilding(action, observed)) })),
  },
  {
    name: "vip-not-asked-for",
    bug: "a balancer that is made again gets whatever address comes next",
    checker: "addresses-stay",
    sees: /came back with VIP/,
    caughtAt: 61,
    ...octaviaBug((octavia) => ({
      createLoadBalancer: ({ vipAddress: _wanted, ...wanted }, options) => octavia.createLoadBalancer(wanted, options),
    })),
  },
  {
    name: "prepared-floating-ip-overlooked",
    bug: "a floating IP that waits for its zone is not looked for",
    checker: "addresses-stay",
    sees: /was free for it/,
    caughtAt: 549,
    ...neutronBug((neutron) => ({
      listFloatingIps: async (query, options) =>
        (await neutron.listFloatingIps(query, options)).filter(
          ({ portId, description }) => portId !== undefined || !description.startsWith("prepared"),
        ),
    })),
  },
  {
    name: "host-overwritten",
    bug: "the balancer's own address is written over the user's host",
    checker: "host-stays",
    caughtAt: 5,
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
    caughtAt: 5,
    ...planning((plan, { intent, object }) => {
      if (!intent.deleting || !object.hasFinalizer) return plan;
      const first = { kind: "remove-finalizer", object: intent.object, because: "EndpointDeleted" } as Action;
      return { ...plan, waits: [], actions: [first] };
    }),
  },
  {
    name: "pause-overlooked",
    bug: "an object that is paused is looked after as ever",
    checker: "paused-is-silent",
    caughtAt: 61,
    ...reading((_feature, object) => {
      const { [pausedAnnotation]: _gone, ...annotations } = object.metadata.annotations ?? {};
      return { ...object, metadata: { ...object.metadata, annotations } };
    }),
  },
  {
    name: "every-look-is-a-full-one",
    bug: "when a balancer last changed is not read, so each look asks for everything",
    checker: "few-calls-when-quiet",
    caughtAt: 5,
    ...octaviaBug((octavia) => ({
      listLoadBalancers: async (query, options) =>
        (await octavia.listLoadBalancers(query, options)).map(({ updatedAt: _unread, ...balancer }) => balancer),
    })),
  },
  {
    name: "zones-wait-for-each-other",
    bug: "while one zone waits or is broken, no other gets anything",
    checker: "converges",
    caughtAt: 5,
    ...planning((plan) => {
      const lanes = new Set([...plan.waits, ...plan.refusals].flatMap(({ lane }) => lane ?? []));
      return lanes.size === 0 ? plan : { ...plan, actions: plan.actions.filter(({ lane }) => lane === undefined) };
    }),
  },
  {
    name: "password-in-error",
    bug: "an error of the cloud repeats the password",
    checker: "no-secret-shown",
    sees: /octavia/,
    caughtAt: 53,
    endpoint: () => ({
      openStack: (openStack) => ({
        project: (config) => {
          const project = openStack.project(config);
          const { auth } = config;
          const secret = auth.type === "password" ? auth.password : "";
          const createListener: Octavia["createListener"] = (wanted, options) =>
            project.octavia.createListener(wanted, options).catch((error: unknown) => {
              throw Object.assign(new Error(`refused for demo:${secret}`), { cause: error });
            });
          return { ...project, octavia: { ...project.octavia, createListener } };
        },
      }),
    }),
  },
  {
    name: "openstack-deadline-past-the-fence",
    bug: "calls to OpenStack have a minute to arrive, however their round ended and whoever leads by then",
    checker: "late-writes-harmless",
    sees: /cloud .* arrived/,
    caughtAt: 797,
    ...projectBug((project) => ({
      ...project,
      octavia: unfenced(project.octavia),
      neutron: unfenced(project.neutron),
    })),
  },
];

type Change = (feature: Feature) => Partial<Feature>;

const doors = new Set(["openstack-cluster", "api-endpoint"]);

function changingDoors(change: Change): Pick<Mutation, "seams"> {
  return {
    seams: () => ({
      features: (features) =>
        features.map((feature) => (doors.has(feature.name) ? { ...feature, ...change(feature) } : feature)),
    }),
  };
}

function planning(change: (plan: Plan, observed: ObservedEndpoint) => Plan): Pick<Mutation, "seams"> {
  return changingDoors((feature) => ({
    plan: (observed, nowMs) => change(feature.plan(observed, nowMs), observed as ObservedEndpoint),
  }));
}

function seeing(change: (observed: ObservedEndpoint) => ObservedEndpoint): Pick<Mutation, "seams"> {
  return changingDoors((feature) => ({
    observe: async (key, reader) => {
      const observed = (await feature.observe(key, reader)) as ObservedEndpoint | undefined;
      return observed === undefined ? undefined : change(observed);
    },
  }));
}

/** The object is not what it is when it is read. */
function reading(change: (feature: Feature, object: KubeObject) => KubeObject): Pick<Mutation, "seams"> {
  return changingDoors((feature) => ({
    observe: (key, reader) => {
      const cached = ((kind) => {
        const store = reader.cached(kind);
        if (kind.plural !== feature.root.plural) return store;
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

function projectBug(change: (project: OpenStackProject) => OpenStackProject): Pick<Mutation, "endpoint"> {
  return {
    endpoint: () => ({
      openStack: (openStack) => ({ project: (config) => change(openStack.project(config)) }),
    }),
  };
}

function octaviaBug(bug: (octavia: Octavia) => Partial<Octavia>): Pick<Mutation, "endpoint"> {
  return projectBug((project) => ({ ...project, octavia: { ...project.octavia, ...bug(project.octavia) } }));
}

function neutronBug(bug: (neutron: Neutron) => Partial<Neutron>): Pick<Mutation, "endpoint"> {
  return projectBug((project) => ({ ...project, neutron: { ...project.neutron, ...bug(project.neutron) } }));
}

function unfenced<P extends object>(port: P): P {
  const methods = Object.entries(port as Readonly<Record<string, (...args: unknown[]) => unknown>>);
  const bare = methods.map(([name, method]) => [
    name,
    (...args: unknown[]) => method(...args.map((arg) => (isOptions(arg) ? { deadlineMs: 60_000 } : arg))),
  ]);
  return Object.fromEntries(bare) as P;
}

function isOptions(arg: unknown): boolean {
  return typeof arg === "object" && arg !== null && "signal" in arg && "fence" in arg;
}

function withActions(plan: Plan, actions: readonly Action[]): Plan {
  return { ...plan, actions: [...plan.actions, ...actions] };
}

function ours({ intent, balancers }: ObservedEndpoint): readonly BalancerObserved[] {
  const { ownerId } = intent;
  if (ownerId === undefined || !balancers.known) return [];
  return balancers.value
    .filter(({ balancer }) => hasOwnerTag(balancer.tags, ownerId) && balancer.provisioningStatus === "ACTIVE")
    .map((seen) => ({ ...seen, object: intent.object }))
    .toSorted((a, b) => (a.balancer.id < b.balancer.id ? -1 : 1));
}

function rebuilding(action: Action, observed: ObservedEndpoint): Action {
  if (action.kind !== "create-listener") return action;
  const { wanted } = action as unknown as { readonly wanted: { readonly loadBalancerId: string } };
  const serving = ours(observed).filter((seen) => membersBehind(seen, observed.intent.apiPort).some(isHealthy));
  const seen = serving.find(({ balancer }) => balancer.id === wanted.loadBalancerId);
  // Where another one serves as well, it is not the last way that is lost.
  return seen === undefined || serving.length < 2 ? action : deleting(seen);
}

function unmapped(observed: ObservedEndpoint): readonly BalancerObserved[] {
  const { intent, object } = observed;
  if (intent.deleting || object.paused || intent.mode !== "zones") return [];
  const mapped = new Set<string | undefined>(intent.zones.map(({ zone }) => zone));
  return ours(observed).filter(({ balancer }) => !mapped.has(zoneTagOf(balancer.tags)));
}

function deleting({ balancer, ...rest }: BalancerObserved): Action {
  const { id, name } = balancer;
  const object = "object" in rest ? rest.object : undefined;
  const lane = zoneTagOf(balancer.tags) ?? "legacy";
  return { kind: "delete-load-balancer", id, name, lane, removes: name, object, because: "ZoneRemoved" } as Action;
}

function emptying(action: Action, observed: ObservedEndpoint): Action {
  if (action.kind !== "merge-members") return action;
  const { poolId } = action as unknown as { readonly poolId: string };
  // Where another balancer serves as well, it is not the last way that is lost.
  if (ours(observed).filter(({ balancer }) => balancer.operatingStatus === "ONLINE").length < 2) return action;
  const seen = ours(observed).find(({ tree }) => tree.known && tree.value.pools.some(({ id }) => id === poolId));
  const [member] = (seen === undefined ? [] : membersBehind(seen, observed.intent.apiPort)).toSorted((a, b) =>
    a.id < b.id ? -1 : 1,
  );
  if (member === undefined || member.operatingStatus !== "ONLINE") return action;
  const { id, name, address } = member;
  return { ...action, kind: "remove-member", id, name, address, removes: name } as Action;
}

function mapKnown(
  balancers: ObservedEndpoint["balancers"],
  change: (seen: BalancerObserved) => BalancerObserved,
): ObservedEndpoint["balancers"] {
  return balancers.known ? { ...balancers, value: balancers.value.map(change) } : balancers;
}

function marked(seen: BalancerObserved, { intent }: ObservedEndpoint): BalancerObserved {
  const { balancer } = seen;
  const isMarked = intent.ownerId === undefined || balancer.tags.some((tag) => tag.startsWith("mainstay-owner="));
  if (isMarked) return seen;
  return { ...seen, balancer: { ...balancer, tags: [...balancer.tags, ownerTag(intent.ownerId ?? "")] } };
}
