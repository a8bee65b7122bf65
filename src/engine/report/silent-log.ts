// A log that says nothing: for those who tell people what happens in other words.

import type { Log } from "../../ports/log.ts";

export const silentLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  with: () => silentLog,
};
