// The log of a simulated process: checkers see every line with everything that hangs on it, the trace shows what people would read.

import type { Log, LogData } from "../../ports/log.ts";
import type { SimEvents } from "../checkers/sim-events.ts";
import { spellOut } from "../checkers/spell-out.ts";
import type { Trace } from "../run/trace.ts";
import type { SimProcess } from "./sim-process.ts";

const shownKeys = ["controller", "key", "action", "because", "what", "reason", "message", "epoch", "why"];

export function simLog(process: SimProcess, trace: Trace, events: SimEvents, always: LogData = {}): Log {
  const write =
    (level: string) =>
    (message: string, data: LogData = {}): void => {
      if (!process.alive) return;
      const all = { ...always, ...data };
      events.emit("logged", { process, text: `${message}\n${spellOut(all)}` });
      if (level !== "debug") trace.write(process.name, `${level} ${message}${shown(all)}`);
    };
  return {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    with: (data) => simLog(process, trace, events, { ...always, ...data }),
  };
}

function shown(data: LogData): string {
  return shownKeys
    .map((key) => (data[key] === undefined ? "" : ` ${key}=${JSON.stringify(data[key], plain)}`))
    .join("");
}

/** As a reader of the trace wants it, on every machine the same: no stack, no paths. */
function plain(_key: string, value: unknown): unknown {
  if (value instanceof Error) return { ...value, name: value.name, message: value.message, cause: value.cause };
  if (value instanceof Map || value instanceof Set) return [...value];
  return typeof value === "bigint" ? String(value) : value;
}
