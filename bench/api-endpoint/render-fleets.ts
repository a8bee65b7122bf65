// Fleets as a table, and what each step to a larger one costs beside the number of clusters.

import type { FleetResult } from "./fleet.ts";

interface Column {
  readonly head: readonly [string, string];
  readonly value: (result: FleetResult) => number;
  readonly digits: number;
}

const columns: readonly Column[] = [
  { head: ["real s", "to build"], value: (fleet) => fleet.buildSeconds, digits: 1 },
  { head: ["CPU s", "to build"], value: (fleet) => fleet.cpuSeconds, digits: 1 },
  { head: ["virtual s", "to build"], value: (fleet) => fleet.virtualSeconds, digits: 0 },
  { head: ["real s", "observe"], value: (fleet) => fleet.observeSeconds, digits: 2 },
  { head: ["peak MB", "process"], value: (fleet) => fleet.peakRssMb, digits: 0 },
  { head: ["live MB", "manager"], value: (fleet) => fleet.managerMb, digits: 1 },
  { head: ["live MB", "fakes"], value: (fleet) => fleet.fakesMb, digits: 1 },
  { head: ["Octavia", "reads"], value: ({ buildCalls }) => buildCalls.octaviaReads, digits: 1 },
  { head: ["Octavia", "writes"], value: ({ buildCalls }) => buildCalls.octaviaWrites, digits: 1 },
  { head: ["Neutron", "calls"], value: ({ buildCalls }) => buildCalls.neutron, digits: 1 },
  { head: ["Kube", "calls"], value: ({ buildCalls }) => buildCalls.kube, digits: 1 },
  { head: ["quiet", "Octavia"], value: ({ quietCalls }) => quietCalls.octaviaReads, digits: 2 },
  { head: ["quiet", "Neutron"], value: ({ quietCalls }) => quietCalls.neutron, digits: 2 },
  { head: ["quiet", "Kube"], value: ({ quietCalls }) => quietCalls.kube, digits: 2 },
  { head: ["project", "Octavia"], value: ({ projectCalls }) => projectCalls.octaviaReads, digits: 1 },
  { head: ["project", "Neutron"], value: ({ projectCalls }) => projectCalls.neutron, digits: 1 },
];

export function renderFleets(results: readonly FleetResult[]): string {
  const heads = [0, 1].map((line) =>
    row(
      "",
      columns.map(({ head }) => head[line] ?? ""),
    ),
  );
  const fleets = results.map((result) =>
    row(
      `${result.clusters}`,
      columns.map(({ value, digits }) => value(result).toFixed(digits)),
    ),
  );
  const steps = results.slice(1).map((larger, index) => {
    const smaller = results[index] ?? larger;
    const grown = columns.map(({ value }) => ratio(value(larger), value(smaller)));
    return row(`${(larger.clusters / smaller.clusters).toFixed(1)}×`, grown);
  });
  return [
    "Clusters of three zones with a machine each, on the fake cloud. Calls are for each cluster; quiet ones for each observation of it.",
    "Those of the project, in which all clusters are, are for each minute of quiet: one list for 50 clusters twice a minute.",
    ...heads,
    ...fleets,
    ...(steps.length === 0 ? [] : ["growth from one line to the next:", ...steps]),
    ...(steps.length === 0
      ? []
      : ["Time and memory should grow no faster than the clusters, and calls of a cluster not at all."]),
  ].join("\n");
}

function row(first: string, cells: readonly string[]): string {
  return [first.padStart(8), ...cells.map((cell) => cell.padStart(10))].join("");
}

function ratio(larger: number, smaller: number): string {
  return smaller === 0 ? "–" : `${(larger / smaller).toFixed(2)}×`;
}
