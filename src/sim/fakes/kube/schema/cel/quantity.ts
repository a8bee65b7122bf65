// Kubernetes quantities (`1Gi`, `500m`, `2e3`) as exact numbers, in thousand-millionths.

const nano = 1_000_000_000n;
const form = /^([+-]?)(\d+\.?\d*|\.\d+)(?:(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE])|[eE]([+-]?\d+))?$/;

const factors: Readonly<Record<string, bigint>> = {
  n: 1n,
  u: 1_000n,
  m: 1_000_000n,
  k: nano * 1_000n,
  M: nano * 1_000n ** 2n,
  G: nano * 1_000n ** 3n,
  T: nano * 1_000n ** 4n,
  P: nano * 1_000n ** 5n,
  E: nano * 1_000n ** 6n,
  Ki: nano * 1024n,
  Mi: nano * 1024n ** 2n,
  Gi: nano * 1024n ** 3n,
  Ti: nano * 1024n ** 4n,
  Pi: nano * 1024n ** 5n,
  Ei: nano * 1024n ** 6n,
};

export class Quantity {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
  get isInteger(): boolean {
    return this.nanos % nano === 0n;
  }
  get integer(): bigint {
    return this.nanos / nano;
  }
  get approximate(): number {
    return Number(this.nanos) / Number(nano);
  }
}

export function parseQuantity(text: string): Quantity | undefined {
  const [, sign = "", digits = "", suffix, exponent] = form.exec(text) ?? [];
  if (digits === "") return undefined;
  const [whole = "", fraction = ""] = digits.split(".");
  const power = Number(exponent ?? 0);
  const factor = suffix === undefined ? nano : (factors[suffix] ?? nano);
  const mantissa = BigInt(`${whole}${fraction}` === "" ? "0" : `${whole}${fraction}`) * factor;
  const shift = power - fraction.length;
  const magnitude = shift >= 0 ? mantissa * 10n ** BigInt(shift) : ceilDivide(mantissa, 10n ** BigInt(-shift));
  return new Quantity(sign === "-" ? -magnitude : magnitude);
}

export function quantityOf(value: bigint): Quantity {
  return new Quantity(value * nano);
}

/** What is finer than a nano counts as one. */
function ceilDivide(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b;
}
