// Whole lists, page by page. Octavia's next links drop the filters, so that every page is requested with our own query and the last id
// as marker; the link only says that there is more. When the marker was deleted meanwhile, the list begins again.

import { z } from "zod";
import { isRecord } from "../../apis/text/problem.ts";
import { isOpenStackError } from "../../core/openstack/openstack-error.ts";
import type { CloudCallOptions } from "../../ports/openstack.ts";
import { unreadable } from "./errors.ts";
import type { ListCall, ProjectCalls } from "./project-calls.ts";
import type { QueryValues } from "./wire/query.ts";

const maxBeginnings = 3;
/** So many values go into one address; more are asked for in several lists. */
const valuesPerCall = 50;

export async function listAll<T extends { readonly id: string }>(
  calls: ProjectCalls,
  call: ListCall,
  schema: z.ZodType<T>,
  options: CloudCallOptions = {},
): Promise<readonly T[]> {
  const { clock, deadlineMs: defaultMs } = calls.channel;
  const endsAtMs = clock.monotonicMs() + (options.deadlineMs ?? defaultMs);
  // One deadline for all pages: a list that takes too long is an error, never half a list.
  const left = () => ({ ...options, deadlineMs: Math.max(0, endsAtMs - clock.monotonicMs()) });
  const page = pageSchema(call.key, schema);
  for (let beginnings = 1; ; beginnings += 1) {
    let pages = 0;
    const read = (query: QueryValues) => {
      pages += 1;
      return calls.read({ ...call, method: "GET", query }, page, left());
    };
    try {
      return await allPages(call, calls.channel.pageSize, read);
    } catch (error) {
      const isMarkerGone = pages > 1 && isOpenStackError(error, "NotFound", "BadRequest");
      if (!isMarkerGone || beginnings === maxBeginnings) throw error;
    }
  }
}

async function allPages<T extends { readonly id: string }>(
  call: ListCall,
  limit: number,
  read: (query: QueryValues) => Promise<Page<T>>,
): Promise<readonly T[]> {
  const found = new Map<string, T>();
  let marker: string | undefined;
  while (true) {
    const { items, links } = await read({ ...call.query, limit, marker });
    const before = found.size;
    for (const item of items) found.set(item.id, item);
    marker = items.at(-1)?.id;
    if (marker === undefined || !links.some(({ rel }) => rel === "next")) return [...found.values()];
    if (found.size === before) {
      const what = "the list does not end: its next page repeats an earlier one";
      throw unreadable(call.subject, 200, what, String);
    }
  }
}

function pageSchema<T>(key: string, schema: z.ZodType<T>): z.ZodType<Page<T>> {
  const links = z.array(z.object({ rel: z.string() })).default([]);
  return z.preprocess(
    (body) => (isRecord(body) ? { items: body[key], links: body[`${key}_links`] } : body),
    z.object({ items: z.array(schema), links }),
  );
}

interface Page<T> {
  readonly items: readonly T[];
  readonly links: readonly { readonly rel: string }[];
}

/** As `listAll`, of any of these values, however many. None: nothing is asked. */
export async function listByValues<T extends { readonly id: string }>(
  values: readonly string[],
  list: (some: readonly string[]) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const all = [...new Set(values)];
  const found = new Map<string, T>();
  for (let at = 0; at < all.length; at += valuesPerCall) {
    for (const item of await list(all.slice(at, at + valuesPerCall))) found.set(item.id, item);
  }
  return [...found.values()];
}
