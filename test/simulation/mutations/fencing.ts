// Bugs about who may write, and when: the fence, the Lease, and writes that arrive late.

import type { KubeObject } from "../../../src/apis/kube/kube-object.ts";
import { isRecord } from "../../../src/apis/text/problem.ts";
import type { Patch } from "../../../src/ports/kube.ts";
import type { SimProcess } from "../../../src/sim/processes/sim-process.ts";
import type { CloudCallOptions } from "../../../src/sim/specimen/cloud-link.ts";
import type { Mutation } from "./mutation.ts";

export const fencing: readonly Mutation[] = [
  {
    name: "fence-always-open",
    bug: "writes are sent whether or not this manager still leads",
    checker: "one-leader-writes",
    caughtAt: 53,
    overrides: () => ({
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
    checker: "one-leader-writes",
    caughtAt: 207,
    overrides: () => ({
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
    checker: "one-leader-writes",
    caughtAt: 310,
    specimen: () => ({
      cloud: (link) => ({
        ...link,
        create: (location, owner, { signal }) => link.create(location, owner, { signal }),
        delete: (location, id, { signal }) => link.delete(location, id, { signal }),
      }),
    }),
  },
  {
    name: "cloud-deadline-past-the-fence",
    bug: "the cloud's driver asks the fence, and gives its calls a minute, however short the fence lasts",
    checker: "late-writes-harmless",
    sees: /arrived while/,
    caughtAt: 243,
    specimen: () => ({
      cloud: (link, process) => ({
        ...link,
        create: (location, owner, options) => link.create(location, owner, patient(options, process)),
        delete: (location, id, options) => link.delete(location, id, patient(options, process)),
      }),
    }),
  },
  {
    name: "lease-released-term-goes-on",
    bug: "the Lease is given back, and its former holder goes on",
    checker: "one-leader-writes",
    caughtAt: 2,
    overrides: () => {
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
    checker: "one-leader-writes",
    caughtAt: 1,
    overrides: () => ({
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
    checker: "one-leader-writes",
    caughtAt: 516,
    overrides: () => ({ clock: (clock) => ({ ...clock, monotonicMs: () => Number(clock.nowMs()) }) }),
  },
  {
    name: "status-bound-to-nothing",
    bug: "status is applied whatever the object has become",
    checker: "late-writes-harmless",
    sees: /bound to nothing/,
    caughtAt: 1,
    overrides: () => ({
      kube: (kube) => ({
        ...kube,
        apply: (kind, object, options) => kube.apply(kind, unbound(object) as KubeObject, options),
      }),
    }),
  },
  {
    name: "patch-bound-to-nothing",
    bug: "patches are sent without the version they were decided on",
    checker: "late-writes-harmless",
    sees: /bound to nothing/,
    caughtAt: 1,
    overrides: () => ({
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
    checker: "late-writes-harmless",
    sees: /DELETE .* bound to nothing/,
    caughtAt: 3,
    overrides: () => ({
      kube: (kube) => ({
        ...kube,
        delete: (kind, ref, { uid: _uid, resourceVersion: _version, ...options } = {}) =>
          kube.delete(kind, ref, options),
      }),
    }),
  },
];

function unfenced<O extends object>(options: O | undefined): O {
  const { fence: _fence, signal: _signal, ...rest } = (options ?? {}) as { fence?: unknown; signal?: unknown };
  return rest as O;
}

/** Whoever hangs up, the call goes on; for whom it is made stays known. */
function patient({ signal, fence }: CloudCallOptions, process: SimProcess): CloudCallOptions {
  const deaf = new AbortController().signal;
  const actor = process.rounds.get(signal);
  if (actor !== undefined) process.rounds.set(deaf, actor);
  const remainingMs = (): number => ((fence?.remainingMs() ?? 1) > 0 ? Number.POSITIVE_INFINITY : 0);
  return { signal: deaf, fence: { remainingMs }, deadlineMs: 60_000 };
}

function unbound(body: unknown): unknown {
  if (!isRecord(body) || !isRecord(body["metadata"])) return body;
  const { resourceVersion: _version, uid: _uid, ...metadata } = body["metadata"];
  return { ...body, metadata };
}

function asRelease(patch: Patch): Patch {
  const body = patch.body as { readonly metadata: object; readonly spec: object };
  return { type: "merge", body: { ...body, spec: { ...body.spec, holderIdentity: null, leaseDurationSeconds: 1 } } };
}
