// The read API on a socket, with the built dashboard and the runbook pages beside it. Wiring only.

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { readStaticFolder } from "../drivers/system/static-folder.ts";
import { systemClock } from "../drivers/system/system-clock.ts";
import { systemOpaqueIds } from "../drivers/system/system-opaque-ids.ts";
import { allJobs } from "../jobs/all.ts";
import { type ReadApiOptions, readApi } from "../server/read-api/read-api.ts";

export interface DashboardServer {
  /** The port is the one it got when 0 was asked for. */
  readonly url: string;
  /** False: the API is served, but nobody has built the pages. */
  readonly hasPages: boolean;
  close(): Promise<void>;
}

export type DashboardServerOptions = Omit<ReadApiOptions, "clock" | "opaqueIds" | "jobs" | "assets" | "runbook"> & {
  readonly bind: string;
  readonly port: number;
};

// A checkout has the built pages in dist, and their sources where an installed package, which lies in dist itself, has the pages. Tests
// build into a folder of their own.
const elsewhere = process.env["MAINSTAY_DASHBOARD"];
const isCheckout = import.meta.filename.endsWith(".ts");
const builtPages =
  elsewhere ?? fileURLToPath(new URL(isCheckout ? "../../dist/dashboard" : "../dashboard", import.meta.url));
const runbooks = new URL("../../docs/operations/", import.meta.url);

export async function startDashboardServer({
  bind,
  port,
  ...options
}: DashboardServerOptions): Promise<DashboardServer> {
  const pages = await readPages();
  const app = readApi({
    ...options,
    clock: systemClock,
    opaqueIds: systemOpaqueIds(),
    jobs: allJobs,
    runbook: (reason) => readFile(new URL(`${reason}.md`, runbooks), "utf8").catch(() => undefined),
    ...(pages === undefined ? {} : { assets: (path: string) => pages.get(path) }),
  });
  const url = await app.listen({ host: bind, port });
  return { url, hasPages: pages !== undefined, close: () => app.close() };
}

async function readPages() {
  const pages = await readStaticFolder(builtPages);
  return pages?.has("/index.html") === true ? pages : undefined;
}
