// mainstay topology explain: why the topology is what it is, and what operators make of it. With a source it explains
// what would be derived; without one, the live cluster.

import type { CliPorts } from "../../../cli/cli-ports.ts";
import { exitCodes } from "../../../cli/exit-codes.ts";
import { printAs, table } from "../../../cli/print.ts";
import { MainstayError } from "../../../core/errors.ts";
import type { Topology } from "../apis/infrastructure.ts";
import { type Declaration, declarationOf, type TopologyField, topologyFields } from "../core/declaration.ts";
import { deriveTopology } from "../core/derive.ts";
import { desiredReplicas, leaderElectionFor, type Scope } from "../core/operands.ts";
import { parseTopology } from "../core/parse.ts";
import { describeIntent } from "./describe-intent.ts";
import { type Intent, readSource } from "./read-source.ts";
import { readTopology, type ShowFlags } from "./show.ts";
import { chooseSource, type SourceFlags } from "./source-options.ts";

export async function explain(
  file: string | undefined,
  flags: SourceFlags & ShowFlags,
  ports: CliPorts,
): Promise<number> {
  const source = chooseSource(file, flags);
  const intent = source === undefined ? await liveIntent(flags, ports) : await readSource(source, flags, ports);
  for (const note of intent.notes) ports.terminal.err(`note: ${note}`);
  const { topology } = intent.declaration;
  const data = { topology, because: intent.because ?? null, operands: operandsOf(topology) };
  printAs(flags.output, data, () => `${describeIntent(intent)}\n\n${operandText(topology)}`, ports.terminal);
  return exitCodes.ok;
}

async function liveIntent(flags: ShowFlags, ports: CliPorts): Promise<Intent> {
  const { infrastructure } = await readTopology(flags, ports);
  if (infrastructure === undefined)
    throw new MainstayError({ reason: "TopologyUndeclared", message: "there is no Infrastructure/cluster" });
  const reading = parseTopology(infrastructure);
  const topology = { controlPlane: reading.controlPlane, infrastructure: reading.infrastructure };
  const declaration = declarationOf(infrastructure);
  if (declaration === undefined || declaration === "invalid") {
    const notes = [
      ...reading.warnings,
      "nothing on the object says how it was derived: it was set by somebody else, or is empty",
    ];
    return {
      declaration: { topology, source: "flags", rules: "two-modes" },
      from: "Infrastructure/cluster",
      notes,
      because: read,
    };
  }
  const { replicas, rules } = declaration;
  const derived = replicas === undefined ? undefined : deriveTopology(replicas, rules).because;
  const because = {
    controlPlane: whyOf("controlPlane", topology, declaration, derived),
    infrastructure: whyOf("infrastructure", topology, declaration, derived),
  };
  const differs = topologyFields.some((field) => topology[field] !== declaration.topology[field]);
  const notes = differs ? ["what is published differs from what was declared: see mainstay topology check"] : [];
  return {
    declaration: { ...declaration, topology },
    from: `the declaration on Infrastructure/cluster (${declaration.source})`,
    notes: [...reading.warnings, ...notes],
    because,
  };
}

/** The reason of a declared value says nothing about another one that stands in its place. */
function whyOf(
  field: TopologyField,
  published: Topology,
  { topology }: Declaration,
  because: Readonly<Record<TopologyField, string>> | undefined,
): string {
  const why = because?.[field] ?? "declared as such";
  return published[field] === topology[field] ? why : `set by somebody else; declared is ${topology[field]} (${why})`;
}

const read = { controlPlane: "as operators read it", infrastructure: "as operators read it" };

function operandsOf(topology: Topology) {
  return {
    controlPlane: desiredReplicas("controlPlane", topology),
    infrastructure: desiredReplicas("infrastructure", topology),
    leaderElection: leaderElectionFor(topology),
  };
}

function operandText(topology: Topology): string {
  const { leaderElection, ...scopes } = operandsOf(topology);
  const row = (scope: Scope, where: string) => {
    const { replicas, schedulable, because } = scopes[scope];
    return [where, schedulable ? `${replicas} replica${replicas === 1 ? "" : "s"}` : "not here", because];
  };
  const { leaseSeconds, renewSeconds, retrySeconds } = leaderElection;
  return table([
    ["OPERANDS ON", "BY DEFAULT", "BECAUSE"],
    row("controlPlane", "control-plane nodes"),
    row("infrastructure", "other nodes"),
    ["leader election", `${leaseSeconds}/${renewSeconds}/${retrySeconds} s`, "lease / renew / retry"],
  ]);
}
