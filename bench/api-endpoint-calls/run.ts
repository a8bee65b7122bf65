// Counts the HTTP calls of a look at one cluster of three zones, three ports and three machines, on the lab's real OpenStack, and prints the
// ratio to what CAPO's way of looking costs (counted with the real CAPO: 2 + 3P for a balancer, 2P for each machine behind it).
// Usage: npm run bench:api-endpoint-calls [-- --cross-zone]

import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { CallObservation } from "../../src/drivers/openstack/call-meter.ts";
import { additionalPorts, findOpenStack, type LabCluster, openLabCluster, zones } from "./lab-cluster.ts";

const { values } = parseArgs({ options: { "cross-zone": { type: "boolean", default: false } } });
const crossZone = values["cross-zone"];
const lab = findOpenStack();
if (lab === undefined) {
  console.error("The OpenStack lab has never been started. Start it with `make lab`, then run this again.");
  process.exit(1);
}

const [balancers, ports, machines] = [zones.length, 1 + additionalPorts.length, zones.length];
const theirs = balancers * (2 + 3 * ports) + machines * 2 * ports * (crossZone ? balancers : 1);
console.error(`Building ${balancers} balancers with ${ports} ports each on the lab …`);
const cluster = await openLabCluster(lab, crossZone);
try {
  console.log(report(await quietLook(cluster), await fullLook(cluster)));
} finally {
  await cluster.close();
}

/** Calls for each look while nothing moves, by service. */
async function quietLook({ calls }: LabCluster): Promise<{ readonly octavia: number; readonly neutron: number }> {
  await settled(calls);
  const from = calls.length;
  while (glances(calls.slice(from)) < 5) await sleep(500);
  const seen = calls.slice(from);
  const looks = glances(seen);
  return { octavia: of(seen, "octavia") / looks, neutron: of(seen, "neutron") / looks };
}

/** All is built and a few looks in a row found nothing moved; or it never comes to that, and the figures say so. */
async function settled(calls: readonly CallObservation[]): Promise<void> {
  for (let tries = 0; tries < 180; tries += 1) {
    const last = calls.filter(({ service }) => service === "octavia").slice(-4);
    if (glances(last) === 4) return;
    await sleep(1_000);
  }
}

/** Octavia calls of a look that looks at everything. */
async function fullLook(cluster: LabCluster): Promise<number> {
  const { calls } = cluster;
  const from = calls.length;
  await cluster.disturb();
  const looks = () => calls.slice(from).filter(({ operation }) => operation.startsWith("list-listener")).length;
  while (looks() === 0) await sleep(500);
  await settled(calls);
  const seen = calls.slice(from);
  return (of(seen, "octavia") - glances(seen)) / looks() + 1;
}

function of(calls: readonly CallObservation[], service: CallObservation["service"]): number {
  return calls.filter((call) => call.service === service).length;
}

/** Every look begins with this list. */
function glances(calls: readonly CallObservation[]): number {
  return calls.filter(({ operation }) => operation.startsWith("list-load-balancer")).length;
}

function report(quiet: Awaited<ReturnType<typeof quietLook>>, full: number): string {
  const line = (what: string, ours: number, target: number) =>
    [
      what.padEnd(18),
      ours.toFixed(1).padStart(8),
      `≤ ${target}`.padStart(8),
      `${theirs}`.padStart(12),
      `${(ours / theirs).toFixed(3)}×`.padStart(8),
      ours <= target ? "met" : "MISSED",
    ].join("  ");
  return [
    `${balancers} zones × ${ports} ports × ${machines} machines${crossZone ? ", cross-zone" : ""}: Octavia calls`,
    `${"".padEnd(18)}  Mainstay    target   CAPO-shaped     ratio`,
    line("full look", full, 2 + 2 * balancers),
    line("undisturbed look", quiet.octavia, 1),
    `Neutron calls of an undisturbed look: ${quiet.neutron.toFixed(1)}`,
    "The real CAPO with ONE balancer, 3 ports and 3 machines: 54 Octavia calls a sync period.",
  ].join("\n");
}
