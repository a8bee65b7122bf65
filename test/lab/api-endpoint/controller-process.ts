// `mainstay controller` as people run it: a process with a configuration file. Its log is kept for whoever has to find out why.

import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { until } from "../until.ts";

const program = join(import.meta.dirname, "..", "..", "..", "src", "bin", "mainstay.ts");

/** A line of its input is a signal for the command. Our end, whatever brings it, ends the input and with it the command. */
const whileInputLasts = 'exec 3<&0; "$0" "$@" & { read -r signal <&3; kill -s "${signal:-TERM}" $!; } & wait %1';

export type CloudCalls = ReadonlyMap<string, number>;

export interface ControllerProcess {
  /** The last lines it wrote. */
  log(lines?: number): string;
  /** Requests to OpenStack so far, by the controller's own count: by service and operation, such as `octavia list-load-balancers`. */
  cloudCalls(): Promise<CloudCalls>;
  stop(): Promise<void>;
  /** Ends it at once, without a word to anybody. */
  kill(): Promise<void>;
}

export async function startController(folder: string, configuration: object): Promise<ControllerProcess> {
  const config = join(folder, "mainstay.yaml");
  writeFileSync(config, JSON.stringify(configuration));
  const command = [process.execPath, program, "controller", "--config", config];
  const child = spawn("bash", ["-c", whileInputLasts, ...command], { stdio: ["pipe", "ignore", "pipe"] });
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
      child.stdin.end();
      await ended;
    },
    async kill() {
      child.stdin.end("KILL\n");
      await ended;
    },
  };
}

/** A port that is free, below those that outgoing connections get: one of them might take it before its user does. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + randomInt(5_000);
    const server = createServer();
    const opened = once(server, "listening");
    server.listen(port, "127.0.0.1");
    try {
      await opened;
    } catch {
      continue;
    }
    server.close();
    await once(server, "close");
    return port;
  }
}

/** How many calls came to pass between two counts, of those whose name begins so. */
export function callsBetween(before: CloudCalls, after: CloudCalls, prefix = ""): number {
  const sum = (calls: CloudCalls) =>
    [...calls].reduce((total, [key, count]) => total + (key.startsWith(prefix) ? count : 0), 0);
  return sum(after) - sum(before);
}
