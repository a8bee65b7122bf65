// Filters in a query, field by field. A field that the list does not know is a 400, as both services have it.

import { present } from "../../../../core/present.ts";
import { refuse } from "../cloud-fault.ts";
import { fitsTags } from "../neutron/tag-filter.ts";

const paging = ["limit", "marker", "sort", "sort_key", "sort_dir", "fields", "page_reverse"];
const tagKeys = ["tags", "tags-any", "not-tags", "not-tags-any"];

type Fields<T> = Readonly<Record<string, (row: T) => string | number | boolean | undefined | null>>;

export function filtered<T extends { readonly tags?: readonly string[] }>(
  rows: readonly T[],
  query: URLSearchParams,
  fields: Fields<T>,
): readonly T[] {
  const unknown = [...query.keys()].find(
    (key) => !paging.includes(key) && !Object.hasOwn(fields, key) && !tagKeys.includes(key),
  );
  if (unknown !== undefined) refuse(400, `One or more arguments are either duplicate or invalid: ${unknown}`);
  const list = (key: string) => (query.has(key) ? query.getAll(key).flatMap((text) => text.split(",")) : undefined);
  const tagFilter = present({
    tags: list("tags"),
    tagsAny: list("tags-any"),
    notTags: list("not-tags"),
    notTagsAny: list("not-tags-any"),
  });
  const wanted = Object.entries(fields).filter(([key]) => query.has(key));
  return rows.filter(
    (row) =>
      fitsTags(row.tags ?? [], tagFilter) &&
      wanted.every(([key, read]) => query.getAll(key).some((value) => sameText(value, read(row)))),
  );
}

function sameText(wanted: string, found: string | number | boolean | undefined | null): boolean {
  if (typeof found === "boolean") return wanted.toLowerCase() === String(found);
  return wanted === String(found ?? "");
}
