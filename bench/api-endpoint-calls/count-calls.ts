// Counts the HTTP calls of observing one cluster of three zones, three ports and three machines, on the lab's real OpenStack, and compares
// them with the targets and with CAPO's calls (counted with the real CAPO: 2 + 3P for a balancer, 2P for each machine behind it). It
// counts calls instead of measuring time, because the counts are the same on every machine.

import { setTimeout as sleep } from "node:timers/promises";
import type { CallObservation } from "../../src/drivers/openstack/call-meter.ts";
import { additionalPorts, type LabCluster, type OpenStackServices, openLabCluster, zones } from "./lab-cluster.ts";

const [balancers, ports, machines] = [zones.length, 1 + additionalPorts.length, zones.length];
const fullCalls = 2 + 2 * balancers;

export interface CountedObservation {
  readonly what: string;
  /** Octavia calls. */
  readonly ours: number;
  readonly target: number;
  readonly theirs: number;
}

export interface CountedCalls {
  readonly observations: readonly CountedObservation[];
  /** For people: every observation with its target and its ratio to CAPO's calls. */
  readonly report: string;
}

export async function countCalls(lab: OpenStackServices, crossZone: boolean): Promise<CountedCalls> {
  const theirs = balancers * (2 + 3 * ports) + machines * 2 * ports * (crossZone ? balancers : 1);
  const cluster = await openLabCluster(lab, crossZone);
  try {
    const [quiet, changed] = [await observeQuiet(cluster), await observeAfterChange(cluster)];
    const first = await observeFirst(cluster);
    const observations = [
      { what: "full", ours: first.cluster, target: fullCalls, theirs },
      { what: "after one change", ours: changed, target: fullCalls, theirs },
      { what: "undisturbed", ours: quiet.octavia, target: 1, theirs },
    ];
    const report = [
      `${balancers} zones × ${ports} ports × ${machines} machines${crossZone ? ", cross-zone" : ""}: Octavia calls`,
      `${"".padEnd(18)}  Mainstay    target   CAPO-shaped     ratio`,
      ...observations.map(line),
      `Beside a manager's first observation, once for each cloud: ${first.cloud}`,
      `Neutron calls of an undisturbed observation: ${quiet.neutron.toFixed(1)}`,
      "The real CAPO with ONE balancer, 3 ports and 3 machines: 54 Octavia calls a sync period.",
    ].join("\n");
    return { observations, report };
  } finally {
    await cluster.close();
  }
}

function line({ what, ours, target, theirs }: CountedObservation): string {
  return [
    what.padEnd(18),
    ours.toFixed(1).padStart(8),
    `≤ ${target}`.padStart(8),
    `${theirs}`.padStart(12),
    `${(ours / theirs).toFixed(3)}×`.padStart(8),
    ours <= target ? "met" : "MISSED",
  ].join("  ");
}

/** Calls for each observation while nothing changes, by service. On a busy machine something may change by itself: then it counts again. */
async function observeQuiet({ calls }: LabCluster): Promise<{ readonly octavia: number; readonly neutron: number }> {
  for (let tries = 1; ; tries += 1) {
    await settled(calls);
    const from = calls.length;
    while (countObservations(calls.slice(from)) < 5) await sleep(500);
    const seen = calls.slice(from);
    const observations = countObservations(seen);
    if (of(seen, "octavia") <= observations || tries === 5)
      return { octavia: of(seen, "octavia") / observations, neutron: of(seen, "neutron") / observations };
  }
}

/** Waits until everything is built and a few observations in a row found no change. After three minutes it goes on, and the counts show that. */
async function settled(calls: readonly CallObservation[]): Promise<void> {
  for (let tries = 0; tries < 180; tries += 1) {
    const last = calls.filter(({ service }) => service === "octavia").slice(-4);
    if (countObservations(last) === 4) return;
    await sleep(1_000);
  }
}

/** Octavia calls of the most expensive observation after a change of one balancer. */
async function observeAfterChange(cluster: LabCluster): Promise<number> {
  const { calls } = cluster;
  const from = calls.length;
  await cluster.disturb();
  while (!calls.slice(from).some(({ operation }) => operation.startsWith("list-listener"))) await sleep(500);
  await settled(calls);
  return Math.max(...observationsIn(calls.slice(from)).map((observation) => of(observation, "octavia")));
}

/** Of a new manager: its most expensive observation, and the calls about the cloud itself, which it makes once for all clusters. */
async function observeFirst(cluster: LabCluster): Promise<{ readonly cluster: number; readonly cloud: number }> {
  const { calls } = cluster;
  const from = calls.length;
  await cluster.restart();
  while (countObservations(calls.slice(from)) === 0) await sleep(500);
  await settled(calls);
  const seen = calls.slice(from);
  const aboutCloud = seen.filter(({ operation }) => /provider|flavor|availability-zone|version/.test(operation));
  const observations = observationsIn(seen.filter((call) => !aboutCloud.includes(call)));
  return {
    cluster: Math.max(...observations.map((observation) => of(observation, "octavia"))),
    cloud: of(aboutCloud, "octavia"),
  };
}

function observationsIn(calls: readonly CallObservation[]): readonly (readonly CallObservation[])[] {
  const begins = calls.flatMap((call, index) => (countObservations([call]) === 1 ? [index] : []));
  return begins.map((begin, nth) => calls.slice(begin, begins[nth + 1]));
}

function of(calls: readonly CallObservation[], service: CallObservation["service"]): number {
  return calls.filter((call) => call.service === service).length;
}

/** Every observation begins with this list. */
function countObservations(calls: readonly CallObservation[]): number {
  return calls.filter(({ operation }) => operation.startsWith("list-load-balancer")).length;
}
