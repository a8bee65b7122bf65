// Deterministic: the order of facts changes nothing, however deep in them it is, neither what is planned nor what is reported.

import { formatRef } from "../../apis/kube/kube-object.ts";
import { isRecord } from "../../apis/text/problem.ts";
import type { Checker } from "./checker.ts";

export const plansDeterministic: Checker = {
  name: "plans-deterministic",
  promise: "the same facts in another order give the same plan and the same report",
  watch: (view, broken) => {
    const planned = new Sample();
    const reported = new Sample();
    view.on("planned", ({ process, feature, key, plan, again }) => {
      const what = `${feature} ${formatRef(key)}`;
      if (!planned.isDue(`${process.name} ${what}`, plan)) return;
      const other = again();
      if (differ(plan, other)) broken(`${what}: ${kinds(plan)} or ${kinds(other)}, by the order of facts`);
    });
    view.on("reported", ({ process, feature, key, report, again }) => {
      const what = `${feature} ${formatRef(key)}`;
      if (reported.isDue(`${process.name} ${what}`, report) && differ(report, again()))
        broken(`${what}: reports by the order of facts`);
    });
  },
};

/** While what comes out stays the same, every so many is made again: nearly a quarter of a run was spent to make each twice. */
const sampleEvery = 5;

class Sample {
  readonly #last = new Map<string, { readonly text: string; readonly times: number }>();

  isDue(what: string, made: unknown): boolean {
    const text = JSON.stringify(made);
    const last = this.#last.get(what);
    const times = last?.text === text ? last.times + 1 : 0;
    this.#last.set(what, { text, times });
    return times % sampleEvery === 0;
  }
}

/** Nearly always they are the same to the letter; only where they are not is it worth to bring their fields in order. */
function differ(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) !== JSON.stringify(other) && textOf(one) !== textOf(other);
}

/** The order of a record's fields says nothing; the order of a list does. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    isRecord(part) ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}

function kinds({ actions }: { readonly actions: readonly { readonly kind: string }[] }): string {
  return actions.length === 0 ? "nothing" : actions.map(({ kind }) => kind).join(", ");
}
