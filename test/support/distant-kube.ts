// An API server behind a network that a test controls: calls and answers take time, get lost, or never arrive. What was sent may have
// its effect although nobody hears of it.

import { KubeError } from "../../src/core/kube-error.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { CallOptions, Kube } from "../../src/ports/kube.ts";

export interface Journey {
  readonly thereMs: number;
  readonly backMs: number;
  /** The call never arrives, or its answer never does. */
  readonly lost?: "call" | "answer";
}

export type Travel = (verb: keyof Kube) => Journey;

/** `clock` is the caller's own: a stopped process receives nothing. `travel` is asked once per call. */
export function distantKube(kube: Kube, truth: Clock, clock: Clock, travel: Travel): Kube {
  const call = async <T>(verb: keyof Kube, options: CallOptions | undefined, perform: () => Promise<T>): Promise<T> => {
    const { thereMs, backMs, lost } = travel(verb);
    return await new Promise<T>((resolve, reject) => {
      const giveUp = (): void => reject(new KubeError({ code: "Timeout", message: "no answer in time" }));
      const deadline = clock.after(options?.deadlineMs ?? 30_000, giveUp);
      options?.signal?.addEventListener("abort", giveUp, { once: true });
      const answer = (deliver: () => void): void => {
        if (lost !== "answer") clock.after(backMs, deliver);
      };
      if (lost === "call") return;
      // The network does not stop with the process.
      truth.after(thereMs, () => {
        perform().then(
          (value) => answer(() => (deadline.cancel(), resolve(value))),
          (error: Error) => answer(() => (deadline.cancel(), reject(error))),
        );
      });
    });
  };
  return {
    get: (kind, ref, options) => call("get", options, () => kube.get(kind, ref)),
    list: (kind, query, options) => call("list", options, () => kube.list(kind, query)),
    watch: (kind, query, options) => kube.watch(kind, query, options),
    create: (kind, object, options) => call("create", options, () => kube.create(kind, object)),
    apply: (kind, object, options) =>
      call("apply", options, () => kube.apply(kind, object, { fieldManager: options.fieldManager })),
    patch: (kind, ref, patch, options) => call("patch", options, () => kube.patch(kind, ref, patch)),
    delete: (kind, ref, options) => call("delete", options, () => kube.delete(kind, ref)),
    request: (raw) => call("request", raw, () => kube.request(raw)),
  };
}
