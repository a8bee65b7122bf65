// The rows of `mainstay gateways`: from the status of pools, and with --agents from the agents themselves.

import { nearest } from "../../../apis/text/nearest.ts";
import type { CliPorts, ConnectOptions } from "../../../cli/cli-ports.ts";
import { withConnection } from "../../../cli/connection-options.ts";
import { exitCodes } from "../../../cli/exit-codes.ts";
import type { OutputFormat } from "../../../cli/output-option.ts";
import { printAs, table } from "../../../cli/print.ts";
import { withProgress } from "../../../cli/progress.ts";
import { healthWord } from "../../../cli/status/health-word.ts";
import { MainstayError } from "../../../core/errors.ts";
import { present } from "../../../core/present.ts";
import type { Health } from "../../../core/views/object-view.ts";
import type { KubeReader } from "../../../ports/kube.ts";
import type { GatewayPool } from "../apis/gateway-pool.ts";
import type { MachineStatus } from "../core/model/agent-answers.ts";
import { type GatewayView, type Lag, lagWords, poolView } from "../core/picture/gateway-views.ts";
import { gatewayHealth, roleWords } from "../core/picture/pool-parts.ts";
import { type AgentAnswer, answerNotes, askAgents, withAnswers } from "./ask-agents.ts";
import { readPools } from "./read-services.ts";

export interface GatewaysFlags extends ConnectOptions {
  readonly output: OutputFormat;
  readonly agents?: boolean;
}

interface GatewayRow {
  readonly pool: string;
  readonly gateway: string;
  readonly health: Health;
  readonly state: GatewayView["state"];
  readonly role: string;
  readonly leads: readonly string[];
  readonly since?: string;
  readonly carries?: { readonly epoch: number; readonly generation: number };
  readonly lag: Lag;
  readonly agent?: string;
  readonly connections?: MachineStatus["connections"];
  readonly problems?: readonly { readonly subject: string; readonly message: string }[];
  readonly message?: string;
}

export async function showGateways(named: string | undefined, flags: GatewaysFlags, ports: CliPorts): Promise<number> {
  const [pool, gateway] = named?.split("/") ?? [];
  const { rows, notes } = await withConnection(ports, flags, ({ kube }) =>
    withProgress("reading the cluster", ports, readRows(kube, pool, flags.agents === true, ports)),
  );
  const shown = rows.filter((row) => gateway === undefined || row.gateway === gateway);
  if (named !== undefined && shown.length === 0) throw missing(named, rows);
  for (const note of notes) ports.terminal.err(`note: ${note}`);
  const isAsked = flags.agents === true;
  printAs(flags.output, { gateways: shown }, () => text(shown, isAsked, ports.terminal.colours), ports.terminal);
  return exitCodes.ok;
}

async function readRows(kube: KubeReader, name: string | undefined, asks: boolean, ports: CliPorts) {
  const all = await readPools(kube);
  const pools = all.filter(({ metadata }) => name === undefined || metadata.name === name);
  if (name !== undefined && pools.length === 0)
    throw missing(
      name,
      all.flatMap((pool) => rowsOf(pool, [])),
    );
  const answered = await Promise.all(
    pools.map(async (pool) => ({ pool, answers: asks ? await askAgents(pool, kube, ports, { document: false }) : [] })),
  );
  return {
    rows: answered.flatMap(({ pool, answers }) => rowsOf(withAnswers(pool, answers), answers)),
    notes: answered.flatMap(({ answers }) => answerNotes(answers)),
  };
}

function rowsOf(pool: GatewayPool, answers: readonly AgentAnswer[]): readonly GatewayRow[] {
  return poolView(pool).gateways.map((view) => {
    const answer = answers.find(({ gateway }) => gateway === view.name);
    const { carries, message, capability } = view.status;
    const known = answer?.capabilities;
    const agent = known === "v1" || capability?.api === "v1" ? "ch-k8s-lbaas" : (known?.agent ?? capability?.agent);
    const problems = answer?.status?.problems.map(({ subject, message: why }) => ({ subject, message: why }));
    return {
      pool: pool.metadata.name,
      gateway: view.name,
      health: gatewayHealth(view),
      state: view.state,
      role: roleWords(view.status, view.leads),
      leads: view.leads.map(({ name }) => name),
      lag: view.lag,
      ...present({
        since: view.leads.find(({ since }) => since !== undefined)?.since,
        carries,
        agent,
        message,
        connections: answer?.status?.machine?.connections,
        problems: problems?.length === 0 ? undefined : problems,
      }),
    };
  });
}

function missing(named: string, rows: readonly GatewayRow[]): MainstayError {
  const names = [...new Set(rows.flatMap(({ pool, gateway }) => [pool, `${pool}/${gateway}`]))];
  const alike = nearest(named, names) ?? names.find((name) => name.endsWith(`/${named}`));
  return new MainstayError({
    reason: "ObjectNotFound",
    message: `there is no GatewayPool or gateway ${named}`,
    hint: alike === undefined ? "mainstay gateways lists what is there." : `Did you mean ${alike}?`,
  });
}

function text(rows: readonly GatewayRow[], isAsked: boolean, inColour: boolean): string {
  if (rows.length === 0) return "There is no GatewayPool here.";
  const lines = rows.map(
    ({ pool, gateway, health, role, since = "-", carries, lag, agent = "-", connections, message }) => [
      pool,
      gateway,
      healthWord(health, inColour),
      role,
      since,
      carries === undefined ? "-" : `${carries.epoch}.${carries.generation}`,
      lagWords(lag),
      ...(isAsked ? [connectionWords(connections)] : []),
      agent,
      message ?? "",
    ],
  );
  const asked = isAsked ? ["CONNECTIONS"] : [];
  return table([
    ["POOL", "GATEWAY", "HEALTH", "ROLE", "SINCE", "DOCUMENT", "LAG", ...asked, "AGENT", "IN WORDS"],
    ...lines,
  ]);
}

function connectionWords(connections: GatewayRow["connections"]): string {
  if (connections === undefined) return "?";
  const { tracked, limit } = connections;
  return limit === undefined ? String(tracked) : `${tracked} of ${limit}`;
}
