// mainstay topology show: what is published, what was declared, what the cluster looks like.

import type { CliPorts, ConnectOptions } from "../../../cli/cli-ports.ts";
import { withConnection } from "../../../cli/connection-options.ts";
import { exitCodes } from "../../../cli/exit-codes.ts";
import type { OutputFormat } from "../../../cli/output-option.ts";
import { printAs, table } from "../../../cli/print.ts";
import { withProgress } from "../../../cli/progress.ts";
import { MainstayError } from "../../../core/errors.ts";
import { infrastructureName } from "../apis/infrastructure.ts";
import { defaultTopologySettings } from "../controller/feature.ts";
import { assess, type TopologyObserved } from "../core/assess.ts";
import { recordedOf, type TopologyField } from "../core/declaration.ts";
import { originOf, originWords } from "../core/origin.ts";
import { parseTopology } from "../core/parse.ts";
import { readLiveTopology } from "./live-topology.ts";

export interface ShowFlags extends ConnectOptions {
  readonly output: OutputFormat;
}

export async function show(flags: ShowFlags, ports: CliPorts): Promise<number> {
  const observed = await readTopology(flags, ports);
  printAs(flags.output, showData(observed), () => showText(observed), ports.terminal);
  return exitCodes.ok;
}

export async function readTopology(flags: ConnectOptions, ports: CliPorts): Promise<TopologyObserved> {
  const observed = await withConnection(ports, flags, ({ kube }) =>
    withProgress("reading the cluster", ports, readLiveTopology(kube)),
  );
  if (observed.infrastructure !== undefined) return observed;
  throw new MainstayError({
    reason: "ObjectNotFound",
    message: `there is no Infrastructure/${infrastructureName}: operators act as for HighlyAvailable`,
    hint: "Derive and publish it: mainstay topology derive --help",
  });
}

function showData(observed: TopologyObserved) {
  const { infrastructure, seen, report } = observed;
  const { controlPlane, infrastructure: other, known, warnings } = parseTopology(infrastructure);
  const assessed = infrastructure && assess(infrastructure, observed, defaultTopologySettings);
  return {
    published: infrastructure?.status ?? {},
    operatorsRead: { controlPlane, infrastructure: other, known, warnings },
    declared: assessed?.declaration ?? null,
    setBy: Object.fromEntries((assessed?.fields ?? []).map((one) => [one.field, originOf(one)])),
    recorded: infrastructure === undefined ? {} : recordedOf(infrastructure),
    nodes: seen === "unknown" ? null : seen,
    conditions: typeof report === "string" ? [] : (report.status?.conditions ?? []),
  };
}

function showText(observed: TopologyObserved): string {
  const { published, operatorsRead, declared, setBy, nodes, conditions } = showData(observed);
  const declaredAs = typeof declared === "object" ? declared?.topology : undefined;
  const word = (value: string | undefined) => (value === undefined || value === "" ? "-" : value);
  const by = (field: TopologyField) => originWords[setBy[field] ?? "nobody"];
  const rows = [
    ["FIELD", "PUBLISHED", "OPERATORS READ", "DECLARED AT FIRST", "SET BY"],
    [
      "controlPlaneTopology",
      word(published.controlPlaneTopology),
      operatorsRead.controlPlane,
      word(declaredAs?.controlPlane),
      by("controlPlane"),
    ],
    [
      "infrastructureTopology",
      word(published.infrastructureTopology),
      operatorsRead.infrastructure,
      word(declaredAs?.infrastructure),
      by("infrastructure"),
    ],
  ];
  const seen =
    nodes === null
      ? "Nodes: may not be read"
      : `Nodes: ${nodes.controlPlane} control plane, ${nodes.workers} workers, ${nodes.arbiters} arbiters`;
  const said = conditions.map(({ type, status, reason, message }) => [type, status, reason, message]);
  return [
    table(rows),
    "",
    seen,
    ...operatorsRead.warnings.map((warning) => `warning: ${warning}`),
    ...(said.length === 0
      ? ["No TopologyReport: the controller has not reported yet."]
      : ["", table([["CONDITION", "STATUS", "REASON", "MESSAGE"], ...said])]),
  ].join("\n");
}
