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
  return over(logger);
}

function over(logger: Logger): Log {
  return {
    debug: (message, data = {}) => logger.debug(apart(data), message),
    info: (message, data = {}) => logger.info(apart(data), message),
    warn: (message, data = {}) => logger.warn(apart(data), message),
    error: (message, data = {}) => logger.error(apart(data), message),
    with: (data) => over(logger.child(apart(data))),
  };
}

const ownNames: ReadonlySet<string> = new Set(["level", "time", "msg"]);

/** A field of the line's own name would stand in it twice: readers keep one of the two, and some refuse the line. */
function apart(data: LogData): LogData {
  if (!Object.keys(data).some((name) => ownNames.has(name))) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [ownNames.has(name) ? `data_${name}` : name, value]),
  );
}
