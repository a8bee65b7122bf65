// Deliberate bugs, put in through the seams of the world. A simulation that does not find each of them soon is not worth its time.

import { configMaps } from "../../src/apis/builtin-kinds.ts";
import type { KubeObject } from "../../src/apis/kube-object.ts";
import { isRecord } from "../../src/apis/problem.ts";
import { MainstayError } from "../../src/core/errors.ts";
import { hasFinalizer, isBeingDeleted } from "../../src/core/ownership.ts";
import type { Action, Plan } from "../../src/core/plan.ts";
import type { Feature, ReportInput } from "../../src/engine/feature.ts";
import type { Patch } from "../../src/ports/kube.ts";
import type { KubeHttpResponse } from "../../src/ports/kube-transport.ts";
import type { CloudLink } from "../../src/sim/specimen/cloud-link.ts";
import { finalizer, type SpecimenObserved } from "../../src/sim/specimen/plan-specimen.ts";
import type { SpecimenSeams } from "../../src/sim/specimen/specimen-job.ts";
import type { WorldSeams } from "../../src/sim/start-manager.ts";

export interface Mutation {
  readonly name: string;
  readonly bug: string;
  /** The seed that caught it when this was last written down. */
  readonly caughtAt: number;
  /** Made anew for each seed, so that nothing is carried over. */
  readonly seams?: () => WorldSeams;
  readonly specimen?: () => SpecimenSeams;
}

const canary = "CANARY-mutation";

export const mutations: readonly Mutation[] = [
  {
    name: "fence-always-open",
    bug: "writes are sent whether or not this manager still leads",
    caughtAt: 15,
    seams: () => ({
      kube: (kube) => ({
        ...kube,
        create: (kind, object, options) => kube.create(kind, object, unfenced(options)),
        apply: (kind, object, options) => kube.apply(kind, object, unfenced(options)),
        patch: (kind, ref, patch, options) => kube.patch(kind, ref, patch, unfenced(options)),
        delete: (kind, ref, options) => kube.delete(kind, ref, unfenced(options)),
      }),
    }),
  },
  {
    name: "fence-asked-too-early",
    bug: "the fence is asked when a call begins, not when it leaves",
    caughtAt: 186,
    seams: () => ({
      transport: (transport) => ({
        ...transport,
        send: async (request, { beforeSend, ...options } = {}) => {
          beforeSend?.();
          return await transport.send(request, options);
        },
      }),
    }),
  },
  {
    name: "cloud-without-fence",
    bug: "the cloud's driver does not ask the fence",
    caughtAt: 838,
    specimen: () => ({
      cloud: (link) => ({
        ...link,
        create: (site, owner, { signal }) => link.create(site, owner, { signal }),
        delete: (site, id, { signal }) => link.delete(site, id, { signal }),
      }),
    }),
  },
  {
    name: "lease-released-term-goes-on",
    bug: "the Lease is given back, and its former holder goes on",
    caughtAt: 1,
    seams: () => {
      let renewals = 0;
      return {
        leaseKube: (kube) => ({
          ...kube,
          patch: (kind, ref, patch, options) => {
            renewals += 1;
            return kube.patch(kind, ref, renewals % 4 === 0 ? asRelease(patch) : patch, options);
          },
        }),
      };
    },
  },
  {
    name: "impatient-candidate",
    bug: "a candidate takes the Lease without waiting for it to run out",
    caughtAt: 1,
    seams: () => ({
      leaseKube: (kube) => ({
        ...kube,
        get: async (kind, ref, options) => {
          const lease = await kube.get(kind, ref, options);
          const spec = { ...(lease as { readonly spec?: object }).spec, holderIdentity: "", leaseDurationSeconds: 1 };
          return { ...lease, spec };
        },
      }),
    }),
  },
  {
    name: "lease-by-wall-clock",
    bug: "the lease is counted on the wall clock",
    caughtAt: 464,
    seams: () => ({ clock: (clock) => ({ ...clock, monotonicMs: () => clock.nowMs() }) }),
  },
  {
    name: "status-bound-to-nothing",
    bug: "status is applied whatever the object has become",
    caughtAt: 1,
    seams: () => ({
      kube: (kube) => ({
        ...kube,
        apply: (kind, object, options) => kube.apply(kind, unbound(object) as KubeObject, options),
      }),
    }),
  },
  {
    name: "patch-bound-to-nothing",
    bug: "patches are sent without the version they were decided on",
    caughtAt: 1,
    seams: () => ({
      kube: (kube) => ({
        ...kube,
        patch: (kind, ref, patch, options) =>
          kube.patch(kind, ref, patch.type === "merge" ? { ...patch, body: unbound(patch.body) } : patch, options),
      }),
    }),
  },
  {
    name: "delete-bound-to-nothing",
    bug: "deletes name no uid",
    caughtAt: 3,
    seams: () => ({
      kube: (kube) => ({
        ...kube,
        delete: (kind, ref, { uid: _uid, resourceVersion: _version, ...options } = {}) =>
          kube.delete(kind, ref, options),
      }),
    }),
  },
  {
    name: "own-writes-forgotten",
    bug: "the cache counts as fresh although it lacks our own last write",
    caughtAt: 1,
    seams: () => ({
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
    caughtAt: 2,
    seams: () => {
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
  onSpecimen("finalizer-forgotten", 1, "things are made before the finalizer holds their owner", (feature) => ({
    plan: (observed, nowMs) => feature.plan(pretendingHeld(observed as SpecimenObserved), nowMs),
  })),
  onSpecimen("finalizer-removed-first", 3, "the finalizer goes before what it protects", (feature) => ({
    plan: (observed, nowMs) => {
      const { specimen } = observed as SpecimenObserved;
      const plan = feature.plan(observed, nowMs);
      if (!isBeingDeleted(specimen) || !hasFinalizer(specimen, finalizer)) return plan;
      const first = { kind: "remove-finalizer", specimen, because: "AsExpected" } as Action;
      return { ...plan, actions: [first, ...plan.actions.filter(({ kind }) => kind !== "remove-finalizer")] };
    },
  })),
  onSpecimen("break-before-make", 4, "what is no longer wanted goes at once", (feature) => ({
    plan: (observed, nowMs) => withEarlyDeletes(observed as SpecimenObserved, feature.plan(observed, nowMs)),
  })),
  onSpecimen("delete-before-withdraw", 3, "the thing goes before the child that points at it", (feature) => ({
    plan: (observed, nowMs) => {
      const plan = feature.plan(observed, nowMs);
      return {
        ...plan,
        actions: plan.actions.toSorted((a, b) => Number(b.kind === "delete-thing") - Number(a.kind === "delete-thing")),
      };
    },
  })),
  onSpecimen("order-decides", 1, "the plan looks at the first fact only", (feature) => ({
    plan: (observed, nowMs) => {
      const { sites, ...rest } = observed as SpecimenObserved;
      return feature.plan({ ...rest, sites: sites.slice(0, 1) }, nowMs);
    },
  })),
  onSpecimen("unknown-taken-for-absent", 5, "a site that does not answer counts as empty", (feature) => ({
    observe: async (key, reader) => {
      const observed = (await feature.observe(key, reader)) as SpecimenObserved | undefined;
      if (observed === undefined) return undefined;
      const known = observed.sites.map(({ site, things }) => ({ site, things: things === "unknown" ? [] : things }));
      return { ...observed, sites: known };
    },
  })),
  onSpecimen("one-lane-for-all", 5, "sites hold each other up", (feature) => ({
    plan: (observed, nowMs) => {
      const plan = feature.plan(observed, nowMs);
      return { ...plan, actions: plan.actions.map(({ lane: _lane, ...action }) => action) };
    },
  })),
  onSpecimen("never-quiet", 1, "the status tells the time", (feature) => ({
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
  onSpecimen("secret-in-status", 1, "the status repeats a credential", (feature) => ({
    report: (input: ReportInput<unknown, Action>) => {
      const report = feature.report?.(input) ?? { statuses: [] };
      return { ...report, events: [{ reason: "AsExpected", message: `made with ${canary}` }] };
    },
  })),
  {
    name: "secret-in-log",
    bug: "a log line carries a credential in the cause of an error",
    caughtAt: 1,
    seams: () => ({
      features: (features, _process, log) => {
        log.debug("connected", { error: new Error("refused", { cause: new Error(canary) }) });
        return features;
      },
    }),
  },
  {
    name: "secret-in-error",
    bug: "an error repeats what the cloud said, credential included",
    caughtAt: 4,
    specimen: () => ({ cloud: (link, process) => tellingAll(link, `CANARY-cloud-${process.name}`) }),
  },
  {
    name: "key-twice-at-once",
    bug: "one key has two workers",
    caughtAt: 1,
    seams: () => ({ features: (features) => [...features, ...features] }),
  },
  {
    name: "leak-on-lost-reply",
    bug: "a create whose answer was lost is sent again at once",
    caughtAt: 54,
    specimen: () => ({
      cloud: (link) => ({
        ...link,
        create: (site, owner, options) =>
          link.create(site, owner, options).catch(() => link.create(site, owner, options)),
      }),
    }),
  },
  {
    name: "made-without-mark",
    bug: "things bear nobody's mark",
    caughtAt: 1,
    specimen: () => ({
      cloud: (link) => ({ ...link, create: (site, _owner, options) => link.create(site, "", options) }),
    }),
  },
  {
    name: "names-made-up",
    bug: "children get a new name with every try",
    caughtAt: 41,
    seams: () => {
      let tries = 0;
      return {
        kube: (kube) => ({
          ...kube,
          create: (kind, object, options) => {
            tries += 1;
            if (kind.plural !== configMaps.plural) return kube.create(kind, object, options);
            const { name } = object.metadata;
            return kube.create(
              kind,
              { ...object, metadata: { ...object.metadata, name: `${name}-${tries}` } },
              options,
            );
          },
        }),
      };
    },
  },
  {
    name: "mark-not-asked-for",
    bug: "whatever stands at a site is taken for ours",
    caughtAt: 2,
    specimen: () => ({
      cloud: (link) => ({
        ...link,
        list: async (site, options) => {
          const things = await link.list(site, options);
          const owner = things.find((thing) => thing.owner !== "")?.owner ?? "";
          return things.map((thing) => ({ ...thing, owner: thing.owner === "" ? owner : thing.owner }));
        },
      }),
    }),
  },
];

function onSpecimen(
  name: string,
  caughtAt: number,
  bug: string,
  change: (feature: Feature) => Partial<Feature>,
): Mutation {
  return {
    name,
    bug,
    caughtAt,
    seams: () => ({
      features: (features) =>
        features.map((feature) => (feature.name === "specimen" ? { ...feature, ...change(feature) } : feature)),
    }),
  };
}

function unfenced<O extends object>(options: O | undefined): O {
  const { fence: _fence, signal: _signal, ...rest } = (options ?? {}) as { fence?: unknown; signal?: unknown };
  return rest as O;
}

function unbound(body: unknown): unknown {
  if (!isRecord(body) || !isRecord(body["metadata"])) return body;
  const { resourceVersion: _version, uid: _uid, ...metadata } = body["metadata"];
  return { ...body, metadata };
}

function aged<T extends KubeObject>(object: T): T {
  return { ...object, metadata: { ...object.metadata, resourceVersion: "1" } };
}

function asRelease(patch: Patch): Patch {
  const body = patch.body as { readonly metadata: object; readonly spec: object };
  return { type: "merge", body: { ...body, spec: { ...body.spec, holderIdentity: null, leaseDurationSeconds: 1 } } };
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

function pretendingHeld(observed: SpecimenObserved): SpecimenObserved {
  const { specimen } = observed;
  if (isBeingDeleted(specimen)) return observed;
  return { ...observed, specimen: { ...specimen, metadata: { ...specimen.metadata, finalizers: [finalizer] } } };
}

function withEarlyDeletes({ specimen, sites }: SpecimenObserved, plan: Plan): Plan {
  if (isBeingDeleted(specimen)) return plan;
  const early = sites
    .filter(({ site }) => !specimen.spec.sites.includes(site))
    .flatMap(({ site, things }) => (things === "unknown" ? [] : things).map(({ id }) => ({ site, id })))
    .map((found) => ({
      kind: "delete-thing",
      ...found,
      lane: found.site,
      removes: found.id,
      because: "AsExpected" as const,
    }));
  return { ...plan, actions: [...plan.actions.filter(({ kind }) => kind !== "delete-thing"), ...early] };
}

function tellingAll(link: CloudLink, credential: string): CloudLink {
  const told = async <T>(call: Promise<T>): Promise<T> => {
    try {
      return await call;
    } catch (error) {
      if (!(error instanceof MainstayError)) throw error;
      throw new MainstayError({ reason: error.reason, message: `${error.message} for ${credential}` });
    }
  };
  return {
    list: (site, options) => link.list(site, options),
    create: (site, owner, options) => told(link.create(site, owner, options)),
    delete: (site, id, options) => told(link.delete(site, id, options)),
  };
}
