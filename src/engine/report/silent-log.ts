// A log that discards everything, for programs that print for people instead.

import type { Log } from "../../ports/log.ts";

export const silentLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  with: () => silentLog,
};
