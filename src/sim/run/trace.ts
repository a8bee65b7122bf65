// The story of a run, a line for each thing that happened: step, time, who, what, because of what. Its hash tells two runs apart by a
// single character.

export interface Trace {
  /** Of all lines so far. */
  readonly hash: string;
  readonly lines: readonly string[];
  write(who: string, what: string): void;
}

export interface TraceOptions {
  readonly now: () => { readonly step: number; readonly ms: number };
  /** How many of the last lines are kept. */
  readonly keep: number;
  /** Sees every line, also those that are not kept. */
  readonly onLine?: (line: string) => void;
}

export function createTrace({ now, keep, onLine }: TraceOptions): Trace {
  let lines: string[] = [];
  // Two FNV-1a hashes with different primes: 64 bits without big integers.
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  return {
    get hash() {
      return hex(high) + hex(low);
    },
    get lines() {
      return lines.slice(-keep);
    },
    write(who, what) {
      const { step, ms } = now();
      const line = `${String(step).padStart(5)} ${(ms / 1_000).toFixed(3).padStart(8)}s ${who.padEnd(9)} ${what}`;
      for (let i = 0; i < line.length; i += 1) {
        const code = line.charCodeAt(i);
        low = Math.imul(low ^ code, 0x01000193);
        high = Math.imul(high ^ code, 0x01000199);
      }
      lines.push(line);
      if (lines.length > keep * 2) lines = lines.slice(-keep);
      onLine?.(line);
    },
  };
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, "0");
}
