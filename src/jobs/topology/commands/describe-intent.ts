// A declared topology in words.

import { table } from "../../../cli/print.ts";
import { type DeclaredReplicas, workerCount } from "../apis/declared-replicas.ts";
import type { Intent } from "./read-source.ts";

export function describeIntent({ declaration, from, because, since }: Intent): string {
  const { topology, rules, replicas } = declaration;
  const rows = [
    ["controlPlaneTopology", topology.controlPlane, because?.controlPlane ?? "declared as such"],
    ["infrastructureTopology", topology.infrastructure, because?.infrastructure ?? "declared as such"],
  ];
  const read =
    replicas === undefined
      ? `Read from ${from}.`
      : `Read from ${from}: ${describeReplicas(replicas)}; rules "${rules}".`;
  return `${table(rows)}\n\n${read}${since === undefined ? "" : ` Declared today: ${since}.`}`;
}

export function describeReplicas(replicas: DeclaredReplicas): string {
  const { controlPlane, workers, arbiters } = replicas;
  const pools = workers.length > 1 ? ` (${workers.join(" + ")})` : "";
  const parts = [
    controlPlane === "external" ? "external control plane" : `${controlPlane} control plane`,
    `${workerCount(replicas)} worker${workerCount(replicas) === 1 ? "" : "s"}${pools}`,
    ...(arbiters > 0 ? [`${arbiters} arbiter${arbiters === 1 ? "" : "s"}`] : []),
  ];
  return parts.join(", ");
}
