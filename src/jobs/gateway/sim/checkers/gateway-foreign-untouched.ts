// Own or leave: ports and floating IPs without the pool's mark, pairs that others put on the gateways' ports, Services of other classes and
// entries of others in a Service's status stay as they are.

import type { Checker } from "../../../../sim/checkers/checker.ts";
import type { CloudChange } from "../../../../sim/fakes/openstack/cloud.ts";
import type { FloatingIpRecord, PortRecord } from "../../../../sim/fakes/openstack/cloud-records.ts";
import { keyOfPath } from "../../../../sim/network/kube-path.ts";
import type { Service } from "../../apis/kube-objects.ts";
import { foreignIngress, foreignPair, otherClass } from "../gateway-objects.ts";
import { type GatewaySim, ourMark, serviceAt, serviceResource } from "../gateway-sim.ts";
import { shownBy } from "./follow-publishing.ts";
import type { SimOf } from "./gateway-checkers.ts";

export function gatewayForeignUntouched(simOf: SimOf): Checker {
  return {
    name: "gateway-foreign-untouched",
    promise: "ports, floating IPs, address pairs, Services and status entries of others are never changed",
    watch: (view, broken) => {
      const sim = simOf();
      sim.effects.on(({ call, changes }) => {
        for (const change of changes) {
          const why = whyForeign(sim, change);
          if (why !== undefined) return broken(`${call.process.name}: ${call.verb} ${call.target} ${why}`);
        }
      });
      view.on("arrived", ({ call, status, before }) => {
        const path = call.inCluster;
        if (!call.write || status >= 300 || path?.resource !== serviceResource || before === undefined) return;
        const service = before as Service;
        const after = serviceAt(sim, keyOfPath(path));
        const isChanged = after?.metadata.resourceVersion !== before.metadata.resourceVersion;
        if (service.spec?.loadBalancerClass === otherClass && isChanged)
          return broken(`${call.process.name} changed ${call.target}, which is of another class`);
        const hadForeign = shownBy(service).includes(foreignIngress.ip);
        if (after !== undefined && hadForeign && !shownBy(after).includes(foreignIngress.ip))
          broken(`${call.process.name} took away an entry of others from ${call.target}`);
      });
    },
  };
}

function whyForeign(sim: GatewaySim, { kind, id, before, after }: CloudChange): string | undefined {
  if (before === undefined || (kind !== "ports" && kind !== "floatingips")) return undefined;
  const { description } = before as PortRecord | FloatingIpRecord;
  if (description === ourMark) return undefined;
  if (![...sim.gatewayPorts.values()].includes(id)) return `touched ${kind} ${id}, which bears no mark of ours`;
  if (after === undefined) return `deleted the port of a gateway`;
  const pairs = (after as PortRecord).allowedAddressPairs.map(({ address }) => address);
  const hadForeign = (before as PortRecord).allowedAddressPairs.some(({ address }) => address === foreignPair);
  return hadForeign && !pairs.includes(foreignPair) ? `took the pair ${foreignPair} of others` : undefined;
}
