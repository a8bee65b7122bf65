// What searches (random histories, a crash at each of many places) does a fixed share of its work in `make test`, which people wait for, and
// all of it in CI and for whoever asks: SLOW=yes make test.

export function isWholeSearch(): boolean {
  return process.env["LAB"] === "required" || process.env["CI"] !== undefined || process.env["SLOW"] !== undefined;
}

/** How many random histories are tried: a quarter of them in `make test`. */
export function searchRuns(whole: number): number {
  return isWholeSearch() ? whole : Math.ceil(whole / 4);
}
