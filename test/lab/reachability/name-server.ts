// A name server that takes new addresses for a name: BIND, by signed updates, each of which replaces the whole set at once. On a machine
// without BIND a table takes its place, and the suite says so.

import { spawn } from "node:child_process";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import type { DnsLab } from "../../lab.ts";

export interface NameServer {
  /** Lines of a zone file. */
  replace(name: string, lines: readonly string[]): Promise<void>;
  /** Rejects when the name has no address. */
  resolve(name: string): Promise<readonly string[]>;
}

export function bindServer({ server, port, zone, keyFile }: DnsLab): NameServer {
  const resolver = new Resolver({ timeout: 10_000, tries: 3 });
  resolver.setServers([`${server}:${port}`]);
  return {
    async replace(name, lines) {
      const update = [`server ${server} ${port}`, `zone ${zone}`, `update delete ${name}. A`];
      await nsupdate(keyFile, [...update, ...lines.map((line) => `update add ${line}`), "send"]);
    },
    resolve: (name) => resolver.resolve4(name),
  };
}

async function nsupdate(keyFile: string, lines: readonly string[]): Promise<void> {
  const child = spawn("nsupdate", ["-k", keyFile], { stdio: ["pipe", "ignore", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (said += chunk));
  const ended = once(child, "close");
  child.stdin.end(lines.map((line) => `${line}\n`).join(""));
  const [code] = await ended;
  if (code !== 0) throw new Error(`nsupdate: ${said}`);
}

export function tableServer(): NameServer {
  const table = new Map<string, readonly string[]>();
  return {
    async replace(name, lines) {
      table.set(
        name,
        lines.map((line) => line.split("\t").at(-1) ?? ""),
      );
    },
    async resolve(name) {
      const found = table.get(name) ?? [];
      if (found.length === 0) throw new Error(`${name} has no address`);
      return found;
    },
  };
}
