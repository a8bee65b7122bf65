// `"%d of %s".format([1, "x"])`: the verbs of CEL's string formatting.

import { EvaluationError } from "@marcbachmann/cel-js";
import { CelObject } from "./cel-object.ts";

export function formatCel(pattern: string, values: readonly unknown[]): string {
  let next = 0;
  return pattern.replaceAll(/%(?:\.(\d+))?([sdfexXobu%])/g, (_, precision: string | undefined, verb: string) => {
    if (verb === "%") return "%";
    if (next >= values.length) throw new EvaluationError(`index ${next} out of range`);
    const value = values[next];
    next += 1;
    return formatOne(verb, value, precision === undefined ? 6 : Number(precision));
  });
}

function formatOne(verb: string, value: unknown, precision: number): string {
  if (verb === "s") return printCel(value);
  if (verb === "x" && typeof value === "string") return hex(value);
  if (verb === "X" && typeof value === "string") return hex(value).toUpperCase();
  if (typeof value !== "bigint" && typeof value !== "number") throw new EvaluationError(`%${verb} needs a number`);
  switch (verb) {
    case "d":
      return value.toString();
    case "f":
      return toFixed(Number(value), precision);
    case "e":
      return Number(value)
        .toExponential(precision)
        .replace(/e([+-])(\d)$/, "e$10$2");
    case "b":
      return value.toString(2);
    case "o":
      return value.toString(8);
    case "X":
      return value.toString(16).toUpperCase();
    default:
      return value.toString(16);
  }
}

/** A tie goes to the even digit, as in Go; `toFixed` alone takes it away from zero. */
function toFixed(value: number, precision: number): string {
  const scaled = Math.abs(value) * 10 ** precision;
  const floor = Math.floor(scaled);
  if (scaled - floor !== 0.5) return value.toFixed(precision);
  const even = floor % 2 === 0 ? floor : floor + 1;
  return ((Math.sign(value) * even) / 10 ** precision).toFixed(precision);
}

/** A value as `%s` shows it. */
function printCel(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === null) return "null";
  if (value instanceof Date) return value.toISOString().replace(".000Z", "Z");
  if (Array.isArray(value)) return `[${value.map(printCel).join(", ")}]`;
  if (value instanceof Map) return printEntries([...value]);
  if (value instanceof CelObject) return printEntries(Object.entries(value));
  return value === undefined ? "" : textOf(value);
}

/** Numbers, flags, durations, addresses: each says itself what it is. */
function textOf(value: { toString(): string }): string {
  return value.toString();
}

function printEntries(entries: readonly (readonly [unknown, unknown])[]): string {
  return `{${entries
    .map(([key, value]) => `${printCel(key)}: ${printCel(value)}`)
    .sort()
    .join(", ")}}`;
}

function hex(text: string): string {
  return [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
