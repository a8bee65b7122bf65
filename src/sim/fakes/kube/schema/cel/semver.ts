// Semantic versions, strict, or with the API server's leniency: a `v` in front, missing parts, leading zeros.

const strict =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;
const lenientForm = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?([-+].*)?$/;

export class Semver {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly pre: readonly string[];
  constructor(major: bigint, minor: bigint, patch: bigint, pre: readonly string[]) {
    this.major = major;
    this.minor = minor;
    this.patch = patch;
    this.pre = pre;
  }
}

export function parseSemver(text: string, lenient = false): Semver | undefined {
  const [, major, minor = "", patch = "", pre = ""] = strict.exec(lenient ? normalized(text) : text) ?? [];
  if (major === undefined) return undefined;
  return new Semver(BigInt(major), BigInt(minor), BigInt(patch), pre === "" ? [] : pre.split("."));
}

function normalized(text: string): string {
  const [, major, minor = "0", patch = "0", rest = ""] = lenientForm.exec(text) ?? [];
  return major === undefined ? text : `${BigInt(major)}.${BigInt(minor)}.${BigInt(patch)}${rest}`;
}

export function compareSemver(a: Semver, b: Semver): number {
  const numbers = [order(a.major, b.major), order(a.minor, b.minor), order(a.patch, b.patch)];
  return numbers.find((one) => one !== 0) ?? comparePre(a.pre, b.pre);
}

/** A pre-release comes before its release; numbers before words. */
function comparePre(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return Math.sign(b.length - a.length);
  for (const [i, left] of a.entries()) {
    const right = b[i];
    if (right === undefined) return 1;
    const [leftIsNumber, rightIsNumber] = [/^\d+$/.test(left), /^\d+$/.test(right)];
    if (leftIsNumber !== rightIsNumber) return leftIsNumber ? -1 : 1;
    const result = leftIsNumber ? order(BigInt(left), BigInt(right)) : order(left, right);
    if (result !== 0) return result;
  }
  return a.length < b.length ? -1 : 0;
}

function order<T extends bigint | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
