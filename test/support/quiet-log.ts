// A log for tests that remembers its lines.

import type { Log, LogData } from "../../src/ports/log.ts";

export interface LogLine {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
  readonly data: LogData;
}

export interface QuietLog extends Log {
  readonly lines: readonly LogLine[];
}

export function quietLog(lines: LogLine[] = [], always: LogData = {}): QuietLog {
  const write =
    (level: LogLine["level"]) =>
    (message: string, data: LogData = {}): void => {
      lines.push({ level, message, data: { ...always, ...data } });
    };
  return {
    lines,
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    with: (data) => quietLog(lines, { ...always, ...data }),
  };
}
