// Structured logging: the message is a constant, everything that varies is data.

export type LogData = Readonly<Record<string, unknown>>;

export interface Log {
  debug(message: string, data?: LogData): void;
  info(message: string, data?: LogData): void;
  warn(message: string, data?: LogData): void;
  error(message: string, data?: LogData): void;
  /** A log whose every line carries this data too. */
  with(data: LogData): Log;
}
