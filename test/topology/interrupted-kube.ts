// A Kube whose line is cut after some number of writes: the last one arrives or not, and its answer is lost either way.

import { KubeError } from "../../src/core/kube-error.ts";
import type { Kube } from "../../src/ports/kube.ts";

export interface Interruption {
  /** Writes that are answered. */
  readonly afterWrites: number;
  /** Whether the write that is cut off still reaches the server. */
  readonly lastOneArrives: boolean;
}

export function interruptedKube(kube: Kube, { afterWrites, lastOneArrives }: Interruption): Kube {
  let writes = 0;
  const cut = async (send: () => Promise<unknown>): Promise<never> => {
    if (lastOneArrives) await send();
    throw new KubeError({ code: "Unreachable", message: "the line was cut" });
  };
  const write = async <T>(send: () => Promise<T>): Promise<T> => {
    writes += 1;
    return writes > afterWrites ? cut(send) : send();
  };
  return {
    ...reading(kube),
    create: (kind, object, options) => write(() => kube.create(kind, object, options)),
    apply: (kind, object, options) => write(() => kube.apply(kind, object, options)),
    patch: (kind, ref, patch, options) => write(() => kube.patch(kind, ref, patch, options)),
    delete: (kind, ref, options) => write(() => kube.delete(kind, ref, options)),
  };
}

/** Runs something of the test's own right before a call goes out. */
export function watchedKube(
  kube: Kube,
  before: (verb: "get" | "patch", plural: string, subresource: string | undefined) => Promise<void>,
): Kube {
  return {
    ...reading(kube),
    get: async (kind, ref, options) => {
      await before("get", kind.plural, undefined);
      return kube.get(kind, ref, options);
    },
    create: (kind, object, options) => kube.create(kind, object, options),
    apply: (kind, object, options) => kube.apply(kind, object, options),
    patch: async (kind, ref, patch, options) => {
      await before("patch", kind.plural, options?.subresource);
      return kube.patch(kind, ref, patch, options);
    },
    delete: (kind, ref, options) => kube.delete(kind, ref, options),
  };
}

function reading(kube: Kube): Pick<Kube, "get" | "list" | "watch" | "request"> {
  return {
    get: (kind, ref, options) => kube.get(kind, ref, options),
    list: (kind, query, options) => kube.list(kind, query, options),
    watch: (kind, query, options) => kube.watch(kind, query, options),
    request: (call) => kube.request(call),
  };
}
