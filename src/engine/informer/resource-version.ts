// Which of two resource versions is newer. Kubernetes' own are growing numbers; versions of any other form are not compared.

const digits = /^[0-9]+$/;

/** Below zero: `a` is older. Undefined: the two cannot be compared. They may be larger than a JavaScript number holds exactly. */
export function compareResourceVersions(a: string, b: string): number | undefined {
  if (a === b) return 0;
  if (!digits.test(a) || !digits.test(b)) return undefined;
  const [left, right] = [BigInt(a), BigInt(b)];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

export function isOlder(version: string, than: string): boolean {
  const order = compareResourceVersions(version, than);
  return order !== undefined && order < 0;
}

export function isAtLeast(version: string, wanted: string): boolean {
  const order = compareResourceVersions(version, wanted);
  return order !== undefined && order >= 0;
}
