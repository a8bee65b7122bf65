// Queries as text. A list of values is the same key several times, which Neutron reads as any of them.

export type QueryValues = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** Empty, or beginning with a question mark. */
export function queryText(values: QueryValues): string {
  const parts = Object.entries(values).flatMap(([key, value]) => {
    if (value === undefined) return [];
    const each = typeof value === "object" ? value : [String(value)];
    return each.map((one) => `${encodeURIComponent(key)}=${encodeURIComponent(one)}`);
  });
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}
