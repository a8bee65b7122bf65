// No double master: whatever gateways have been told so far, no two of them answer for the same address.

import type { Checker } from "../../../../sim/checkers/checker.ts";
import { announcers } from "../gateway-sim.ts";
import type { SimOf } from "./gateway-checkers.ts";

export function oneAnnouncer(simOf: SimOf): Checker {
  return {
    name: "one-announcer",
    promise: "an address is announced by one gateway at a time, also while their documents differ",
    watch: (_view, broken) => {
      const sim = simOf();
      sim.onEffect.push((_machine, call) => {
        if (call !== "keepalived.use" && call !== "keepalived.setReady") return;
        const seen = new Map<string, string>();
        for (const [address, name] of announcers(sim)) {
          const other = seen.get(address);
          if (other !== undefined) return broken(`${address} is announced by ${other} and by ${name}`);
          seen.set(address, name);
        }
      });
    },
  };
}
