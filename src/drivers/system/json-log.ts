// The log as lines of JSON: level in words, time in ISO form, the data beside the message. Written at once, so that the
// last line before an exit is not lost.

import { type DestinationStream, destination, type Logger, pino, stdSerializers, stdTimeFunctions } from "pino";
import type { Log } from "../../ports/log.ts";

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
      messageKey: "message",
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
    debug: (message, data = {}) => logger.debug(data, message),
    info: (message, data = {}) => logger.info(data, message),
    warn: (message, data = {}) => logger.warn(data, message),
    error: (message, data = {}) => logger.error(data, message),
    with: (data) => over(logger.child(data)),
  };
}
