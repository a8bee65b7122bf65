// A network namespace with a ruleset of its own, and nft in it.

import { execFile, spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface NftNamespace {
  /** What runs a program in it. */
  readonly prefix: readonly string[];
  /** Rejects with what nft said. */
  nft(args: readonly string[], script?: string): Promise<string>;
  /** Runs another program in it, and passes on what it printed. */
  run(program: string, args: readonly string[]): Promise<string>;
  /** Elements in one order and without handles, so that two of them can be compared. */
  ruleset(): Promise<unknown>;
  remove(): Promise<void>;
}

let made = 0;

export async function makeNftNamespace(): Promise<NftNamespace> {
  made += 1;
  const name = `mst-nft-${process.pid}-${made}-${performance.now().toString(36).replace(".", "")}`;
  await run("ip", ["netns", "add", name]);
  const prefix = ["ip", "netns", "exec", name];
  const nft = async (args: readonly string[], script = "") => {
    const child = spawn("ip", ["netns", "exec", name, "nft", ...args], { stdio: ["pipe", "pipe", "pipe"] });
    // One that ends before it has read all says why.
    child.stdin.on("error", () => {}).end(script);
    const [output, words, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise((resolve) => child.on("close", resolve)),
    ]);
    if (code !== 0) throw new Error(`nft ended with ${String(code)}: ${words}`);
    return output;
  };
  return {
    prefix,
    nft,
    run: async (program, args) => (await run("ip", ["netns", "exec", name, program, ...args])).stdout,
    ruleset: async () => inOneOrder(JSON.parse(await nft(["-j", "list", "ruleset"]))),
    remove: async () => void (await run("ip", ["netns", "delete", name])),
  };
}

/** Rules keep their order, which counts; elements have none. */
function inOneOrder(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => inOneOrder(item));
    return key === "elem" ? items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : items;
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) => (name === "handle" ? [] : [[name, inOneOrder(part, name)]])),
  );
}
