// The log as lines of JSON: level in words, time in ISO form, the constant message as `msg`, the data beside them. Written at
// once, so that the last line before an exit is not lost.

import { type DestinationStream, destination, type Logger, pino, stdSerializers, stdTimeFunctions } from "pino";
import type { Log, LogData } from "../../ports/log.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";

export interface JsonLogOptions {
  readonly level?: LogLevel;
  /** Standard error when absent: standard output belongs to results. */
  readonly to?: DestinationStream;
}

export function jsonLog({ level = "info", to = destination({ fd: 2, sync: true }) }: JsonLogOptions = {}): Log {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: stdSerializers.err, cause: stdSerializers.err },
    },
    to,
  );
  return logOf(logger);
}

function logOf(logger: Logger): Log {
  return {
    debug: (message, data = {}) => logger.debug(renameReserved(data), message),
    info: (message, data = {}) => logger.info(renameReserved(data), message),
    warn: (message, data = {}) => logger.warn(renameReserved(data), message),
    error: (message, data = {}) => logger.error(renameReserved(data), message),
    with: (data) => logOf(logger.child(renameReserved(data))),
  };
}

const reservedNames: ReadonlySet<string> = new Set(["level", "time", "msg"]);

/** Data under a reserved name would make that key appear twice: readers keep one of the two, and some refuse the line. */
function renameReserved(data: LogData): LogData {
  if (!Object.keys(data).some((name) => reservedNames.has(name))) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [reservedNames.has(name) ? `data_${name}` : name, value]),
  );
}
