// What the live connection needs from a browser: requests and time. Tests bring their own.

export interface BrowserPorts {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly nowMs: () => number;
  /** Runs once after the delay; returns a function that cancels it. */
  readonly after: (ms: number, run: () => void) => () => void;
}

export const browserPorts: BrowserPorts = {
  fetch: (url, init) => fetch(url, init),
  nowMs: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
