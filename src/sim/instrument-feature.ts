// A feature that tells what it does: its rounds, its plans (each made twice, from facts in another order), its actions, and which calls
// belong to which action. It changes nothing.

import { type Kind, type KubeObject, type ObjectRef, refOf } from "../apis/kube-object.ts";
import type { Action } from "../core/plan.ts";
import type { Feature, Writer } from "../engine/feature.ts";
import type { Kube } from "../ports/kube.ts";
import type { Random } from "../ports/random.ts";
import { shuffled } from "./derive-seed.ts";
import type { EvidenceBoard } from "./evidence.ts";
import type { SimProcess } from "./sim-process.ts";

export function instrumentFeature(
  feature: Feature,
  process: SimProcess,
  board: EvidenceBoard,
  random: Random,
): Feature {
  const keys = new WeakMap<object, ObjectRef>();
  const doing = (key: ObjectRef) => ({ process, feature: feature.name, key });
  const unknown = { name: "?" };
  return {
    ...feature,
    observe: async (key, reader) => {
      const cachedVersion = reader.cached(feature.root).get(key)?.metadata.resourceVersion;
      board.tell("observing", { ...doing(key), root: feature.root.plural, cachedVersion });
      try {
        const observed = await feature.observe(key, reader);
        if (typeof observed === "object" && observed !== null) keys.set(observed, key);
        return observed;
      } finally {
        board.tell("observed", doing(key));
      }
    },
    plan: (observed, nowMs) => {
      const plan = feature.plan(observed, nowMs);
      const again = feature.plan(reordered(observed, random), nowMs);
      const key = keys.get(observed as object) ?? unknown;
      for (const action of plan.actions) keys.set(action, key);
      board.tell("planned", { ...doing(key), plan, again });
      return plan;
    },
    executors: Object.fromEntries(
      Object.entries(feature.executors).map(([kind, execute]) => [
        kind,
        async (action: Action, writer: Writer) => {
          const evidence = { ...doing(keys.get(action) ?? unknown), action };
          board.tell("executing", evidence);
          try {
            await execute(action, { ...writer, kube: purposeful(writer.kube, process, kind) });
          } finally {
            board.tell("executed", evidence);
          }
        },
      ]),
    ),
  };
}

/** Lists of facts are sets: their order says nothing. */
function reordered(observed: unknown, random: Random): unknown {
  if (typeof observed !== "object" || observed === null) return observed;
  return Object.fromEntries(
    Object.entries(observed).map(([name, value]: [string, unknown]) => [
      name,
      Array.isArray(value) ? shuffled(random, value as unknown[]) : value,
    ]),
  );
}

function purposeful(kube: Kube, process: SimProcess, purpose: string): Kube {
  const during = <T>(method: string, kind: Kind, ref: ObjectRef | undefined, call: () => Promise<T>, sub?: string) => {
    const parts = [kind.plural, ref?.namespace, ref?.name === "" ? undefined : ref?.name, sub];
    const target = `${method} ${parts.filter((part) => part !== undefined).join("/")}`;
    process.purposes.set(target, purpose);
    return call().finally(() => process.purposes.delete(target));
  };
  const place = ({ metadata: { namespace } }: KubeObject): ObjectRef | undefined =>
    namespace === undefined ? undefined : { namespace, name: "" };
  return {
    ...kube,
    create: (kind, object, options) => during("POST", kind, place(object), () => kube.create(kind, object, options)),
    apply: <T extends KubeObject>(kind: Kind<T>, object: KubeObject, options: Parameters<Kube["apply"]>[2]) =>
      during("PATCH", kind, refOf(object), () => kube.apply<T>(kind, object, options), options.subresource),
    patch: (kind, ref, patch, options) =>
      during("PATCH", kind, ref, () => kube.patch(kind, ref, patch, options), options?.subresource),
    delete: (kind, ref, options) => during("DELETE", kind, ref, () => kube.delete(kind, ref, options)),
  };
}
