// Keeps the DNSEndpoint of external-dns at the records that the endpoint should have, for those who asked for it.

import { formatRef } from "../../../../apis/kube/kube-object.ts";
import { isDnsName, withoutClosingDot } from "../../../../apis/text/dns-name.ts";
import type { Plan, Refusal } from "../../../../core/plan.ts";
import { emptyPlan } from "../../../../core/plan.ts";
import { unseenWait } from "../balancer/waits.ts";
import type { EndpointAction } from "../model/action.ts";
import { planOf } from "../model/endpoint-plan.ts";
import { dnsLane } from "../model/lanes.ts";
import type { Situation } from "../situation/situation.ts";

export function planDns(situation: Situation): Plan<EndpointAction> {
  const { intent, observed } = situation;
  const there = observed.object.dnsEndpoint;
  const host = withoutClosingDot(intent.endpoint?.host ?? "");
  const isWanted = intent.mode !== "none" || situation.kept !== undefined;
  const { unreadDns } = observed.object;
  // It may be somebody else's, or say what it should: it is neither written nor taken away.
  if (unreadDns !== undefined)
    return intent.publishDns || intent.deleting ? planOf({ waits: [unseenWait(unreadDns, dnsLane)] }) : emptyPlan;
  if (!intent.publishDns || intent.deleting || !isWanted || !isDnsName(host)) {
    if (there === undefined) return emptyPlan;
    const removes = `DNSEndpoint of ${there.host}`;
    const because = intent.deleting ? "EndpointDeleted" : "DnsUnwanted";
    return planOf({ actions: [{ kind: "delete-dns-endpoint", removes, lane: dnsLane, because }] });
  }
  if (observed.object.foreignDnsEndpoint !== undefined) return planOf({ refusals: [foreignDns(situation)] });
  return followRecords(host, situation);
}

/** The object has problems: what is published stays under its name and true, and nothing else is. */
export function planHeldDns(situation: Situation): Plan<EndpointAction> {
  const { dnsEndpoint, foreignDnsEndpoint } = situation.observed.object;
  return dnsEndpoint === undefined || foreignDnsEndpoint !== undefined
    ? emptyPlan
    : followRecords(dnsEndpoint.host, situation);
}

function followRecords(host: string, situation: Situation): Plan<EndpointAction> {
  const there = situation.observed.object.dnsEndpoint;
  const { addresses, recheckAfterMs } = situation.records;
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

function foreignDns({ intent }: Situation): Refusal {
  const message = `DNSEndpoint ${formatRef(intent.object)}: it does not bear our mark, so it is left alone and no records are published; rename or delete it, or turn the publishing of DNS records off`;
  return { reason: "DnsEndpointForeign", message, lane: dnsLane };
}
