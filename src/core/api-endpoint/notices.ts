// What people should know although nothing can be done about it from here: said as refusals, so that each is told once and stands in
// the plan as long as it is true.

import { familyOf } from "../net/ip.ts";
import type { Refusal } from "../plan.ts";
import { allowedCidrs } from "./allowed-cidrs.ts";
import type { Seat } from "./claims.ts";
import { isHealthy, isServing, membersBehind, portOf } from "./health.ts";
import { monitorsInTheWay } from "./make-ports.ts";
import { addressFor, belongsTo, memberRefusals } from "./members.ts";
import type { BalancerObserved } from "./observed.ts";
import { supports } from "./provider-features.ts";
import { machineOfMember, type Situation, seatedBalancers } from "./situation.ts";

export function noticeRefusals(situation: Situation): readonly Refusal[] {
  const seated = seatedBalancers(situation);
  return [
    ...foreignBalancers(situation),
    ...legacyPresent(situation),
    ...memberRefusals(situation),
    ...seated.flatMap((seat) => [
      ...unsupported(seat, situation),
      ...listIgnored(seat, situation),
      ...takenPorts(seat, situation),
      ...foreignMembers(seat, situation),
      ...healthNotice(seat, situation),
    ]),
    ...unplacedMachines(situation),
  ];
}

type Seated = Seat & { readonly seen: BalancerObserved };

function foreignBalancers({ claims, intent }: Situation): readonly Refusal[] {
  // Beside CAPO its own balancer bears the legacy name, as it should.
  if (intent.door === "APIEndpoint") return [];
  return claims.foreign.map(({ name, id }) => ({
    reason: "ForeignLoadBalancer",
    message: `${name} (${id}): bears our name and not our mark; it is left alone, and ours stands beside it`,
  }));
}

function legacyPresent({ claims }: Situation): readonly Refusal[] {
  return claims.seats.flatMap(({ role, seen, lane }) =>
    role === "fallback" && seen !== undefined
      ? [
          {
            reason: "LegacyLoadBalancerPresent",
            message: `${seen.balancer.name} (${seen.balancer.id}, VIP ${seen.balancer.vipAddress}): in no zone's subnet, so it stays as a fall-back with all machines; annotate mainstay.dev/remove-legacy=true when nobody uses it`,
            lane,
          } as const,
        ]
      : [],
  );
}

function unsupported({ lane, seen }: Seated, { observed, intent }: Situation): readonly Refusal[] {
  if (!observed.capabilities.known) return [];
  const { provider, name } = seen.balancer;
  const lacks = (feature: Parameters<typeof supports>[2]) =>
    observed.capabilities.known && !supports(observed.capabilities.value, provider, feature);
  const said = `${name}: provider ${provider} has no`;
  return [
    ...(intent.allowedCidrs.length > 0 && lacks("allowed-cidrs")
      ? [{ reason: "AllowedCidrsUnsupported", message: `${said} access lists; everybody may connect`, lane } as const]
      : []),
    ...(lacks("health-monitor")
      ? [
          {
            reason: "MonitorUnsupported",
            message: `${said} health monitors; every member counts as healthy`,
            lane,
          } as const,
        ]
      : []),
  ];
}

function listIgnored({ lane, seen }: Seated, { observed, intent }: Situation): readonly Refusal[] {
  const family = familyOf(seen.balancer.vipAddress);
  if (!observed.places.known || family === undefined) return [];
  return allowedCidrs(intent.allowedCidrs, observed.places.value, family).refusals.map((refusal) => ({
    ...refusal,
    lane,
  }));
}

function takenPorts({ lane, seen }: Seated, situation: Situation): readonly Refusal[] {
  const foreign = monitorsInTheWay({ seen, situation }).find(({ ours }) => !ours);
  return situation.ports.flatMap((port) => {
    const { listener } = portOf(seen, port);
    if (listener === undefined && foreign !== undefined) {
      const message = `${seen.balancer.name}: port ${port} gets no listener while there is a health monitor, on which provider ${seen.balancer.provider} would hang, and ${foreign.name || foreign.id} is not ours; delete it`;
      return [{ reason: "PortTaken", message, lane } as const];
    }
    if (listener === undefined || listener.protocol === "TCP") return [];
    const message = `${seen.balancer.name}: port ${port} is taken by ${listener.protocol} listener ${listener.name}`;
    return [{ reason: "PortTaken", message, lane } as const];
  });
}

function foreignMembers({ lane, seen }: Seated, { observed, intent }: Situation): readonly Refusal[] {
  if (observed.machines.length === 0) return [];
  return membersBehind(seen, intent.apiPort)
    .filter((member) => machineOfMember(observed, member) === "foreign")
    .toSorted((a, b) => (a.address < b.address ? -1 : 1))
    .map(({ name, address }) => ({
      reason: "ForeignMember",
      message: `${seen.balancer.name}: member ${name || "without a name"} (${address}) is not ours; it stays`,
      lane,
    }));
}

/** A zone whose members do not answer, or that has none although there are machines. */
function healthNotice({ lane, seen }: Seated, { observed, intent }: Situation): readonly Refusal[] {
  if (!isServing(seen) || observed.machines.length === 0) return [];
  const members = membersBehind(seen, intent.apiPort);
  const down = members.filter((member) => !isHealthy(member));
  const { name } = seen.balancer;
  if (members.length === 0)
    return [{ reason: "ZoneWithoutMembers", message: `${name}: no machine stands behind it`, lane }];
  if (down.length === 0) return [];
  const which = down
    .map(({ address }) => address)
    .toSorted()
    .join(", ");
  const message = `${name}: ${down.length} of ${members.length} members do not answer: ${which}`;
  return [{ reason: "MembersUnhealthy", message, lane }];
}

/** It has addresses, and none of them lies where members are looked for. */
function unplacedMachines(situation: Situation): readonly Refusal[] {
  const { observed, intent } = situation;
  if (!observed.places.known) return [];
  const places = observed.places.value;
  const seated = seatedBalancers(situation);
  return observed.machines
    .filter(({ deleting, addresses }) => !deleting && addresses.length > 0)
    .filter((machine) => {
      const theirs = seated.filter((seat) => belongsTo(seat, machine, intent.crossZone));
      return theirs.length > 0 && theirs.every(({ seen }) => addressFor(machine, seen.balancer, places) === undefined);
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, addresses }) => ({
      reason: "MemberAddressUnknown",
      message: `machine ${name}: none of ${addresses.toSorted().join(", ")} is in a node subnet of the VIP's family`,
    }));
}
