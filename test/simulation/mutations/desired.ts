// Bugs in what is made and taken away: order, doubles, leaks, what was promised to stay.

import { configMaps } from "../../../src/apis/kube/builtin-kinds.ts";
import { hasFinalizer, isBeingDeleted } from "../../../src/core/ownership.ts";
import type { Action, Plan } from "../../../src/core/plan.ts";
import type { TopologyObserved } from "../../../src/jobs/topology/core/assess.ts";
import { finalizer, type SpecimenObserved } from "../../../src/sim/specimen/plan-specimen.ts";
import { changing, changingSpecimen, type Mutation } from "./mutation.ts";

export const desired: readonly Mutation[] = [
  {
    name: "finalizer-forgotten",
    bug: "things are made before the finalizer holds their owner",
    checker: "nothing-left-behind",
    caughtAt: 3,
    ...changingSpecimen((feature) => ({
      plan: (observed, nowMs) => feature.plan(pretendingHeld(observed as SpecimenObserved), nowMs),
    })),
  },
  {
    name: "finalizer-removed-first",
    bug: "the finalizer goes before what it protects",
    checker: "nothing-left-behind",
    caughtAt: 3,
    ...changingSpecimen((feature) => ({
      plan: (observed, nowMs) => {
        const { specimen } = observed as SpecimenObserved;
        const plan = feature.plan(observed, nowMs);
        if (!isBeingDeleted(specimen) || !hasFinalizer(specimen, finalizer)) return plan;
        const first = { kind: "remove-finalizer", specimen, because: "AsExpected" } as Action;
        return { ...plan, actions: [first, ...plan.actions.filter(({ kind }) => kind !== "remove-finalizer")] };
      },
    })),
  },
  {
    name: "break-before-make",
    bug: "what is no longer wanted goes at once",
    checker: "never-last",
    caughtAt: 8,
    ...changingSpecimen((feature) => ({
      plan: (observed, nowMs) => withEarlyDeletes(observed as SpecimenObserved, feature.plan(observed, nowMs)),
    })),
  },
  {
    name: "removals-come-first",
    bug: "in a lane what goes is planned before what comes",
    checker: "adds-before-removes",
    caughtAt: 7,
    ...changingSpecimen((feature) => ({
      plan: (observed, nowMs) => {
        const plan = feature.plan(observed, nowMs);
        const actions = plan.actions.map((action) => ({ ...action, lane: { part: "all" } }));
        return { ...plan, actions: actions.toSorted((a, b) => Number("removes" in b) - Number("removes" in a)) };
      },
    })),
  },
  {
    name: "delete-before-withdraw",
    bug: "the thing goes before the child that points at it",
    checker: "withdrawn-before-removed",
    caughtAt: 3,
    ...changingSpecimen((feature) => ({
      plan: (observed, nowMs) => {
        const plan = feature.plan(observed, nowMs);
        return {
          ...plan,
          actions: plan.actions.toSorted(
            (a, b) => Number(b.kind === "delete-thing") - Number(a.kind === "delete-thing"),
          ),
        };
      },
    })),
  },
  {
    name: "unknown-taken-for-absent",
    bug: "a location that does not answer counts as empty",
    checker: "no-double-allocation",
    caughtAt: 3,
    ...changingSpecimen((feature) => ({
      observe: async (key, reader) => {
        const observed = (await feature.observe(key, reader)) as SpecimenObserved | undefined;
        if (observed === undefined) return undefined;
        const known = observed.locations.map(({ location, things }) => ({
          location,
          things: things === "unknown" ? [] : things,
        }));
        return { ...observed, locations: known };
      },
    })),
  },
  {
    name: "leak-on-lost-reply",
    bug: "a create whose answer was lost is sent again at once",
    checker: "no-double-allocation",
    caughtAt: 10,
    specimen: () => ({
      cloud: (link) => ({
        ...link,
        create: (location, owner, options) =>
          link.create(location, owner, options).catch(() => link.create(location, owner, options)),
      }),
    }),
  },
  {
    name: "known-by-memory-alone",
    bug: "what was made is remembered by the process, not found by its mark: a crash forgets it",
    checker: "no-double-allocation",
    caughtAt: 3,
    specimen: () => ({
      cloud: (link) => {
        const made = new Set<string>();
        return {
          ...link,
          list: async (location, options) => (await link.list(location, options)).filter(({ id }) => made.has(id)),
          create: async (location, owner, options) => {
            const thing = await link.create(location, owner, options);
            made.add(thing.id);
            return thing;
          },
        };
      },
    }),
  },
  {
    name: "made-without-mark",
    bug: "things bear nobody's mark",
    checker: "no-double-allocation",
    sees: /nobody's mark/,
    caughtAt: 2,
    specimen: () => ({
      cloud: (link) => ({ ...link, create: (location, _owner, options) => link.create(location, "", options) }),
    }),
  },
  {
    name: "names-made-up",
    bug: "children get a new name with every try",
    checker: "one-child-per-location",
    caughtAt: 138,
    overrides: () => {
      let tries = 0;
      return {
        kube: (kube) => ({
          ...kube,
          create: (kind, object, options) => {
            tries += 1;
            if (kind.plural !== configMaps.plural) return kube.create(kind, object, options);
            const metadata = { ...object.metadata, name: `${object.metadata.name}-${tries}` };
            return kube.create(kind, { ...object, metadata }, options);
          },
        }),
      };
    },
  },
  {
    name: "published-again",
    bug: "a topology that is published is published anew with another value",
    checker: "published-stays",
    caughtAt: 3,
    ...changing("topology", (feature) => ({
      plan: (observed, nowMs) => {
        const { infrastructure } = observed as TopologyObserved;
        const plan = feature.plan(observed, nowMs);
        const published = infrastructure?.status?.controlPlaneTopology ?? "";
        if (infrastructure === undefined || published === "") return plan;
        const { name, resourceVersion } = infrastructure.metadata;
        const controlPlane = published === "SingleReplica" ? "HighlyAvailable" : "SingleReplica";
        const again = { kind: "publish", name, resourceVersion, controlPlane, because: "TopologyEmpty" } as Action;
        return { ...plan, actions: [...plan.actions, again] };
      },
    })),
  },
  {
    name: "upgrade-not-asked-about",
    bug: "a topology is granted at once, without a look at nodes and at the upgrade that is under way",
    checker: "upgrades-first",
    caughtAt: 59,
    ...changing("topology", (feature) => ({
      plan: (observed, nowMs) => feature.plan({ ...(observed as TopologyObserved), ...allSettled }, nowMs),
      executors: {
        ...feature.executors,
        publish: async (action, writer) =>
          feature.executors["publish"]?.({ ...action, unlessUpgrading: false } as Action, writer),
      },
    })),
  },
];

const allSettled: Pick<TopologyObserved, "clusterVersion" | "seen"> = {
  clusterVersion: {
    apiVersion: "config.openshift.io/v1",
    kind: "ClusterVersion",
    metadata: { name: "version" },
    status: { conditions: [{ type: "Progressing", status: "False" }] },
  },
  seen: { controlPlane: 3, readyControlPlane: 3, workers: 0, arbiters: 0 },
};

function pretendingHeld(observed: SpecimenObserved): SpecimenObserved {
  const { specimen } = observed;
  if (isBeingDeleted(specimen)) return observed;
  return { ...observed, specimen: { ...specimen, metadata: { ...specimen.metadata, finalizers: [finalizer] } } };
}

function withEarlyDeletes({ specimen, locations }: SpecimenObserved, plan: Plan): Plan {
  if (isBeingDeleted(specimen)) return plan;
  const early = locations
    .filter(({ location }) => !specimen.spec.locations.includes(location))
    .toSorted((a, b) => (a.location < b.location ? -1 : 1))
    .flatMap(({ location, things }) => (things === "unknown" ? [] : things).map(({ id }) => ({ location, id })))
    .map((found) => ({
      kind: "delete-thing",
      ...found,
      lane: { part: found.location },
      removes: found.id,
      because: "AsExpected" as const,
    }));
  return { ...plan, actions: [...plan.actions.filter(({ kind }) => kind !== "delete-thing"), ...early] };
}
