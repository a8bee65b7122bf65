// A feature that emits events about what it does: its rounds, its plans and reports (each can be made again, from facts in another order), its
// actions, its errors, and which calls belong to which action of which round. It changes nothing.

import { type Kind, type KubeObject, type ObjectRef, refOf } from "../../apis/kube/kube-object.ts";
import type { Action } from "../../core/plan.ts";
import type { Feature, Report, ReportInput, Writer } from "../../engine/feature.ts";
import type { Kube } from "../../ports/kube.ts";
import type { Random } from "../../ports/random.ts";
import { type Reordered, reorder } from "../checkers/reorder.ts";
import type { SimEvents } from "../checkers/sim-events.ts";
import type { Actor } from "../network/port-call.ts";
import type { SimProcess } from "./sim-process.ts";

export interface Instruments {
  readonly process: SimProcess;
  readonly events: SimEvents;
  /** Of the other order. */
  readonly random: Random;
}

export function instrumentFeature(feature: Feature, { process, events, random }: Instruments): Feature {
  /** Of what was observed, and of the actions that were planned from it. */
  const actors = new WeakMap<object, Actor>();
  const root = `${feature.root.group}/${feature.root.plural}`;
  const nobody: Actor = { feature: feature.name, root, key: { name: "?" }, uid: undefined };
  const actorOf = (thing: unknown): Actor => actors.get(thing as object) ?? nobody;
  const roundOf = ({ key }: Actor) => ({ process, feature: feature.name, key });
  const inAnotherOrder = reorderedOnce(random);
  const failed = (where: string, error: unknown): unknown => {
    events.emit("failed", { process, where: `${where} of ${feature.name}`, error });
    return error;
  };
  return {
    ...feature,
    observe: async (key, reader) => {
      const { uid, resourceVersion } = reader.cached(feature.root).get(key)?.metadata ?? {};
      const actor = { ...nobody, key, uid };
      process.rounds.set(reader.signal, actor);
      // A round that fails before it can report is reported in the object's status all the same.
      process.actors.set(`PATCH ${targetOf(feature.root, key, "status")}`, actor);
      events.emit("observing", {
        ...roundOf(actor),
        root: feature.root.plural,
        cachedVersion: resourceVersion,
        cached: (kind) => reader.cached(kind),
      });
      try {
        const observed = await feature.observe(key, reader);
        if (typeof observed === "object" && observed !== null) actors.set(observed, actor);
        return observed;
      } catch (error) {
        throw failed("observe", error);
      } finally {
        events.emit("observed", roundOf(actor));
      }
    },
    plan: (observed, nowMs) => {
      const plan = feature.plan(observed, nowMs);
      const again = () => {
        const other = inAnotherOrder(observed);
        return other.restore(feature.plan(other.facts, nowMs));
      };
      for (const action of plan.actions) actors.set(action, actorOf(observed));
      events.emit("planned", { ...roundOf(actorOf(observed)), plan, again });
      return plan;
    },
    executors: Object.fromEntries(
      Object.entries(feature.executors).map(([kind, execute]) => [
        kind,
        async (action: Action, writer: Writer) => {
          const actor = actorOf(action);
          process.rounds.set(writer.signal, actor);
          events.emit("executing", { ...roundOf(actor), action });
          try {
            await execute(action, { ...writer, kube: purposeful(writer.kube, process, kind, actor) });
          } catch (error) {
            throw failed(kind, error);
          } finally {
            events.emit("executed", { ...roundOf(actor), action });
          }
        },
      ]),
    ),
    ...(feature.report === undefined
      ? {}
      : { report: reporting(feature.report, { process, events, inAnotherOrder }, actorOf) }),
  };
}

type InAnotherOrder = (observed: unknown) => Reordered<unknown>;

/** A round's plan and its report are made again from the same other order: to bring facts in one costs as much as to plan. */
function reorderedOnce(random: Random): InAnotherOrder {
  let last: { readonly observed: unknown; readonly other: Reordered<unknown> } | undefined;
  return (observed) => {
    if (last === undefined || last.observed !== observed) last = { observed, other: reorder(observed, random) };
    return last.other;
  };
}

function reporting(
  report: NonNullable<Feature["report"]>,
  { process, events, inAnotherOrder }: Omit<Instruments, "random"> & { readonly inAnotherOrder: InAnotherOrder },
  actorOf: (thing: unknown) => Actor,
): NonNullable<Feature["report"]> {
  return (input: ReportInput<unknown, Action>): Report => {
    const made = report(input);
    const actor = actorOf(input.observed);
    const again = () => {
      const other = inAnotherOrder(input.observed);
      return other.restore(report({ ...input, observed: other.facts }));
    };
    events.emit("reported", { process, feature: actor.feature, key: actor.key, report: made, again });
    for (const { kind, ref } of made.statuses) process.actors.set(`PATCH ${targetOf(kind, ref, "status")}`, actor);
    return made;
  };
}

function targetOf(kind: Kind, ref: ObjectRef | undefined, subresource?: string): string {
  const parts = [kind.plural, ref?.namespace, ref?.name === "" ? undefined : ref?.name, subresource];
  return parts.filter((part) => part !== undefined).join("/");
}

function purposeful(kube: Kube, process: SimProcess, purpose: string, actor: Actor): Kube {
  const during = <T>(method: string, kind: Kind, ref: ObjectRef | undefined, call: () => Promise<T>, sub?: string) => {
    const target = `${method} ${targetOf(kind, ref, sub)}`;
    process.purposes.set(target, purpose);
    process.actors.set(target, actor);
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
