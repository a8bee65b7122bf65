// Which seeds a part of a large run takes: an Indexed Job gives each of its pods an index, and the parts meet without gap or overlap.

export interface SeedRange {
  readonly from: number;
  readonly count: number;
}

/** Part `index` of `parts`; the first ones take one seed more when it does not come out even. */
export function partOf({ from, count }: SeedRange, index: number, parts: number): SeedRange {
  const size = Math.floor(count / parts);
  const rest = count % parts;
  return { from: from + index * size + Math.min(index, rest), count: size + (index < rest ? 1 : 0) };
}

/** What a pod of an Indexed Job knows of itself. Undefined: there is no index, so the whole range is ours. */
export function indexedPart(
  range: SeedRange,
  environment: Readonly<Record<string, string | undefined>>,
): SeedRange | undefined {
  const index = wholeNumber(environment["JOB_COMPLETION_INDEX"]);
  const parts = wholeNumber(environment["SIM_PARTS"]);
  if (index === undefined || parts === undefined || parts === 0 || index >= parts) return undefined;
  return partOf(range, index, parts);
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
