// Keeps the DNSEndpoint of external-dns at what dns-records.ts says, for those who asked for it.

import { isDnsName, withoutClosingDot } from "../../apis/dns-name.ts";
import type { Plan } from "../plan.ts";
import { emptyPlan } from "../plan.ts";
import type { EndpointAction } from "./action.ts";
import type { Seat } from "./claims.ts";
import { type DnsHealth, type DnsRecords, type DnsZone, dnsRecords } from "./dns-records.ts";
import { isHealthy, isOpen, isServing, membersBehind } from "./health.ts";
import { recordedOf } from "./places.ts";
import { publicAddress } from "./readiness.ts";
import { planOf, type Situation } from "./situation.ts";

const dnsLane = "dns";

export function planDns(situation: Situation): Plan<EndpointAction> {
  const { intent, observed } = situation;
  const there = observed.object.dnsEndpoint;
  const host = withoutClosingDot(intent.endpoint?.host ?? "");
  if (!intent.publishDns || intent.deleting || intent.mode === "none" || !isDnsName(host)) {
    if (there === undefined) return emptyPlan;
    const removes = `DNSEndpoint of ${there.host}`;
    const because = intent.deleting ? "EndpointDeleted" : "DnsUnwanted";
    return planOf({ actions: [{ kind: "delete-dns-endpoint", removes, lane: dnsLane, because }] });
  }
  const { addresses, recheckAfterMs } = recordsOf(situation);
  const isThere = there?.host === host && there.addresses.toSorted().join(" ") === addresses.join(" ");
  return planOf({
    actions:
      addresses.length === 0 || isThere
        ? []
        : [{ kind: "apply-dns-endpoint", host, addresses, lane: dnsLane, because: "DnsRecordsChanged" }],
    waits:
      recheckAfterMs === undefined
        ? []
        : [{ reason: "ZoneLeavingDns", recheckAfterMs: Math.max(1_000, recheckAfterMs), lane: dnsLane }],
  });
}

export function recordsOf(situation: Situation): DnsRecords {
  const { claims, observed, nowMs } = situation;
  const zones = claims.seats
    .filter(({ role }) => role !== "fallback")
    .map((seat): DnsZone => {
      const before = recordedOf(observed, seat.zone)?.dns;
      return {
        zone: seat.zone ?? "",
        address: publicAddress(observed, seat),
        health: dnsHealth(seat, situation),
        before,
      };
    });
  return dnsRecords(zones, nowMs, leavingAddresses(situation));
}

/** Of balancers that no zone has, and that serve until somebody else does: a legacy fall-back, a removed zone's. */
function leavingAddresses(situation: Situation): readonly string[] {
  const { claims, observed } = situation;
  return [...claims.seats.filter(({ role }) => role === "fallback"), ...claims.surplus]
    .filter((one) => dnsHealth(one, situation) === "good")
    .flatMap((one) => publicAddress(observed, one) ?? []);
}

function dnsHealth({ seen }: Pick<Seat, "seen">, { intent }: Situation): DnsHealth {
  if (seen === undefined) return "bad";
  if (!seen.tree.known) return "unknown";
  // A change passes through PENDING_UPDATE, and the balancer serves meanwhile.
  const serves = isServing(seen) || seen.balancer.provisioningStatus === "PENDING_UPDATE";
  const isReached = serves && isOpen(seen, intent.apiPort);
  return isReached && membersBehind(seen, intent.apiPort).some(isHealthy) ? "good" : "bad";
}
