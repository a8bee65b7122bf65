// mainstay topology explain: why the topology is what it is, and what operators make of it. With a source it explains
// what would be derived; without one, the live cluster.

import type { CliPorts } from "../../../cli/cli-ports.ts";
import { exitCodes } from "../../../cli/exit-codes.ts";
import { printAs, table } from "../../../cli/print.ts";
import { MainstayError } from "../../../core/errors.ts";
import type { Topology } from "../apis/infrastructure.ts";
import { defaultTopologySettings } from "../controller/feature.ts";
import { assess, type FieldAssessment, type TopologyObserved } from "../core/assess.ts";
import type { Declaration, TopologyField } from "../core/declaration.ts";
import { deriveTopology } from "../core/derive.ts";
import { desiredReplicas, leaderElectionFor, type Scope } from "../core/operands.ts";
import { becauseOf, originOf } from "../core/origin.ts";
import { parseTopology } from "../core/parse.ts";
import { describeIntent, describeReplicas } from "./describe-intent.ts";
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
  const observed = await readTopology(flags, ports);
  const { infrastructure } = observed;
  if (infrastructure === undefined)
    throw new MainstayError({ reason: "ObjectNotFound", message: "there is no Infrastructure/cluster" });
  const { controlPlane, infrastructure: other, warnings } = parseTopology(infrastructure);
  const topology = { controlPlane, infrastructure: other };
  const { declaration, fields } = assess(infrastructure, observed, defaultTopologySettings);
  if (declaration === undefined || declaration === "invalid") {
    const undeclared = "nothing on the object says how it was derived: it was set by somebody else, or is empty";
    return {
      declaration: { topology, source: "flags", rules: "two-modes" },
      from: "Infrastructure/cluster",
      notes: [...warnings, undeclared],
      because: read,
    };
  }
  const isForeign = fields.some((field) => originOf(field) === "somebody-else");
  const differs = "what is published differs from what was declared: see mainstay topology check";
  return {
    declaration: { ...declaration, topology },
    from: `the declaration on Infrastructure/cluster, as recorded at installation (${declaration.source})`,
    ...declaredSince(observed, declaration),
    notes: [...warnings, ...(isForeign ? [differs] : [])],
    because: becauseByField(fields, declaration),
  };
}

/** What is declared today, where it is not what was recorded. */
function declaredSince({ declaredNow }: TopologyObserved, { replicas }: Declaration): Pick<Intent, "since"> {
  if (declaredNow.found !== "declared") return {};
  const today = describeReplicas(declaredNow.replicas);
  const isRecorded = replicas !== undefined && describeReplicas(replicas) === today;
  return isRecorded ? {} : { since: `${today} (${declaredNow.source})` };
}

function becauseByField(fields: readonly FieldAssessment[], { replicas, rules }: Declaration) {
  const derived = replicas === undefined ? undefined : deriveTopology(replicas, rules).because;
  const why = (wanted: TopologyField): string => {
    const declaredAs = derived?.[wanted] ?? "declared as such";
    const found = fields.find(({ field }) => field === wanted);
    return found === undefined ? declaredAs : becauseOf(found, declaredAs);
  };
  return { controlPlane: why("controlPlane"), infrastructure: why("infrastructure") };
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
