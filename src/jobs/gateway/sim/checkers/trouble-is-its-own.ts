// One bad Service never affects another: what is wrong with it is said about it, and about nobody else.

import { formatRef } from "../../../../apis/kube/kube-object.ts";
import type { Checker } from "../../../../sim/checkers/checker.ts";
import { serviceKind } from "../../controller/observe.ts";
import type { SimOf } from "./gateway-checkers.ts";

/** What only the bad Services of a world can suffer from. */
const reasonsOfBad = new Set(["RequestedAddressUnavailable", "ForwardingNotCarried"]);

export function troubleIsItsOwn(simOf: SimOf): Checker {
  return {
    name: "trouble-is-its-own",
    promise: "that a Service asks for what cannot be had is said on this Service, and on no other",
    watch: (view, broken) => {
      simOf();
      view.on("reported", ({ process, report }) => {
        for (const { kind, ref, conditions = [] } of report.statuses) {
          const bad = conditions.find(({ status, reason }) => status === "False" && reasonsOfBad.has(reason));
          if (kind.kind !== serviceKind.kind || bad === undefined || ref.name === "bad") continue;
          return broken(`${process.name} says ${bad.reason} about ${formatRef(ref)}`);
        }
      });
    },
  };
}
