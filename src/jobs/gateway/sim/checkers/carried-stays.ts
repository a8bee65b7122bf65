// Never last: what a Service is reached by is not taken from a gateway while people want the Service as it is. A leader that begins takes
// nothing away.

import type { Checker } from "../../../../sim/checkers/checker.ts";
import { managedAnnotation } from "../../apis/annotations.ts";
import type { Service } from "../../apis/kube-objects.ts";
import { forwardingsOf } from "../../core/gateways/carried.ts";
import type { Forwarding, GatewayDocument } from "../../core/model/document.ts";
import { carriedAddress, type GatewaySim, poolName, poolResource, serviceAt } from "../gateway-sim.ts";
import { followPublishing, shownBy } from "./follow-publishing.ts";
import type { SimOf } from "./gateway-checkers.ts";

export function carriedStays(simOf: SimOf): Checker {
  return {
    name: "carried-stays",
    promise: "a gateway goes on forwarding to a Service for as long as people want it as it is",
    watch: (view, broken) => {
      const sim = simOf();
      const publishing = followPublishing(sim, view);
      const last = new Map<string, GatewayDocument | undefined>();
      sim.onEffect.push((machine, call) => {
        if (call !== "nft.apply") return;
        const before = last.get(machine.name);
        const now = machine.gateway.rules;
        last.set(machine.name, now);
        if (before === undefined || now === undefined || !isPoolWanted(sim)) return;
        const left = forwardingsOf(now);
        for (const [name, forwarding] of forwardingsOf(before)) {
          if (left.get(name)?.service === forwarding.service || !isWanted(sim, forwarding)) continue;
          if (publishing.isSettled(forwarding.service))
            return broken(
              `${machine.name} no longer forwards ${name} of ${forwarding.service}, which is wanted as it was`,
            );
        }
      });
    },
  };
}

function isPoolWanted({ world }: GatewaySim): boolean {
  const pool = world.view.objectAt(poolResource, poolName);
  return pool !== undefined && pool.metadata.deletionTimestamp === undefined;
}

function isWanted(sim: GatewaySim, { service, address, protocol, port }: Forwarding): boolean {
  const found = serviceAt(sim, service);
  if (found === undefined || !isToBeServed(found)) return false;
  const hasPort = (found.spec?.ports ?? []).some((one) => one.port === port && (one.protocol ?? "TCP") === protocol);
  return hasPort && shownBy(found).some((ip) => carriedAddress(sim, ip) === address);
}

export function isToBeServed({ metadata, spec }: Service): boolean {
  const isOptedOut = metadata.annotations?.[managedAnnotation] === "false";
  return metadata.deletionTimestamp === undefined && spec?.type === "LoadBalancer" && !isOptedOut;
}
