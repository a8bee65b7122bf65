// Lists in pages. Octavia orders by time and id, gives a next link with every full page, and drops the filters from it; Neutron keeps
// them, and pages only when asked to.

import { refuse } from "../cloud-fault.ts";

interface Rows {
  readonly id: string;
  readonly createdAt?: string;
}

export interface Page<T> {
  readonly rows: readonly T[];
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}

const defaultPage = 1_000;

export function octaviaPage<T extends Rows>(
  all: readonly T[],
  query: URLSearchParams,
  url: string,
  pageLimit: number = defaultPage,
): Page<T> {
  const limit = Math.min(limitOf(query) ?? pageLimit, pageLimit);
  const sorted = all.toSorted((a, b) => order(a.createdAt ?? "", b.createdAt ?? "") || order(a.id, b.id));
  const rows = afterMarker(sorted, query).slice(0, limit);
  const last = rows.length >= limit ? rows.at(-1) : undefined;
  const links = last === undefined ? [] : [{ rel: "next", href: `${url}?limit=${limit}&marker=${last.id}` }];
  return { rows, links };
}

export function neutronPage<T extends Rows>(all: readonly T[], query: URLSearchParams, url: string): Page<T> {
  const limit = limitOf(query);
  const rest = afterMarker(limit === undefined ? all : all.toSorted((a, b) => order(a.id, b.id)), query);
  if (limit === undefined) return { rows: rest, links: [] };
  const rows = rest.slice(0, limit);
  const last = rest.length > limit ? rows.at(-1) : undefined;
  if (last === undefined) return { rows, links: [] };
  const next = new URLSearchParams(query);
  next.set("marker", last.id);
  return { rows, links: [{ rel: "next", href: `${url}?${next.toString()}` }] };
}

function limitOf(query: URLSearchParams): number | undefined {
  const text = query.get("limit");
  if (text === null) return undefined;
  if (!/^\d+$/.test(text)) refuse(400, `Supplied pagination limit '${text}' is not valid.`);
  const limit = Number(text);
  return limit < 1 ? undefined : limit;
}

function afterMarker<T extends Rows>(sorted: readonly T[], query: URLSearchParams): readonly T[] {
  const marker = query.get("marker");
  if (marker === null) return sorted;
  const at = sorted.findIndex(({ id }) => id === marker);
  if (at < 0) refuse(400, `Supplied pagination marker '${marker}' is not valid.`);
  return sorted.slice(at + 1);
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
