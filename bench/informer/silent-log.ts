// A log that says nothing, so that no logger is part of what is measured.

import type { Log } from "../../src/ports/log.ts";

const nothing = (): void => {};

export const silentLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing, with: () => silentLog };
