// Counts the HTTP calls of looks at one cluster of three zones, three ports and three machines, on the lab's real OpenStack, and sets them
// against the targets and against what CAPO's way of looking costs (counted with the real CAPO: 2 + 3P for a balancer, 2P for each machine
// behind it). Counts, not times: they are the same on every machine.

import { setTimeout as sleep } from "node:timers/promises";
import type { CallObservation } from "../../src/drivers/openstack/call-meter.ts";
import { additionalPorts, type LabCluster, type OpenStackServices, openLabCluster, zones } from "./lab-cluster.ts";

const [balancers, ports, machines] = [zones.length, 1 + additionalPorts.length, zones.length];
const fullLook = 2 + 2 * balancers;

export interface CountedRound {
  readonly what: string;
  /** Octavia calls. */
  readonly ours: number;
  readonly target: number;
  readonly theirs: number;
}

export interface CountedCalls {
  readonly looks: readonly CountedRound[];
  /** For people: every look with its target and its ratio to CAPO's. */
  readonly report: string;
}

export async function countCalls(lab: OpenStackServices, crossZone: boolean): Promise<CountedCalls> {
  const theirs = balancers * (2 + 3 * ports) + machines * 2 * ports * (crossZone ? balancers : 1);
  const cluster = await openLabCluster(lab, crossZone);
  try {
    const [quiet, changed] = [await quietLook(cluster), await lookAfterChange(cluster)];
    const first = await firstLook(cluster);
    const looks = [
      { what: "full look", ours: first.cluster, target: fullLook, theirs },
      { what: "after one change", ours: changed, target: fullLook, theirs },
      { what: "undisturbed look", ours: quiet.octavia, target: 1, theirs },
    ];
    const report = [
      `${balancers} zones × ${ports} ports × ${machines} machines${crossZone ? ", cross-zone" : ""}: Octavia calls`,
      `${"".padEnd(18)}  Mainstay    target   CAPO-shaped     ratio`,
      ...looks.map(line),
      `Beside a manager's first look, once for each cloud: ${first.cloud}`,
      `Neutron calls of an undisturbed look: ${quiet.neutron.toFixed(1)}`,
      "The real CAPO with ONE balancer, 3 ports and 3 machines: 54 Octavia calls a sync period.",
    ].join("\n");
    return { looks, report };
  } finally {
    await cluster.close();
  }
}

function line({ what, ours, target, theirs }: CountedRound): string {
  return [
    what.padEnd(18),
    ours.toFixed(1).padStart(8),
    `≤ ${target}`.padStart(8),
    `${theirs}`.padStart(12),
    `${(ours / theirs).toFixed(3)}×`.padStart(8),
    ours <= target ? "met" : "MISSED",
  ].join("  ");
}

/** Calls for each look while nothing moves, by service. On a busy machine something may move by itself: then it is counted anew. */
async function quietLook({ calls }: LabCluster): Promise<{ readonly octavia: number; readonly neutron: number }> {
  for (let tries = 1; ; tries += 1) {
    await settled(calls);
    const from = calls.length;
    while (glances(calls.slice(from)) < 5) await sleep(500);
    const seen = calls.slice(from);
    const looks = glances(seen);
    if (of(seen, "octavia") <= looks || tries === 5)
      return { octavia: of(seen, "octavia") / looks, neutron: of(seen, "neutron") / looks };
  }
}

/** All is built and a few looks in a row found nothing moved; or it never comes to that, and the figures say so. */
async function settled(calls: readonly CallObservation[]): Promise<void> {
  for (let tries = 0; tries < 180; tries += 1) {
    const last = calls.filter(({ service }) => service === "octavia").slice(-4);
    if (glances(last) === 4) return;
    await sleep(1_000);
  }
}

/** Octavia calls of the dearest look after a change of one balancer. */
async function lookAfterChange(cluster: LabCluster): Promise<number> {
  const { calls } = cluster;
  const from = calls.length;
  await cluster.disturb();
  while (!calls.slice(from).some(({ operation }) => operation.startsWith("list-listener"))) await sleep(500);
  await settled(calls);
  return Math.max(...looksIn(calls.slice(from)).map((look) => of(look, "octavia")));
}

/** Of a manager that remembers nothing: its dearest look, and what it asks about the cloud itself, once for all clusters. */
async function firstLook(cluster: LabCluster): Promise<{ readonly cluster: number; readonly cloud: number }> {
  const { calls } = cluster;
  const from = calls.length;
  await cluster.restart();
  while (glances(calls.slice(from)) === 0) await sleep(500);
  await settled(calls);
  const seen = calls.slice(from);
  const aboutCloud = seen.filter(({ operation }) => /provider|flavor|availability-zone|version/.test(operation));
  const looks = looksIn(seen.filter((call) => !aboutCloud.includes(call)));
  return {
    cluster: Math.max(...looks.map((look) => of(look, "octavia"))),
    cloud: of(aboutCloud, "octavia"),
  };
}

function looksIn(calls: readonly CallObservation[]): readonly (readonly CallObservation[])[] {
  const begins = calls.flatMap((call, index) => (glances([call]) === 1 ? [index] : []));
  return begins.map((begin, nth) => calls.slice(begin, begins[nth + 1]));
}

function of(calls: readonly CallObservation[], service: CallObservation["service"]): number {
  return calls.filter((call) => call.service === service).length;
}

/** Every look begins with this list. */
function glances(calls: readonly CallObservation[]): number {
  return calls.filter(({ operation }) => operation.startsWith("list-load-balancer")).length;
}
