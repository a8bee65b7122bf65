// mainstay topology check: for scripts. Everything the controller would complain about, and, with a source, whether the
// cluster publishes what that source declares.

import { formatRef } from "../../../apis/kube/kube-object.ts";
import type { CliPorts } from "../../../cli/cli-ports.ts";
import { exitCodes } from "../../../cli/exit-codes.ts";
import { printAs, table } from "../../../cli/print.ts";
import type { Refusal } from "../../../core/plan.ts";
import type { Reason } from "../../../core/reasons.ts";
import { defaultTopologySettings } from "../controller/feature.ts";
import { installConfigRef } from "../controller/sources.ts";
import { assess, publishedIn, type TopologyObserved } from "../core/assess.ts";
import { topologyFields } from "../core/declaration.ts";
import { noneSeen } from "../core/fit.ts";
import { planTopology } from "../core/plan.ts";
import { type Intent, readSource } from "./read-source.ts";
import { readTopology, type ShowFlags } from "./show.ts";
import { chooseSource, type SourceFlags } from "./source-options.ts";

interface Finding {
  /** The controller may be newer than this program. */
  readonly reason: Reason | (string & {});
  readonly message: string;
}

export async function checkTopology(
  file: string | undefined,
  flags: SourceFlags & ShowFlags,
  ports: CliPorts,
): Promise<number> {
  const source = chooseSource(file, flags);
  const intent = source === undefined ? undefined : await readSource(source, flags, ports);
  for (const note of intent?.notes ?? []) ports.terminal.err(`note: ${note}`);
  const observed = await readTopology(flags, ports);
  const unread = unreadIn(observed);
  for (const what of unread) ports.terminal.err(`note: ${what} may not be read, so nothing was compared with it`);
  if (observed.seen !== "unknown" && noneSeen(observed.seen))
    ports.terminal.err("note: there are no Nodes yet, so nothing was compared with them");
  const findings = [...controllerFindings(observed), ...(intent === undefined ? [] : differences(observed, intent))];
  const text = () =>
    findings.length === 0
      ? "The topology is as it should be."
      : table(findings.map(({ reason, message }) => [reason, message]));
  printAs(flags.output, { ok: findings.length === 0, findings, unread }, text, ports.terminal);
  return findings.length === 0 ? exitCodes.ok : exitCodes.refused;
}

/** A check that could not look everywhere says so. */
function unreadIn({ seen, declaredNow }: TopologyObserved): readonly string[] {
  return [
    ...(seen === "unknown" ? ["the list of Nodes"] : []),
    ...(declaredNow.found === "unknown" ? [`ConfigMap ${formatRef(installConfigRef)}`] : []),
  ];
}

function controllerFindings(observed: TopologyObserved): readonly Finding[] {
  const { infrastructure } = observed;
  if (infrastructure === undefined) return [];
  const { refusals } = planTopology(observed, defaultTopologySettings);
  const empty = assess(infrastructure, observed, defaultTopologySettings).fields.filter(({ value }) => value === "");
  const unpublished = empty.map(({ field, declared }): Finding => {
    return {
      reason: declared === undefined ? "TopologyUndeclared" : "TopologyEmpty",
      message: `Infrastructure/cluster: status.${field}Topology is empty; operators act as for HighlyAvailable`,
    };
  });
  return [...unpublished, ...refusals.map((refusal) => inControllersWords(refusal, observed.report))];
}

/** What becomes of an open request is up to the controller, whose gates are not known here: its own word counts. */
function inControllersWords(refusal: Refusal, report: TopologyObserved["report"]): Finding {
  const conditions = typeof report === "string" ? [] : (report.status?.conditions ?? []);
  const said = conditions.find(({ type, status }) => type === "Settled" && status === "False");
  const { reason, message } = refusal.reason === "TopologyImmutable" ? (said ?? refusal) : refusal;
  return { reason, message };
}

function differences({ infrastructure }: TopologyObserved, { declaration, from }: Intent): readonly Finding[] {
  if (infrastructure === undefined) return [];
  const published = publishedIn(infrastructure);
  return topologyFields
    .filter((field) => published[field] !== declaration.topology[field])
    .map((field) => ({
      reason: "TopologyAlreadySet",
      message: `Infrastructure/cluster: status.${field}Topology is ${published[field] || "empty"}, ${from} declares ${declaration.topology[field]}`,
    }));
}
