// Measures our informer against @kubernetes/client-node's on the lab's API server: same objects, same run, each in a process of its
// own, in turns. Usage: npm run bench [-- --rounds 5 --count 5000]

import { mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { parseArgs } from "node:util";
import { kubeClient } from "../../src/drivers/kube/client.ts";
import { loadKubeconfig } from "../../src/drivers/kube/kubeconfig/kubeconfig.ts";
import { undiciTransport } from "../../src/drivers/kube/undici-transport.ts";
import { systemClock } from "../../src/drivers/system/system-clock.ts";
import { raceCallbacks } from "./callback-race.ts";
import { compileContenders } from "./compile.ts";
import { type ContenderOptions, startContender } from "./contender-process.ts";
import { findLab } from "./lab.ts";
import type { Measurement } from "./measurement.ts";
import { compare, table } from "./report.ts";
import { createServices, removeServices } from "./services.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    count: { type: "string", default: "5000" },
    creates: { type: "string", default: "300" },
  },
});
const [rounds, count, creates] = [Number(values.rounds), Number(values.count), Number(values.creates)];
const scripts = ["ours.js", "theirs.js"] as const;

const kubeconfig = await findLab();
if (kubeconfig === undefined) {
  console.error("The Kubernetes lab does not answer. Start it with `make lab`, then run `make bench` again.");
  process.exit(1);
}
const connection = await loadKubeconfig({ path: kubeconfig, environment: {}, home: homedir(), clock: systemClock });
const transport = undiciTransport({ connection });
const kube = kubeClient({ transport, clock: systemClock });
const namespace = `bench-informer-${process.pid}`;

const folder = compileContenders();
console.log(`Creating ${count} headless Services in namespace ${namespace} …`);
const setting = { folder, kubeconfig, namespace, count };
const measured: Record<ContenderOptions["script"], Measurement[]> = { "ours.js": [], "theirs.js": [] };
const race: { readonly ours: number[]; readonly theirs: number[] } = { ours: [], theirs: [] };
try {
  await createServices(kube, namespace, count);
  for (let round = 0; round < rounds; round += 1) {
    // The second one finds warmer caches, so that they take turns.
    for (const script of round % 2 === 0 ? scripts : scripts.toReversed()) {
      const contender = await startContender({ ...setting, script });
      contender.stop();
      measured[script].push(contender.measurement);
      console.log(`round ${round + 1} ${script.padEnd(9)} ${describe(contender.measurement)}`);
    }
  }
  console.log(`${creates} creates, received by both …`);
  const times = await raceCallbacks(kube, setting, creates);
  race.ours.push(...times.ours);
  race.theirs.push(...times.theirs);
} finally {
  await removeServices(kube, namespace);
  await transport.close();
}
const results = compare(measured["ours.js"], measured["theirs.js"], race);
console.log(`\n${count} Services, medians of ${rounds} rounds and ${creates} creates:\n${table(results)}`);
const target = new URL("../results/", import.meta.url);
mkdirSync(target, { recursive: true });
const record = { benchmark: "informer", node: process.version, count, rounds, creates, results, measured, race };
writeFileSync(new URL("informer.json", target), `${JSON.stringify(record, null, 2)}\n`);
console.log("Written to bench/results/informer.json");

function describe({ syncMs, rssMb, getMs }: Measurement): string {
  return `sync ${syncMs.toFixed(0)} ms, rss ${rssMb.toFixed(0)} MB, get ${getMs.toFixed(2)} ms`;
}
