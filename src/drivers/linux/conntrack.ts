// The kernel's table of connections through the program conntrack: many removals in one process, as lines of its own format.

import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { invariant } from "../../core/errors.ts";
import { canonicalAddress, familyOf } from "../../core/net/ip.ts";
import type { ConnectionsTo, Conntrack } from "../../ports/conntrack.ts";
import type { Program } from "./errors.ts";
import { succeed } from "./run-program.ts";

/** Each line walks through the whole table: so many end within the time that a program has. */
const linesAtOnce = 50;

export interface ConntrackOptions {
  /** For files that live as long as a call; made when missing. */
  readonly folder: string;
  readonly command?: readonly string[];
}

export interface LinuxConntrack extends Conntrack {
  version(): Promise<string>;
}

export function linuxConntrack({ folder, command = ["conntrack"] }: ConntrackOptions): LinuxConntrack {
  let calls = 0;
  const conntrack: Program = { name: "conntrack", command, packageName: "conntrack" };
  return {
    async forget(connections) {
      for (let at = 0; at < connections.length; at += linesAtOnce) {
        const lines = connections.slice(at, at + linesAtOnce).map(removal);
        calls += 1;
        // It opens its standard input by name, which a socket does not allow.
        const file = join(folder, `forget-${process.pid}-${calls}`);
        await mkdir(folder, { recursive: true, mode: 0o700 });
        try {
          await writeFile(file, lines.join(""), { mode: 0o600 });
          // Unlike a removal on the command line, one in a file that finds nothing is no failure.
          await succeed(conntrack, { args: ["--load-file", file] });
        } finally {
          await rm(file, { force: true });
        }
      }
    },
    async version() {
      const text = await succeed(conntrack, { args: ["--version"] });
      return /v(\d[\w.]*)/.exec(text)?.[1] ?? "unknown";
    },
  };
}

function removal({ address, protocol, port, endpoint }: ConnectionsTo): string {
  const family = familyOf(address) === 6 ? "ipv6" : "ipv4";
  const to = `--orig-dst ${addressWord(address)} --orig-port-dst ${portWord(port)}`;
  const at =
    endpoint === undefined
      ? ""
      : ` --reply-src ${addressWord(endpoint.address)} --reply-port-src ${portWord(endpoint.port)}`;
  return `-D -f ${family} -p ${protocol.toLowerCase()} ${to}${at}\n`;
}

function addressWord(text: string): string {
  const address = canonicalAddress(text);
  invariant(address !== undefined, `an address of connections: ${JSON.stringify(text)}`);
  return address;
}

function portWord(port: number): string {
  invariant(Number.isInteger(port) && port >= 1 && port <= 65_535, `a port of connections: ${JSON.stringify(port)}`);
  return String(port);
}
