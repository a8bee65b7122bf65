// The gateways of a pool as its parts, and its addresses as a table beside them.

import type { Health, PartCell, PartRow, PartsTable } from "../../../../core/views/object-view.ts";
import type { Parts } from "../../../../core/views/parts.ts";
import type { GatewayPool } from "../../apis/gateway-pool.ts";
import { addressViews } from "./address-views.ts";
import { type GatewayView, lagWords, type PoolView, poolView } from "./gateway-views.ts";
import { sickFirst } from "./sick-first.ts";

/** Of a table that people read. */
const mostAddresses = 50;

export function poolParts(pool: GatewayPool): Parts | undefined {
  if (pool.status?.gateways === undefined) return undefined;
  const view = poolView(pool);
  const addresses = addressTable(pool, view);
  return {
    noun: ["gateway", "gateways"],
    table: {
      title: "Gateways",
      nameColumn: "Gateway",
      columns: ["Role", "Document", "Agent"],
      rows: view.gateways.map(gatewayRow),
    },
    ...(addresses === undefined ? {} : { tables: [addresses] }),
  };
}

function gatewayRow(view: GatewayView): PartRow {
  const { name, state, status, lag, leads } = view;
  const { message, carries, capability = {} } = status;
  const since = leads.find((group) => group.since !== undefined)?.since;
  const version = carries === undefined ? undefined : `${carries.epoch}.${carries.generation}`;
  const agent = capability.api === "v1" ? "ch-k8s-lbaas" : capability.agent;
  const isBad = state === "silent" || state === "unready";
  const health = gatewayHealth(view);
  const why = isBad ? (message ?? "not ready") : (agent ?? "");
  return {
    name,
    health,
    ...(isBad && leads.length > 0 ? { serves: true as const } : {}),
    cells: [
      { text: roleWords(status, leads), ...(since === undefined ? {} : { note: `since ${since}` }) },
      { text: lagWords(lag), ...(version === undefined ? {} : { note: version }), ...odd(isLate(lag)) },
      { text: why, ...(isBad && agent !== undefined ? { note: agent } : {}), ...odd(isBad) },
    ],
  };
}

/** A change or two behind is every gateway for a moment, after each change: its cell says it, and no Event does. */
export function gatewayHealth({ state, lag }: GatewayView): Health {
  if (state === "silent" || state === "unready") return "degraded";
  if (state === "awaited") return "unknown";
  return lag.kind === "nothing" ? "progressing" : "healthy";
}

function isLate({ kind }: GatewayView["lag"]): boolean {
  return kind === "behind" || kind === "earlier-term";
}

function odd(is: boolean): Partial<PartCell> {
  return is ? { odd: true } : {};
}

export function roleWords({ groups = [] }: GatewayView["status"], leads: GatewayView["leads"]): string {
  const isUnseen = leads.some(({ standing }) => standing === "heard");
  const led = leads.map(({ name }) => name);
  const waiting = groups.filter(({ name, role }) => role === "backup" && !led.includes(name)).map(({ name }) => name);
  const others = groups.filter(({ name, role }) => !["master", "backup"].includes(role) && !led.includes(name));
  const words = [
    ...(led.length === 0 ? [] : [`leads ${led.join(", ")}${isUnseen ? " (unseen)" : ""}`]),
    ...(waiting.length === 0 ? [] : [`stands by for ${waiting.join(", ")}`]),
    ...others.map(({ name, role }) => `${name}: ${role}`),
  ];
  return words.length === 0 ? "not known" : words.join("; ");
}

function addressTable(pool: GatewayPool, view: PoolView): PartsTable | undefined {
  const all = addressViews(pool, view).toSorted(sickFirst(({ shown }) => shown));
  if (all.length === 0) return undefined;
  const rows = all.slice(0, mostAddresses).map(
    ({ shown, status, health, word, group }): PartRow => ({
      name: shown,
      health,
      cells: [
        { text: word, ...odd(health === "degraded") },
        { text: group?.name ?? "" },
        { text: String(status.services) },
        { text: status.portID ?? (shown === status.address ? "" : status.address), exact: true },
      ],
    }),
  );
  const rest = Math.max(pool.status?.addresses?.inUse ?? 0, all.length) - rows.length;
  const others: readonly PartRow[] =
    rest <= 0 ? [] : [{ name: `${rest} more`, health: "healthy", cells: ["", "", "", ""].map((text) => ({ text })) }];
  return {
    title: "Addresses",
    nameColumn: "Address",
    columns: ["Answers", "Group", "Services", "Port or inner address"],
    rows,
    ...(others.length === 0 ? {} : { others }),
  };
}
