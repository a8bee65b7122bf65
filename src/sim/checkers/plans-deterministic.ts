// Deterministic: the order of facts changes nothing.

import { formatRef } from "../../apis/kube-object.ts";
import type { Checker } from "./checker.ts";

export const plansDeterministic: Checker = {
  name: "plans-deterministic",
  promise: "the same facts in another order give the same plan",
  watch: (view, broken) =>
    view.on("planned", ({ feature, key, plan, again }) => {
      if (JSON.stringify(plan) !== JSON.stringify(again))
        broken(`${feature} ${formatRef(key)}: ${kinds(plan)} or ${kinds(again)}, by the order of facts`);
    }),
};

function kinds({ actions }: { readonly actions: readonly { readonly kind: string }[] }): string {
  return actions.length === 0 ? "nothing" : actions.map(({ kind }) => kind).join(", ");
}
