// A Kube whose writes carry the fence of one leader term and end with the term. Reads need no fence: a standby may read.
//
// A fence keeps a write from being *sent* too late; a write that was sent in time may still *arrive* late. So every write of an
// executor must do no harm then (see guarded-writes.ts):
// - create under a name that the plan decides, never `generateName`: the second one is AlreadyExists;
// - patch with the resource version of the object it was planned on: a changed object is a Conflict;
// - delete with the uid: a recreated object is not the one we meant;
// - server-side apply with uid and resource version in `metadata`, as the engine does for status.

import type { CallOptions, Fence, Kube } from "../../ports/kube.ts";

export interface FencedKubeOptions {
  readonly fence: Fence;
  /** Ends calls under way, writes and reads alike. */
  readonly signal: AbortSignal;
}

export function fencedKube(kube: Kube, { fence, signal }: FencedKubeOptions): Kube {
  const fenced = <O extends CallOptions>(
    options: O | undefined,
  ): O & { readonly fence: Fence; readonly signal: AbortSignal } => ({
    ...(options ?? ({} as O)),
    fence: narrower(fence, options),
    signal: joined(signal, options?.signal),
  });
  return {
    get: (kind, ref, options) => kube.get(kind, ref, { ...options, signal: joined(signal, options?.signal) }),
    list: (kind, query, options) => kube.list(kind, query, { ...options, signal: joined(signal, options?.signal) }),
    watch: (kind, query, options) => kube.watch(kind, query, { ...options, signal: joined(signal, options?.signal) }),
    create: (kind, object, options) => kube.create(kind, object, fenced(options)),
    apply: (kind, object, options) => kube.apply(kind, object, fenced(options)),
    patch: (kind, ref, patch, options) => kube.patch(kind, ref, patch, fenced(options)),
    delete: (kind, ref, options) => kube.delete(kind, ref, fenced(options)),
    request: (call) =>
      call.method === "GET"
        ? kube.request({ ...call, signal: joined(signal, call.signal) })
        : kube.request(fenced(call)),
  };
}

/** A caller's own fence can only narrow ours. */
function narrower(fence: Fence, options: CallOptions | undefined): Fence {
  const own = options !== undefined && "fence" in options ? (options.fence as Fence | undefined) : undefined;
  return own === undefined ? fence : { remainingMs: () => Math.min(fence.remainingMs(), own.remainingMs()) };
}

function joined(signal: AbortSignal, other: AbortSignal | undefined): AbortSignal {
  return other === undefined || other === signal ? signal : AbortSignal.any([signal, other]);
}
