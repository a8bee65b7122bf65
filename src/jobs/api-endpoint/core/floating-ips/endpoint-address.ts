// The cluster's endpoint, written once and never over what a user wrote.
//
//   zones                      never a host: the user's DNS name. A missing port is filled in
//   single                     the floating IP, or the VIP where floating IPs are off, when the balancer is whole
//   none, floating IPs on      an address that is kept for the machines; attaching it to one is the machine controller's work
//   none, fixed IP             that address; giving it to a machine is the machine controller's work
//   APIEndpoint                into CAPO's OpenStackCluster, which waits for it, when enough balancers are whole

import type { Plan } from "../../../../core/plan.ts";
import { emptyPlan } from "../../../../core/plan.ts";
import { unseenWait } from "../balancer/waits.ts";
import type { EndpointAction } from "../model/action.ts";
import { planOf } from "../model/endpoint-plan.ts";
import { endpointLane, keptFloatingIpLane } from "../model/lanes.ts";
import { floatingIpDescription } from "../model/names.ts";
import { isFloatingIpFor } from "../model/ownership.ts";
import { notAnswered } from "../situation/cloud-away.ts";
import { publicAddress } from "../situation/public-address.ts";
import { hasEnough, isMade } from "../situation/readiness.ts";
import { type Situation } from "../situation/situation.ts";
import { externalNetwork } from "./floating-ips.ts";

export function planEndpointAddress(situation: Situation): Plan<EndpointAction> {
  const { intent } = situation;
  if (intent.door === "APIEndpoint") return planHandOff(situation);
  const { host = "", port = 0 } = intent.endpoint ?? {};
  if (host !== "") return port === 0 ? setEndpoint(host, situation) : emptyPlan;
  if (intent.mode === "zones") return emptyPlan;
  return intent.mode === "single" ? fromBalancer(situation) : withoutBalancer(situation);
}

function setEndpoint(host: string, { intent }: Situation): Plan<EndpointAction> {
  const because = "EndpointMissing";
  return planOf({
    actions: [{ kind: "set-endpoint", host, port: intent.apiPort.number, lane: endpointLane, because }],
  });
}

function planHandOff(situation: Situation): Plan<EndpointAction> {
  const { intent, observed } = situation;
  const { host = "", port = 0 } = intent.endpoint ?? {};
  if (observed.object.handOff !== "waiting" || host === "" || !hasEnough(situation)) return emptyPlan;
  // CAPO's webhook never lets a host without a port be completed: both at once.
  const whole = { host, port: port === 0 ? intent.apiPort.number : port };
  return planOf({ actions: [{ kind: "hand-off-endpoint", ...whole, lane: endpointLane, because: "GateClosed" }] });
}

function fromBalancer(situation: Situation): Plan<EndpointAction> {
  const wanted = situation.assignment.wanted.find(({ role }) => role === "single");
  const host = publicAddress(situation.observed, wanted?.seen).address;
  if (wanted === undefined || host === undefined || isMade(wanted, situation) !== "yes") return emptyPlan;
  return setEndpoint(host, situation);
}

function withoutBalancer(situation: Situation): Plan<EndpointAction> {
  const { intent, observed, ownerId } = situation;
  if (!intent.floatingIp.enabled || intent.externalNetworkDisabled) {
    if (intent.fixedIp !== undefined) return setEndpoint(intent.fixedIp, situation);
    const message = "there is no balancer, no floating IP and no apiServerFixedIP to make an endpoint of";
    return planOf({ refusals: [{ reason: "EndpointUndetermined", message }] });
  }
  if (!observed.floatingIps.known)
    return planOf({ waits: [unseenWait(notAnswered(observed.floatingIps, "Neutron"), keptFloatingIpLane)] });
  const named = intent.floatingIp.address;
  const kept = observed.floatingIps.value
    .toSorted((a, b) => (a.address < b.address ? -1 : 1))
    .find((one) => (named === undefined ? isFloatingIpFor(one, ownerId, undefined) : one.address === named));
  if (kept !== undefined) return setEndpoint(kept.address, situation);
  const external = externalNetwork(situation, keptFloatingIpLane);
  if ("plan" in external) return external.plan;
  const address = named === undefined ? {} : { address: named };
  const desired = {
    floatingNetworkId: external.id,
    description: floatingIpDescription(ownerId, undefined),
    ...address,
  };
  return planOf({
    actions: [
      {
        kind: "create-floating-ip",
        wanted: desired,
        ...address,
        lane: keptFloatingIpLane,
        because: "FloatingIpMissing",
      },
    ],
  });
}
