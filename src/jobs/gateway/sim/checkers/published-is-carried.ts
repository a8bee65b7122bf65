// Make before break: an address is shown to clients only when the gateways carry it.

import type { Checker } from "../../../../sim/checkers/checker.ts";
import { forwardingsOf } from "../../core/gateways/carried.ts";
import { forwardingKey, type Protocol } from "../../core/model/document.ts";
import { announcers, carriedAddress } from "../gateway-sim.ts";
import { followPublishing, shownBy } from "./follow-publishing.ts";
import type { SimOf } from "./gateway-checkers.ts";

/** A round may take the answer to a question that an earlier one asked, and before that nobody knows better than to call a gateway silent. */
const lateAnswerMs = 20_000;

export function publishedIsCarried(simOf: SimOf): Checker {
  return {
    name: "published-is-carried",
    promise:
      "an address is published when every gateway that answers forwards all its ports, and one of them announces it",
    watch: (view, broken) => {
      const sim = simOf();
      const publishing = followPublishing(sim, view);
      publishing.onPublished(({ key, before, after, call, roundBeganMs }) => {
        if (!publishing.isUntouchedSince(key, roundBeganMs)) return;
        const added = shownBy(after).filter((ip) => !shownBy(before).includes(ip));
        const machines = sim.machines.filter(
          (one) => one.isHealthy && one.undisturbedSinceMs < roundBeganMs - lateAnswerMs,
        );
        for (const ip of added) {
          const address = carriedAddress(sim, ip);
          if (address === undefined) continue;
          for (const { protocol = "TCP", port } of before.spec?.ports ?? []) {
            const name = forwardingKey({ address, protocol: protocol as Protocol, port });
            const lacking = machines.find(
              ({ gateway }) => gateway.rules === undefined || forwardingsOf(gateway.rules).get(name)?.service !== key,
            );
            if (lacking !== undefined)
              return broken(
                `${call.process.name} published ${ip} for ${key}, and ${lacking.name} does not forward ${name}`,
              );
          }
          const isCalm = machines.length === sim.machines.length;
          if (isCalm && !announcers(sim).some(([one]) => one === address))
            return broken(`${call.process.name} published ${ip} for ${key}, and nobody announces ${address}`);
        }
      });
    },
  };
}
