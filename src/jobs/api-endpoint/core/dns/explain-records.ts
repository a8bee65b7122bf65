// The DNS records of an endpoint with a word on each zone: in or out, and why. Which addresses there are is decided by the function that
// the controller uses (endpoint-records.ts); nothing is decided here.

import type { RecordedDns } from "../model/observed.ts";
import type { WantedBalancer } from "../situation/assignment.ts";
import { downBecause, isDeadByProbe, isDoubtful, letsPeopleIn } from "../situation/balancer-health.ts";
import { healthBehind, memberHealth, membersBehind } from "../situation/health.ts";
import { dnsBefore } from "../situation/places.ts";
import { publicAddress } from "../situation/public-address.ts";
import type { Situation } from "../situation/situation.ts";
import { dnsHealth } from "./dns-health.ts";
import type { DnsHealth } from "./dns-records.ts";
import { balancersInRecords } from "./endpoint-records.ts";

export interface ZoneRecords {
  /** Empty for the single balancer. */
  readonly zone: string;
  /** What its records hold; empty: it is left out. */
  readonly addresses: readonly string[];
  readonly members: { readonly healthy: number; readonly total: number };
  /** Why it is left out, or in although it does not serve. Absent when there is nothing to say. */
  readonly why?: string;
  /** It could not be observed, and nothing is remembered of it: what is said of it may be wrong. */
  readonly isGuess: boolean;
}

export interface ExplainedRecords {
  /** Sorted, each once. */
  readonly addresses: readonly string[];
  readonly zones: readonly ZoneRecords[];
  /** Of the addresses: those of balancers that are on their way out, and serve while no zone does. */
  readonly standIns: readonly string[];
}

export function explainRecords(situation: Situation): ExplainedRecords {
  const { addresses, zones, standIns } = situation.records;
  const inRecords = balancersInRecords(situation);
  return {
    addresses,
    standIns,
    zones: zones.flatMap(({ zone, memory }) => {
      const wanted = inRecords.find((one) => (one.zone ?? "") === zone);
      return wanted === undefined ? [] : [zoneRecords(wanted, memory, situation)];
    }),
  };
}

function zoneRecords(wanted: WantedBalancer, memory: RecordedDns, situation: Situation): ZoneRecords {
  const { observed, intent } = situation;
  const { seen } = wanted;
  const members = seen === undefined ? [] : membersBehind(seen, intent.apiPort);
  const healthy = members.filter((member) => memberHealth(member, seen?.balancer.provider, observed) === "good").length;
  const trouble = troubleOf(wanted, healthy, members.length, situation);
  const isUnseen =
    seen !== undefined &&
    !isDeadByProbe(seen.balancer.id, observed) &&
    (!seen.tree.known || healthBehind(seen, intent.apiPort, observed) === "unknown");
  const why =
    trouble === undefined
      ? undefined
      : withConsequence(trouble, memory, isUnseen ? "unknown" : dnsHealth(seen, observed));
  return {
    zone: wanted.zone ?? "",
    addresses: memory.addresses,
    members: { healthy, total: members.length },
    ...(why === undefined ? {} : { why }),
    isGuess: isUnseen && dnsBefore(observed, wanted.zone) === undefined,
  };
}

function troubleOf(
  wanted: WantedBalancer,
  healthy: number,
  total: number,
  { observed, intent }: Situation,
): string | undefined {
  const { seen } = wanted;
  if (seen === undefined) return "it has no balancer yet";
  if (!seen.tree.known) return downBecause(seen, observed) ?? `its health could not be seen (${seen.tree.message})`;
  const { provisioningStatus, adminStateUp } = seen.balancer;
  if (!letsPeopleIn(seen, observed))
    return adminStateUp
      ? (downBecause(seen, observed) ?? `its balancer is ${provisioningStatus}`)
      : "its balancer is switched off";
  if (publicAddress(observed, seen).address === undefined) return "it has no floating IP yet";
  if (total === 0) return "it has no machines";
  if (healthBehind(seen, intent.apiPort, observed) === "unknown")
    return `nobody knows whether its ${total === 1 ? "machine answers" : `${total} machines answer`}: no monitor watches them`;
  if (healthy === 0) return total === 1 ? "its machine does not answer" : `none of its ${total} machines answers`;
  if (dnsHealth(seen, observed) === "bad") return "those that answer behind it are no Machines of this cluster";
  return isDoubtful(seen, observed) ? "its listener or pool on the API port is in ERROR" : undefined;
}

function withConsequence(trouble: string, { addresses, badSinceMs }: RecordedDns, health: DnsHealth): string {
  if (addresses.length === 0) return trouble;
  if (health === "unknown") return `${trouble}; its records stay as they were`;
  if (health === "may serve" && badSinceMs === undefined)
    return `${trouble}; it may serve all the same, and no other is seen to`;
  return badSinceMs === undefined
    ? trouble
    : `${trouble}; its records stay for now: it may be back in a moment, or they are the last`;
}
