// Deterministic: the order of facts changes nothing, however deep in them it is, neither what is planned nor what is reported.

import { formatRef } from "../../apis/kube/kube-object.ts";
import { isRecord } from "../../apis/text/problem.ts";
import type { Plan } from "../../core/plan.ts";
import type { Checker } from "./checker.ts";

export const plansDeterministic: Checker = {
  name: "plans-deterministic",
  promise: "the same facts in another order give the same plan and the same report",
  watch: (view, broken) => {
    const planned = new Sample();
    const reported = new Sample();
    view.on("planned", ({ process, feature, key, plan, again }) => {
      const what = `${feature} ${formatRef(key)}`;
      const text = JSON.stringify(plan);
      if (!planned.isDue(`${process.name} ${what}`, text)) return;
      const other = again();
      if (differ(plan, text, other)) broken(`${what}: ${difference(plan, other)}, by the order of facts`);
    });
    view.on("reported", ({ process, feature, key, report, again }) => {
      const what = `${feature} ${formatRef(key)}`;
      const text = JSON.stringify(report);
      if (!reported.isDue(`${process.name} ${what}`, text)) return;
      const other = again();
      if (differ(report, text, other))
        broken(`${what}: reports ${firstDifference(report, other)}, by the order of facts`);
    });
  },
};

/** While what comes out stays the same, every so many is made again: nearly a quarter of a run was spent to make each twice. */
const sampleEvery = 5;

class Sample {
  readonly #last = new Map<string, { readonly text: string; readonly times: number }>();

  isDue(what: string, text: string): boolean {
    const last = this.#last.get(what);
    const times = last?.text === text ? last.times + 1 : 0;
    this.#last.set(what, { text, times });
    return times % sampleEvery === 0;
  }
}

/** Nearly always they are the same to the letter; only where they are not is it worth to bring their fields in order. */
function differ(one: unknown, text: string, other: unknown): boolean {
  return text !== JSON.stringify(other) && textOf(one) !== textOf(other);
}

/** The order of a record's fields says nothing; the order of a list does. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    isRecord(part) ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}

/** By their actions where these differ; otherwise the words around the first difference. */
function difference(plan: Plan, other: Plan): string {
  return kinds(plan) === kinds(other) ? firstDifference(plan, other) : `${kinds(plan)} or ${kinds(other)}`;
}

function firstDifference(made: unknown, other: unknown): string {
  const [one, another] = [textOf(made), textOf(other)];
  const first = [...one].findIndex((letter, place) => letter !== another[place]);
  const from = Math.max(0, first - 20);
  return `…${one.slice(from, from + 60)}… or …${another.slice(from, from + 60)}…`;
}

function kinds({ actions }: Plan): string {
  return actions.length === 0 ? "nothing" : actions.map(({ kind }) => kind).join(", ");
}
