// What people should know although nothing can be done about it from here: said as refusals, so that each is reported once and stands in
// the plan as long as it is true.

import { familyOf } from "../../../../core/net/ip.ts";
import type { MemberNode } from "../../../../core/openstack/octavia-objects.ts";
import type { Refusal } from "../../../../core/plan.ts";
import { lostNotices } from "../balancer/lost-balancer.ts";
import { consentLeftBehind } from "../balancer/repair-consent.ts";
import { unmappedMachines } from "../members/members.ts";
import { unplacedMachines } from "../members/unplaced-machines.ts";
import type { EndpointObserved } from "../model/observed.ts";
import { isSamePort, portWords } from "../model/port.ts";
import { supports } from "../model/provider-features.ts";
import { allowedCidrs } from "../ports/allowed-cidrs.ts";
import { takenPorts } from "../ports/taken-ports.ts";
import { removalConsentLeftBehind } from "../removal/removal-consent.ts";
import { type ExistingBalancer, existingBalancers } from "../situation/assignment.ts";
import { downBecause } from "../situation/balancer-health.ts";
import { isServing, memberHealth, membersBehind } from "../situation/health.ts";
import { machineOfMember } from "../situation/machine-of-member.ts";
import { nodePlaceRefusals } from "../situation/node-places.ts";
import { type Situation } from "../situation/situation.ts";
import { membersByPort } from "./port-members.ts";

export function noticeRefusals(situation: Situation): readonly Refusal[] {
  const existing = existingBalancers(situation.assignment);
  return [
    ...tagsLeftOut(situation),
    ...consentLeftBehind(situation),
    ...removalConsentLeftBehind(situation),
    ...foreignBalancers(situation),
    ...legacyPresent(situation),
    ...unmappedMachines(situation),
    ...nodePlaceRefusals(situation),
    ...lostNotices(situation),
    ...existing.flatMap((wanted) => [
      ...unsupported(wanted, situation),
      ...listIgnored(wanted, situation),
      ...takenPorts(wanted, situation),
      ...foreignMembers(wanted, situation),
      ...downNotice(wanted, situation),
      ...healthNotice(wanted, situation),
    ]),
    ...unplacedMachines(situation).filter(({ reason }) => reason === "MemberAddressUnknown"),
  ];
}

function tagsLeftOut({ intent }: Situation): readonly Refusal[] {
  return (intent.tagsLeftOut ?? []).map((message) => ({ reason: "TagIgnored", message }));
}

function foreignBalancers({ assignment, intent }: Situation): readonly Refusal[] {
  // Beside CAPO its own balancer bears the legacy name, as it should.
  if (intent.door === "APIEndpoint") return [];
  return assignment.foreign.map(({ name, id }) => ({
    reason: "ForeignLoadBalancer",
    message: `${name} (${id}): bears our name and not our mark; it is left alone, and ours stands beside it`,
  }));
}

function legacyPresent({ assignment }: Situation): readonly Refusal[] {
  return assignment.wanted.flatMap(({ role, seen, lane }) =>
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

function unsupported({ lane, seen }: ExistingBalancer, { observed, intent }: Situation): readonly Refusal[] {
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
            message: `${said} health monitors; every machine counts as healthy`,
            lane,
          } as const,
        ]
      : []),
  ];
}

function listIgnored({ lane, seen }: ExistingBalancer, { observed, intent }: Situation): readonly Refusal[] {
  const family = familyOf(seen.balancer.vipAddress);
  if (!observed.places.known || family === undefined) return [];
  return allowedCidrs(intent.allowedCidrs, observed.places.value, family).refusals.map((refusal) => ({
    ...refusal,
    lane,
  }));
}

function foreignMembers({ lane, seen }: ExistingBalancer, { observed, intent }: Situation): readonly Refusal[] {
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

function downNotice(wanted: ExistingBalancer, situation: Situation): readonly Refusal[] {
  const { lane, seen, zone } = wanted;
  const why = downBecause(seen, situation.observed);
  if (why === undefined) return [];
  const balancer = `${seen.balancer.name} (id ${seen.balancer.id})`;
  const lost = lostMachines(wanted, situation);
  if (zone === undefined || lost.length === 0) {
    const message = `${balancer}: ${why}; it does not count as a way in until that ends`;
    return [{ reason: "LoadBalancerDown", message, lane }];
  }
  const machines = lost.length === 1 ? `its machine ${lost.join("")} does` : `its machines ${lost.join(", ")} do`;
  const words = `seems to be down as a whole: its load balancer ${balancer} does not serve (${why}), and ${machines} not answer`;
  return [{ reason: "ZoneDown", message: `zone ${zone} ${words}`, messageInPart: `the zone ${words}`, lane }];
}

/** The machines of its zone, where none of them answers. */
function lostMachines({ zone, seen }: ExistingBalancer, { observed, intent }: Situation): readonly string[] {
  const own = observed.machines.filter((machine) => machine.zone === zone && !machine.deleting);
  const down = membersBehind(seen, intent.apiPort)
    .filter((member) => memberHealth(member, seen.balancer.provider, observed) === "bad")
    .map((member) => machineOfMember(observed, member));
  return own.every((machine) => down.includes(machine)) ? own.map(({ name }) => name).toSorted() : [];
}

/** A zone whose members do not answer, on whichever port, or that has none although there are machines. */
function healthNotice({ lane, seen }: ExistingBalancer, situation: Situation): readonly Refusal[] {
  const { observed, intent } = situation;
  if (!isServing(seen) || observed.machines.length === 0) return [];
  const { name } = seen.balancer;
  if (membersBehind(seen, intent.apiPort).length === 0)
    return [{ reason: "ZoneWithoutMembers", message: `${name}: it has no machines`, lane }];
  return membersByPort(seen, situation).flatMap(({ port, total, down }) => {
    if (down.length === 0) return [];
    const where = isSamePort(port, intent.apiPort) ? "" : `port ${portWords(port)}: `;
    const which = down.map((member) => machineWords(member, observed)).toSorted();
    const message = `${name}: ${where}${down.length} of ${total} ${total === 1 ? "machine" : "machines"} ${down.length === 1 ? "does" : "do"} not answer: ${which.join(", ")}`;
    return [{ reason: "MembersUnhealthy", message, lane } as const];
  });
}

/** `blue-az2 (10.0.2.3)`; only the address of a member of no machine of ours. */
function machineWords(member: MemberNode, observed: EndpointObserved): string {
  const machine = machineOfMember(observed, member);
  return typeof machine === "string" ? member.address : `${machine.name} (${member.address})`;
}
