// Delete is desiring nothing: an address goes back to Neutron when no gateway can answer for it any more, and nobody is sent to it.

import type { Checker } from "../../../../sim/checkers/checker.ts";
import type { PortRecord } from "../../../../sim/fakes/openstack/cloud-records.ts";
import { inboundPortAnnotation } from "../../apis/annotations.ts";
import { addressesIn } from "../../core/gateways/carried.ts";
import { addressOf, allServices, type GatewaySim } from "../gateway-sim.ts";
import { isToBeServed } from "./carried-stays.ts";
import { followPublishing, keyOfService } from "./follow-publishing.ts";
import type { SimOf } from "./gateway-checkers.ts";

export function freedBeforeDeleted(simOf: SimOf): Checker {
  return {
    name: "freed-before-deleted",
    promise:
      "a port is deleted when no gateway carries its address, or may use it, and no Service that is wanted has it",
    watch: (view, broken) => {
      const sim = simOf();
      const publishing = followPublishing(sim, view);
      sim.effects.on(({ call, changes }) => {
        for (const { kind, before, after } of changes) {
          if (kind !== "ports" || before === undefined || after !== undefined) continue;
          const port = before as PortRecord;
          const address = addressOf(port);
          const carrier = carrierOf(sim, address);
          if (carrier !== undefined)
            return broken(`${call.process.name} deleted the port of ${address}, which ${carrier} carries and may use`);
          const owner = allServices(sim).find(
            (service) => isToBeServed(service) && service.metadata.annotations?.[inboundPortAnnotation] === port.id,
          );
          if (owner !== undefined && publishing.isSettled(keyOfService(owner)))
            return broken(`${call.process.name} deleted the port of ${address}, which ${keyOfService(owner)} has`);
        }
      });
    },
  };
}

/** One without power carries nothing, and may come back with what it carried: its port counts. */
function carrierOf({ machines, gatewayPorts, fake }: GatewaySim, address: string): string | undefined {
  return machines.find(({ name, isOn, gateway }) => {
    const port = fake.cloud.tables.ports.get(gatewayPorts.get(name) ?? "");
    const isAllowed = port?.allowedAddressPairs.some((pair) => pair.address === address) === true;
    return isOn && isAllowed && addressesIn(gateway.rules).has(address);
  })?.name;
}
