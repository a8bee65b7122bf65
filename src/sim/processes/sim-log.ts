// The log of a simulated process: checkers see every line with everything that hangs on it, the trace tells what people would read.

import type { Log, LogData } from "../../ports/log.ts";
import type { EvidenceBoard } from "../checkers/evidence.ts";
import { spellOut } from "../checkers/spell-out.ts";
import type { Trace } from "../run/trace.ts";
import type { SimProcess } from "./sim-process.ts";

const toldKeys = ["controller", "key", "action", "because", "what", "reason", "message", "epoch", "why"];

export function simLog(process: SimProcess, trace: Trace, board: EvidenceBoard, always: LogData = {}): Log {
  const write =
    (level: string) =>
    (message: string, data: LogData = {}): void => {
      if (!process.alive) return;
      const all = { ...always, ...data };
      board.tell("logged", { process, text: `${message}\n${spellOut(all)}` });
      if (level !== "debug") trace.say(process.name, `${level} ${message}${told(all)}`);
    };
  return {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    with: (data) => simLog(process, trace, board, { ...always, ...data }),
  };
}

function told(data: LogData): string {
  return toldKeys.map((key) => (data[key] === undefined ? "" : ` ${key}=${JSON.stringify(data[key], plain)}`)).join("");
}

/** As a reader of the trace wants it, on every machine the same: no stack, no paths. */
function plain(_key: string, value: unknown): unknown {
  if (value instanceof Error) return { ...value, name: value.name, message: value.message, cause: value.cause };
  if (value instanceof Map || value instanceof Set) return [...value];
  return typeof value === "bigint" ? String(value) : value;
}
