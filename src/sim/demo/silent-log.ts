// A log that says nothing: in the demonstration the plan log and the dashboard tell what happens.

import type { Log } from "../../ports/log.ts";

export const silentLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  with: () => silentLog,
};
