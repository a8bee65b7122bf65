// Prints what fleets of growing size cost. Usage: npm run bench:api-endpoint [-- --sizes 100,1000,3000]

import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { type FleetResult, measureFleet } from "./fleet.ts";

const { values } = parseArgs({
  options: { sizes: { type: "string", default: "100,1000,3000" }, one: { type: "string" } },
});

if (values.one !== undefined) console.log(JSON.stringify(await measureFleet(Number(values.one))));
else {
  const results = values.sizes.split(",").map(Number).map(measureApart);
  console.log(table(results));
  const [first, last] = [results[0], results.at(-1)];
  if (first !== undefined && last !== undefined && last !== first) console.log(growth(first, last));
}

/** A process for each size: peak memory is the process's. */
function measureApart(clusters: number): FleetResult {
  console.error(`${clusters} clusters × 3 zones …`);
  const { stdout, status } = spawnSync(
    process.execPath,
    [...process.execArgv, import.meta.filename, "--one", `${clusters}`],
    {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
      maxBuffer: 1 << 24,
    },
  );
  if (status !== 0) throw new Error(`the run with ${clusters} clusters failed`);
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as FleetResult;
}

function table(results: readonly FleetResult[]): string {
  const head = "clusters   wall s   virtual s   peak MB   Octavia/Neutron calls per cluster   per quiet look";
  const rows = results.map(({ clusters, wallSeconds, virtualSeconds, peakRssMb, buildCalls, quietCalls }) =>
    [
      `${clusters}`.padStart(8),
      wallSeconds.toFixed(1).padStart(8),
      virtualSeconds.toFixed(0).padStart(11),
      peakRssMb.toFixed(0).padStart(9),
      `${call(buildCalls, "octavia")} / ${call(buildCalls, "neutron")}`.padStart(35),
      `${call(quietCalls, "octavia")} / ${call(quietCalls, "neutron")}`.padStart(16),
    ].join(" "),
  );
  return [head, ...rows].join("\n");
}

function call(calls: Readonly<Record<string, number>>, service: string): string {
  return (calls[service] ?? 0).toFixed(2);
}

function growth(first: FleetResult, last: FleetResult): string {
  const ratio = (of: (result: FleetResult) => number): string => (of(last) / of(first)).toFixed(2);
  return [
    `from ${first.clusters} to ${last.clusters} clusters (${(last.clusters / first.clusters).toFixed(0)}×):`,
    `time ${ratio((result) => result.wallSeconds)}×, memory ${ratio((result) => result.peakRssMb)}×,`,
    `calls per cluster ${ratio(({ buildCalls }) => buildCalls["octavia"] ?? 0)}×`,
  ].join(" ");
}
