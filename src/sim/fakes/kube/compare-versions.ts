// Kubernetes' own order of API versions, the preferred one first: v10 before v2 before v1, stable before beta before alpha, and words
// that are no versions last, by alphabet.

const stages = ["", "beta", "alpha"];

export function compareVersions(left: string, right: string): number {
  const [a, b] = [parseVersion(left), parseVersion(right)];
  if (a === undefined || b === undefined) {
    if (a === b) return left < right ? -1 : left > right ? 1 : 0;
    return a === undefined ? 1 : -1;
  }
  return a.stage - b.stage || b.major - a.major || b.minor - a.minor;
}

function parseVersion(text: string): { stage: number; major: number; minor: number } | undefined {
  const match = /^v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?$/.exec(text);
  if (match === null) return undefined;
  return { stage: stages.indexOf(match[2] ?? ""), major: Number(match[1]), minor: Number(match[3] ?? 0) };
}
