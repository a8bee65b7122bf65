// The gateways and groups of a pool as its status tells them: who leads what, who answers, and how far behind each is. A gateway that does
// not answer is judged by what the others hear, never by what it said before.

import type { DocumentVersionStatus, GatewayPool, GatewayStatus } from "../../apis/gateway-pool.ts";

/** How far a gateway is behind the latest document. */
export type Lag =
  | { readonly kind: "current" | "earlier-term" | "nothing" | "unknown" }
  | { readonly kind: "behind"; readonly changes: number };

export interface GatewayView {
  readonly name: string;
  readonly state: "ready" | "unready" | "silent" | "awaited";
  readonly status: GatewayStatus;
  readonly lag: Lag;
  /** Groups that it leads, as far as anybody knows. */
  readonly leads: readonly GroupView[];
}

/**
 * - `led`: one gateway says that it leads
 * - `heard`: a gateway that does not answer leads, because another one stands by, which it does only while it hears somebody
 * - `split`: several say that they lead
 * - `unled`: all gateways answer, and none leads
 */
export interface GroupView {
  readonly name: string;
  readonly standing: "led" | "heard" | "split" | "unled" | "unknown";
  readonly by: readonly string[];
  /** RFC 3339. */
  readonly since?: string;
}

export interface PoolView {
  readonly gateways: readonly GatewayView[];
  readonly groups: ReadonlyMap<string, GroupView>;
}

export function poolView({ spec = {}, status = {} }: GatewayPool): PoolView {
  const known = new Map((status.gateways ?? []).map((one) => [one.name, one]));
  const named = (spec.gateways ?? []).map(({ name }) => name);
  const all = [...new Set([...named, ...known.keys()])].map((name): GatewayStatus => known.get(name) ?? { name });
  const names = new Set([
    ...(spec.vrrp?.groups ?? []).map(({ name }) => name),
    ...all.flatMap(({ groups = [] }) => groups.map(({ name }) => name)),
  ]);
  const groups = new Map([...names].map((name) => [name, groupView(name, all)]));
  return {
    groups,
    gateways: all.map((gateway) => ({
      name: gateway.name,
      state: stateOf(gateway),
      status: gateway,
      lag: lagOf(gateway, status.version),
      leads: [...groups.values()].filter(({ by, standing }) => standing !== "unknown" && by.includes(gateway.name)),
    })),
  };
}

function stateOf({ reachable, ready }: GatewayStatus): GatewayView["state"] {
  if (reachable === undefined) return "awaited";
  if (!reachable) return "silent";
  return ready === true ? "ready" : "unready";
}

function groupView(name: string, all: readonly GatewayStatus[]): GroupView {
  const placed = all.map((gateway) => ({ gateway, place: gateway.groups?.find((group) => group.name === name) }));
  const answering = placed.filter(({ gateway }) => gateway.reachable === true);
  const away = placed.filter(({ gateway }) => gateway.reachable !== true);
  const masters = answering.filter(({ place }) => place?.role === "master");
  const by = masters.map(({ gateway }) => gateway.name);
  const since = masters[0]?.place?.since;
  if (masters.length > 1) return { name, standing: "split", by };
  if (masters.length === 1) return { name, standing: "led", by, ...(since === undefined ? {} : { since }) };
  const isHeard = answering.some(({ place }) => place?.role === "backup");
  const lastKnown = away.filter(({ place }) => place?.role === "master");
  const [silent, ...more] = lastKnown.length > 0 ? lastKnown : away;
  if (isHeard && silent !== undefined && more.length === 0) {
    const from = silent.place?.role === "master" ? silent.place.since : undefined;
    return { name, standing: "heard", by: [silent.gateway.name], ...(from === undefined ? {} : { since: from }) };
  }
  const isSeen = answering.every(({ place }) => place !== undefined && place.role !== "unknown");
  if (away.length === 0 && answering.length > 0 && isSeen) return { name, standing: "unled", by: [] };
  return { name, standing: "unknown", by: lastKnown.map(({ gateway }) => gateway.name) };
}

function lagOf({ reachable, carries }: GatewayStatus, latest: DocumentVersionStatus | undefined): Lag {
  if (reachable !== true || latest === undefined) return { kind: "unknown" };
  if (carries === undefined) return { kind: "nothing" };
  if (carries.epoch !== latest.epoch) return { kind: carries.epoch < latest.epoch ? "earlier-term" : "unknown" };
  const changes = latest.generation - carries.generation;
  return changes <= 0 ? { kind: "current" } : { kind: "behind", changes };
}

export function lagWords(lag: Lag): string {
  if (lag.kind === "behind") return lag.changes === 1 ? "1 change behind" : `${lag.changes} changes behind`;
  const words = {
    current: "current",
    "earlier-term": "of an earlier leader",
    nothing: "carries nothing yet",
    unknown: "not known",
  } as const;
  return words[lag.kind];
}

/** `gw1`, `gw1 and gw2`, `gw1, gw2 and gw3`. */
export function joined(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** `1 Service`, `3 Services`. */
export function counted(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`;
}
