// Deterministic: the order of facts changes nothing, however deep in them it is, neither what is planned nor what is reported.

import { formatRef } from "../../apis/kube/kube-object.ts";
import { isRecord } from "../../apis/text/problem.ts";
import type { Checker } from "./checker.ts";

export const plansDeterministic: Checker = {
  name: "plans-deterministic",
  promise: "the same facts in another order give the same plan and the same report",
  watch: (view, broken) => {
    view.on("planned", ({ feature, key, plan, again }) => {
      if (differ(plan, again))
        broken(`${feature} ${formatRef(key)}: ${kinds(plan)} or ${kinds(again)}, by the order of facts`);
    });
    view.on("reported", ({ feature, key, report, again }) => {
      if (differ(report, again)) broken(`${feature} ${formatRef(key)}: reports by the order of facts`);
    });
  },
};

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
