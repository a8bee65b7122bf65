// `mainstay controller` as people run it: a process with a configuration file. Its log is kept for whoever has to find out why.

import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { until } from "./until.ts";

const program = join(import.meta.dirname, "..", "..", "..", "src", "bin", "mainstay.ts");

export type CloudCalls = ReadonlyMap<string, number>;

export interface ControllerProcess {
  /** The last lines it wrote. */
  log(lines?: number): string;
  /** Requests to OpenStack so far, by the controller's own count: by service and operation, such as `octavia list-load-balancers`. */
  cloudCalls(): Promise<CloudCalls>;
  stop(): Promise<void>;
}

export async function startController(folder: string, configuration: object): Promise<ControllerProcess> {
  const config = join(folder, "mainstay.yaml");
  writeFileSync(config, JSON.stringify(configuration));
  const child = spawn(process.execPath, [program, "controller", "--config", config], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  let text = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    writeFileSync(join(folder, "controller.log"), text);
  });
  const log = (lines = 40) => text.trimEnd().split("\n").slice(-lines).join("\n");
  const health = await until("the controller to start", async () => {
    if (child.exitCode !== null) throw new Error(`the controller ended: ${log()}`);
    return /"health":"([^"]+)"/.exec(text)?.[1];
  });
  return {
    log,
    async cloudCalls() {
      const page = await (await fetch(`${health}/metrics`)).text();
      const counts = new Map<string, number>();
      for (const line of page.split("\n").filter((one) => one.startsWith("mainstay_openstack_requests_total{"))) {
        const { service = "", operation = "" } =
          /service="(?<service>[^"]*)",operation="(?<operation>[^"]*)"/.exec(line)?.groups ?? {};
        const key = `${service} ${operation}`;
        counts.set(key, (counts.get(key) ?? 0) + Number(line.slice(line.lastIndexOf(" "))));
      }
      return counts;
    },
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** How many calls came to pass between two counts, of those whose name begins so. */
export function callsBetween(before: CloudCalls, after: CloudCalls, prefix = ""): number {
  const sum = (calls: CloudCalls) =>
    [...calls].reduce((total, [key, count]) => total + (key.startsWith(prefix) ? count : 0), 0);
  return sum(after) - sum(before);
}
