// `mainstay trace`: reads what there is about one Service, asks the agents where that is wanted, and prints every hop.

import type { CliPorts, ConnectOptions } from "../../../cli/cli-ports.ts";
import { withConnection } from "../../../cli/connection-options.ts";
import { exitCodes } from "../../../cli/exit-codes.ts";
import { invalid } from "../../../cli/invalid-input.ts";
import type { OutputFormat } from "../../../cli/output-option.ts";
import { printAs } from "../../../cli/print.ts";
import { withProgress } from "../../../cli/progress.ts";
import { inColourOf } from "../../../cli/status/health-word.ts";
import { canonicalAddress } from "../../../core/net/ip.ts";
import type { Hop, Route, Sender, Verdict } from "../core/trace/trace.ts";
import { readTrace, type TraceResult } from "./read-trace.ts";

export interface TraceFlags extends ConnectOptions {
  readonly output: OutputFormat;
  readonly namespace?: string;
  readonly from?: string;
  readonly port?: string;
  readonly agents?: boolean;
}

export async function showTrace(named: string, flags: TraceFlags, ports: CliPorts): Promise<number> {
  const from = flags.from === undefined ? undefined : parseSender(flags.from);
  const port = flags.port === undefined ? undefined : parsePort(flags.port);
  const asked = {
    named,
    asks: flags.agents === true,
    ...(from === undefined ? {} : { from }),
    ...(port === undefined ? {} : { port }),
  };
  const { notes, ...found } = await withConnection(ports, flags, ({ kube }) =>
    withProgress("reading the cluster", ports, readTrace(kube, { ...asked, namespace: flags.namespace }, ports)),
  );
  for (const note of notes) ports.terminal.err(`note: ${note}`);
  printAs(flags.output, found, () => text(found, from, ports.terminal.colours), ports.terminal);
  return exitCodeOf(found);
}

function parseSender(text: string): Sender {
  const [, inner, innerPort] = /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(text) ?? [];
  const [, four, fourPort] = /^([\d.]+):(\d{1,5})$/.exec(text) ?? [];
  const address = canonicalAddress(inner ?? four ?? text);
  const port = innerPort ?? fourPort;
  if (address === undefined || (port !== undefined && Number(port) > 65_535))
    throw invalid(
      "--from",
      `"${text}" is no address`,
      "Write 198.51.100.7, 198.51.100.7:40000 or [2001:db8::7]:40000.",
    );
  return { address, ...(port === undefined ? {} : { port: Number(port) }) };
}

export interface WantedPort {
  readonly port: number;
  readonly protocol?: string;
}

function parsePort(text: string): WantedPort {
  const [, port = "", protocol] = /^(\d{1,5})(?:\/(TCP|UDP|SCTP))?$/i.exec(text) ?? [];
  if (port === "" || Number(port) > 65_535)
    throw invalid("--port", `"${text}" is no port`, "Write a number, or a number and a protocol, such as 53/UDP.");
  return { port: Number(port), ...(protocol === undefined ? {} : { protocol: protocol.toUpperCase() }) };
}

function exitCodeOf({ routes, problem }: Pick<TraceResult, "routes" | "problem">): number {
  if (problem !== undefined || routes.some(({ verdict }) => verdict === "dropped" || verdict === "refused"))
    return exitCodes.refused;
  return routes.every(({ verdict }) => verdict === "delivered") ? exitCodes.ok : exitCodes.cluster;
}

const marks: Readonly<Record<Hop["result"], string>> = { passes: "─", stops: "✗", unknown: "?" };
const colours = { delivered: "healthy", refused: "degraded", dropped: "degraded", unknown: "unknown" } as const;
const words: Readonly<Record<Verdict, string>> = {
  delivered: "it arrives",
  refused: "it is refused",
  dropped: "it is dropped",
  unknown: "it is not known whether it arrives",
};

function text(
  { service, routes, problem }: Omit<TraceResult, "notes">,
  from: Sender | undefined,
  inColour: boolean,
): string {
  if (problem !== undefined) return `${service}: ${inColourOf("degraded", problem, inColour)}`;
  return routes.map((route) => routeText(service, route, from, inColour)).join("\n\n");
}

function routeText(
  service: string,
  { address, port, verdict, hops }: Route,
  from: Sender | undefined,
  inColour: boolean,
): string {
  const sender =
    from === undefined ? "anybody" : from.port === undefined ? from.address : `${from.address} port ${from.port}`;
  const head = `${service} ${port} at ${address}, from ${sender}: ${inColourOf(colours[verdict], words[verdict], inColour)}`;
  return [head, ...hops.map(({ at, name, result, words: why }) => `  ${marks[result]} ${at} ${name}: ${why}`)].join(
    "\n",
  );
}
