// Bugs in how rounds follow each other: caches, keys, order, quiet, and coming to an end at all.

import type { KubeObject } from "../../../src/apis/kube/kube-object.ts";
import { isKubeError } from "../../../src/core/kube-error.ts";
import type { Action } from "../../../src/core/plan.ts";
import type { ReportInput } from "../../../src/engine/feature.ts";
import type { TopologyObserved } from "../../../src/jobs/topology/core/assess.ts";
import type { KubeHttpResponse } from "../../../src/ports/kube-transport.ts";
import { locationOf, type SpecimenObserved } from "../../../src/sim/specimen/plan-specimen.ts";
import { changing, changingSpecimen, type Mutation } from "./mutation.ts";

export const rounds: readonly Mutation[] = [
  {
    name: "own-writes-forgotten",
    bug: "the cache counts as fresh although it lacks our own last write",
    checker: "own-writes-seen",
    caughtAt: 3,
    overrides: () => ({
      kube: (kube) => ({
        ...kube,
        patch: async (kind, ref, patch, options) => aged(await kube.patch(kind, ref, patch, options)),
        apply: async (kind, object, options) => aged(await kube.apply(kind, object, options)),
      }),
    }),
  },
  {
    name: "watch-event-lost",
    bug: "the watch drops an event now and then",
    checker: "own-writes-seen",
    caughtAt: 3,
    overrides: () => {
      let events = 0;
      return {
        transport: (transport) => ({
          ...transport,
          send: async (request, options) => {
            const response = await transport.send(request, options);
            return request.path.includes("watch=") ? dropping(response, () => (events += 1) % 5 === 0) : response;
          },
        }),
      };
    },
  },
  {
    name: "conflict-tried-again",
    bug: "a write that conflicts is sent again as it was",
    checker: "conflicts-explained",
    caughtAt: 3,
    overrides: () => ({
      kube: (kube) => ({
        ...kube,
        patch: async (kind, ref, patch, options) => {
          for (let tries = 1; tries <= 5; tries += 1) {
            try {
              return await kube.patch(kind, ref, patch, options);
            } catch (error) {
              if (!isKubeError(error, "Conflict")) throw error;
            }
          }
          return await kube.patch(kind, ref, patch, options);
        },
      }),
    }),
  },
  {
    name: "key-twice-at-once",
    bug: "one key has two workers",
    checker: "key-runs-once",
    caughtAt: 1,
    overrides: () => ({ features: (features) => [...features, ...features] }),
  },
  {
    name: "looked-at-for-ever",
    bug: "an object is looked at again every two seconds, also when nothing is left to do",
    checker: "quiet-when-converged",
    caughtAt: 2,
    ...changingSpecimen((feature) => ({
      plan: (observed: unknown, nowMs: number) => {
        const plan = feature.plan(observed, nowMs);
        return { ...plan, waits: [...plan.waits, { reason: "ObjectNotFound", recheckAfterMs: 2_000 }] };
      },
    })),
  },
  {
    name: "repeats-without-pause",
    bug: "each try says that it is another step than the one before, so that nobody knows that it did not help",
    checker: "few-tries",
    sees: /changes for/,
    caughtAt: 319,
    ...changingSpecimen((feature) => ({
      plan: (observed: unknown, nowMs: number) => {
        const plan = feature.plan(observed, nowMs);
        return { ...plan, actions: plan.actions.map((action) => ({ ...action, attempt: nowMs })) };
      },
    })),
  },
  {
    name: "status-tried-at-once",
    bug: "a status that is refused as invalid is written again at once",
    checker: "few-tries",
    sees: /status writes/,
    caughtAt: 94,
    overrides: () => ({
      kube: (kube) => ({
        ...kube,
        apply: async (kind, object, options) => {
          for (let tries = 1; tries < 40; tries += 1) {
            try {
              return await kube.apply(kind, object, options);
            } catch (error) {
              if (!isKubeError(error, "Invalid")) throw error;
            }
          }
          return await kube.apply(kind, object, options);
        },
      }),
    }),
  },
  {
    name: "never-quiet",
    bug: "the status tells the time",
    checker: "quiet-when-converged",
    caughtAt: 2,
    ...changingSpecimen((feature) => ({
      report: (input: ReportInput<unknown, Action>) => {
        const report = feature.report?.(input) ?? { statuses: [] };
        const conditions = [
          { type: "Seen", status: "True" as const, reason: "AsExpected", message: String(input.nowMs) },
        ];
        return {
          ...report,
          statuses: report.statuses.map((status) => ({
            ...status,
            conditions: [...(status.conditions ?? []), ...conditions],
          })),
        };
      },
    })),
  },
  {
    name: "said-twice",
    bug: "status is applied although the object says it already",
    checker: "writes-change-something",
    caughtAt: 1,
    overrides: () => ({
      kube: (kube) => ({
        ...kube,
        apply: async (kind, object, options) => {
          const written = await kube.apply(kind, object, options);
          const { resourceVersion = "" } = written.metadata;
          return await kube.apply(kind, { ...object, metadata: { ...object.metadata, resourceVersion } }, options);
        },
      }),
    }),
  },
  {
    name: "one-lane-for-all",
    bug: "locations hold each other up",
    checker: "converges",
    caughtAt: 12,
    ...changingSpecimen((feature) => ({
      plan: (observed, nowMs) => {
        const plan = feature.plan(observed, nowMs);
        const actions = plan.actions.toSorted(
          (a, b) => Number(a.removes !== undefined) - Number(b.removes !== undefined),
        );
        return { ...plan, actions: actions.map((action) => ({ ...action, lane: { part: "all" } })) };
      },
    })),
  },
  {
    name: "finalizer-never-removed",
    bug: "what is deleted is cleaned up and never let go",
    checker: "converges",
    caughtAt: 3,
    ...changingSpecimen((feature) => ({
      plan: (observed, nowMs) => {
        const plan = feature.plan(observed, nowMs);
        return { ...plan, actions: plan.actions.filter(({ kind }) => kind !== "remove-finalizer") };
      },
    })),
  },
  {
    name: "order-decides",
    bug: "the plan looks at the first fact only",
    checker: "plans-deterministic",
    caughtAt: 2,
    ...changingSpecimen((feature) => ({
      plan: (observed, nowMs) => {
        const { locations, ...rest } = observed as SpecimenObserved;
        return feature.plan({ ...rest, locations: locations.slice(0, 1) }, nowMs);
      },
    })),
  },
  {
    name: "nested-order-decides",
    bug: "the plan looks at the first of a list that is deep in an object",
    checker: "plans-deterministic",
    caughtAt: 2,
    ...changingSpecimen((feature) => ({
      plan: (observed, nowMs) => {
        const { specimen } = observed as SpecimenObserved;
        const plan = feature.plan(observed, nowMs);
        const [first] = specimen.spec.locations;
        return { ...plan, actions: plan.actions.filter(({ lane }) => lane === undefined || lane.part === first) };
      },
    })),
  },
  {
    name: "field-order-decides",
    bug: "a refusal of the topology controller lists the fields of a record as they come",
    checker: "plans-deterministic",
    caughtAt: 3,
    ...changing("topology", (feature) => ({
      plan: (observed, nowMs) => {
        const { seen } = observed as TopologyObserved;
        const plan = feature.plan(observed, nowMs);
        const message = Object.entries(seen).join("; ");
        return { ...plan, refusals: [...plan.refusals, { reason: "TopologyDrift", message }] };
      },
    })),
  },
  {
    name: "status-by-order",
    bug: "the status lists facts as they come",
    checker: "plans-deterministic",
    sees: /reports .*, by the order/,
    caughtAt: 2,
    ...changingSpecimen((feature) => ({
      report: (input: ReportInput<unknown, Action>) => {
        const report = feature.report?.(input) ?? { statuses: [] };
        const readyLocations = (input.observed as SpecimenObserved).children.map(locationOf);
        return { ...report, statuses: report.statuses.map((status) => ({ ...status, status: { readyLocations } })) };
      },
    })),
  },
];

function aged<T extends KubeObject>(object: T): T {
  return { ...object, metadata: { ...object.metadata, resourceVersion: "1" } };
}

function dropping(response: KubeHttpResponse, drops: () => boolean): KubeHttpResponse {
  async function* body(): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of response.body) {
      const event = new TextDecoder().decode(chunk);
      if (!(event.startsWith('{"type":"MODIFIED"') && drops())) yield chunk;
    }
  }
  return { ...response, body: body() };
}
