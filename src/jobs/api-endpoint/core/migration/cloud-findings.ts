// What the cloud says about a move: where each zone's balancer goes, what becomes of the one from before, whose the floating IPs are,
// and which machines would stand behind what. The decisions are the planner's own.

import type { Refusal } from "../../../../core/plan.ts";
import { factsOf, type Word } from "../../../../core/reasons.ts";
import { hintRefusals } from "../balancer/placement.ts";
import { lingerMs } from "../dns/named-addresses.ts";
import { externalNetwork, isOursToDelete, markFloatingIp, planFloatingIp } from "../floating-ips/floating-ips.ts";
import { zonesOf } from "../model/intent.ts";
import { keptFloatingIpLane } from "../model/lanes.ts";
import { tagsFor } from "../model/ownership.ts";
import type { WantedBalancer } from "../situation/assignment.ts";
import { movedSubnet, placeOf } from "../situation/places.ts";
import { floatingIpOn } from "../situation/public-address.ts";
import type { Situation } from "../situation/situation.ts";
import { noticeRefusals } from "../status/notices.ts";
import type { LegacyBalancer } from "./legacy-balancer.ts";
import { type MigrationFinding, no, note, ok, unknown } from "./migration-finding.ts";

const lookAgain = "Look again when the cloud answers.";

export function cloudFindings(situation: Situation, legacy: LegacyBalancer | undefined): readonly MigrationFinding[] {
  const { capabilities } = situation.observed;
  return [
    ...wantedZones(situation).map((wanted) => zoneFinding(wanted, situation, legacy)),
    ...(capabilities.known
      ? hintRefusals(situation, capabilities.value).map((refusal) => refused("hints", refusal))
      : [unknown("hints", capabilities.message, lookAgain)]),
    ...removedZones(situation),
    legacyFinding(legacy, situation),
    ...floatingIpFindings(situation, legacy),
    ...machineFindings(situation),
    ...noticeRefusals(situation)
      .filter(({ reason }) => !saidElsewhere.has(reason))
      .map((refusal) => refused("also", refusal)),
  ];
}

export function wantedZones({ assignment }: Situation): readonly (WantedBalancer & { readonly zone: string })[] {
  return assignment.wanted.flatMap((wanted) =>
    wanted.role === "zone" && wanted.zone !== undefined ? [{ ...wanted, zone: wanted.zone }] : [],
  );
}

/** By `legacy balancer` and `machines`. */
const saidElsewhere: ReadonlySet<Word> = new Set([
  "LegacyLoadBalancerPresent",
  "MachineZoneUnmapped",
  "ZoneWithoutMembers",
  "ForeignLoadBalancer",
]);

/** As the planner means it: an error keeps it from going on. */
function refused(check: string, { reason, message }: Omit<Refusal, "lane">): MigrationFinding {
  return factsOf(reason).severity === "error"
    ? no(check, message, `mainstay runbook ${reason} says what to do.`)
    : note(check, message);
}

function zoneFinding(
  wanted: WantedBalancer & { readonly zone: string },
  situation: Situation,
  legacy: LegacyBalancer | undefined,
): MigrationFinding {
  const { observed } = situation;
  const check = `zone ${wanted.zone}`;
  if (!observed.places.known) return unknown(check, observed.places.message, lookAgain);
  if (wanted.seen !== undefined) {
    const moved = movedSubnet(observed, wanted.zone, wanted.seen.balancer.vipSubnetId);
    if (moved !== undefined) return note(check, moved.messageInPart ?? moved.message);
    return legacy?.outcome.is === "zone" && legacy.outcome.zone === wanted.zone
      ? ok(check, `takes over the legacy balancer, whose VIP ${wanted.seen.balancer.vipAddress} is in its subnet`)
      : ok(check, `has its balancer already: ${wanted.seen.balancer.name}`);
  }
  const placed = placeOf(observed, wanted.zone);
  if ("unseen" in placed) return unknown(check, placed.unseen.message, lookAgain);
  return "refusal" in placed
    ? refused(check, { ...placed.refusal, message: placed.refusal.messageInPart ?? placed.refusal.message })
    : ok(check, `a new balancer in ${subnetWords(wanted.zone, situation)}`);
}

export function subnetWords(zone: string, { observed }: Situation): string {
  const found = observed.places.known ? observed.places.value.zoneSubnets.get(zone) : undefined;
  if (found?.found !== "one") return "its subnet";
  const { id, name, cidr } = found.value;
  return `subnet ${name === "" ? id : name} (${cidr})`;
}

function removedZones({ assignment }: Situation): readonly MigrationFinding[] {
  return assignment.unwanted
    .filter(({ because }) => because === "ZoneRemoved")
    .map(({ zone, seen }) => {
      const says = `it is mapped no longer: ${seen.balancer.name} leaves the DNS records, serves ${lingerMs / 1_000} s more, and goes while another way in is healthy`;
      return note(`zone ${zone}`, says);
    });
}

function legacyFinding(legacy: LegacyBalancer | undefined, situation: Situation): MigrationFinding {
  const { intent } = situation;
  const check = "legacy balancer";
  if (legacy === undefined) return ok(check, `there is none: ${newBalancers(situation)}`);
  const { name, id, vipAddress } = legacy.seen.balancer;
  const which = `${name} (${id}, VIP ${vipAddress})`;
  if (legacy.outcome.is === "zone")
    return ok(
      check,
      `${which} is adopted: ${legacy.why}; it becomes the balancer of zone ${legacy.outcome.zone} and keeps its addresses`,
    );
  if (legacy.outcome.is === "fall-back")
    return note(
      check,
      `${which} is adopted: ${legacy.why}; its VIP is in no zone's subnet and cannot move, so it stays as a fall-back with all machines`,
    );
  if (intent.door === "APIEndpoint") return ok(check, `${which} stays CAPO's: ${legacy.why}`);
  const says = `${which} is not adopted: ${legacy.why}; it is left alone, and nobody keeps the machines behind it up to date`;
  return note(check, says, legacy.fix);
}

function newBalancers(situation: Situation): string {
  const zones = wantedZones(situation);
  const missing = zones.filter(({ seen }) => seen === undefined).map(({ zone }) => zone);
  if (missing.length === 0) return "every zone has its own already";
  return missing.length === zones.length ? "every zone gets a new one" : `a new one is made for ${missing.join(", ")}`;
}

function floatingIpFindings(situation: Situation, legacy: LegacyBalancer | undefined): readonly MigrationFinding[] {
  const { intent, observed } = situation;
  const check = "floating IPs";
  if (!intent.floatingIp.enabled) return [ok(check, "none are wanted: the VIPs are what the records hold")];
  const external = externalNetwork(situation, keptFloatingIpLane);
  const hasAll = wantedZones(situation).every(
    ({ seen }) => seen !== undefined && floatingIpOn(observed, seen.balancer.vipPortId) !== undefined,
  );
  const source =
    "id" in external
      ? [ok(check, hasAll ? "every zone has its own already" : `new ones come from ${externalWords(situation)}`)]
      : [
          ...external.plan.refusals.map((refusal) => refused(check, refusal)),
          ...external.plan.waits.map(({ message }) => unknown(check, message ?? "could not be observed", lookAgain)),
        ];
  const unseen = observed.floatingIps.known ? [] : [unknown(check, observed.floatingIps.message, lookAgain)];
  const taken = wantedZones(situation).flatMap((wanted) => planFloatingIp(wanted, situation).refusals);
  return [
    ...source,
    ...unseen,
    ...taken.filter(({ reason }) => reason !== "ExternalNetworkUnresolved").map((refusal) => refused(check, refusal)),
    ...legacyFloatingIp(situation, legacy),
  ];
}

function externalWords({ observed: { places } }: Situation): string {
  const found = places.known ? places.value.externalNetwork : undefined;
  return found?.found === "one" ? `network ${found.value.name || found.value.id}` : "the external network";
}

function legacyFloatingIp(situation: Situation, legacy: LegacyBalancer | undefined): readonly MigrationFinding[] {
  if (legacy === undefined || legacy.outcome.is === "left") return [];
  const floatingIp = floatingIpOn(situation.observed, legacy.seen.balancer.vipPortId);
  if (floatingIp === undefined) return [];
  const zone = legacy.outcome.is === "zone" ? legacy.outcome.zone : undefined;
  const tags = tagsFor({ ownerId: situation.ownerId, zone, role: "floating-ip" }, situation.userTags.wanted);
  const isOurs =
    isOursToDelete(floatingIp, situation) ||
    markFloatingIp(floatingIp, tags, keptFloatingIpLane, situation) !== undefined;
  const whose = isOurs
    ? "CAPO or Mainstay made it, so it stays on the balancer and goes with it when it is deleted"
    : "somebody else made it, so it stays on the balancer and is never deleted";
  return [ok("floating IPs", `${floatingIp.address}, on the legacy balancer: ${whose}`)];
}

function machineFindings({ observed, intent }: Situation): readonly MigrationFinding[] {
  const check = "machines";
  const present = observed.machines.filter(({ deleting }) => !deleting);
  if (present.length === 0) return [note(check, "the cluster has no control-plane machines yet")];
  if (intent.crossZone) return [ok(check, `all ${present.length} are behind every zone's load balancer`)];
  const mapped = zonesOf(intent).map(({ zone }) => zone);
  const homeless = present.filter(({ zone }) => zone === undefined || !mapped.includes(zone));
  const places = present
    .map(({ name, zone }) => `${name} in ${zone ?? "no zone that we know"}`)
    .toSorted()
    .join(", ");
  if (homeless.length === present.length && mapped.length > 0)
    return [
      no(
        check,
        `none is in a mapped zone: ${places}`,
        "Map the zones that have machines, or set allowCrossAZLoadBalancerMembers.",
      ),
    ];
  const empty = mapped.filter((zone) => !present.some((machine) => machine.zone === zone));
  return [
    ok(check, places),
    ...homeless.map(({ name, zone }) =>
      note(
        check,
        `${name}: ${zone === undefined ? "its zone is not known" : `zone ${zone} has no mapping`}, so no zone's balancer leads to it`,
      ),
    ),
    ...empty.map((zone) => note(check, `zone ${zone} has none: its balancer stays empty and out of the DNS records`)),
  ];
}
