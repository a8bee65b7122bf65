// nftables through the program nft, one process for each call. A process that stays (`nft -i`, `nft monitor`) keeps a copy of all elements:
// 330 MB with 10,000 Services, where a call costs a few milliseconds.

import type { Nft } from "../../ports/nft.ts";
import type { Program } from "./errors.ts";
import { programFailed } from "./errors.ts";
import { decodeCounters } from "./nft-counters.ts";
import { runProgram, succeed } from "./run-program.ts";

/** A hundred thousand elements. */
const mostListedBytes = 64 * 1_048_576;

export function linuxNft(command: readonly string[] = ["nft"]): Nft {
  const nft: Program = { name: "nft", command, packageName: "nftables" };
  const accepts = async (script: string) => await runProgram(nft, { args: ["--check", "--file", "-"], input: script });
  return {
    apply: async (script) => void (await succeed(nft, { args: ["--file", "-"], input: script })),
    check: async (script) => void (await succeed(nft, { args: ["--check", "--file", "-"], input: script })),
    // Every listing reads all elements of all tables first, which takes seconds. A change that is only checked reads nothing.
    async hasTable(family, name) {
      const inside = await accepts(`add chain ${family} ${name} mainstay_looks\n`);
      if (inside.code === 0) return true;
      // Not there, or nft cannot tell: that is known by whether one could be made.
      const beside = await accepts(`create table ${family} ${name}\n`);
      if (beside.code === 0) return false;
      throw programFailed(nft, beside.words.trim() || inside.words.trim());
    },
    async counters({ family, table, kind, name }) {
      const args = ["--json", "list", kind, family, table, name];
      return decodeCounters(await succeed(nft, { args, mostBytes: mostListedBytes }));
    },
    async version() {
      const text = await succeed(nft, { args: ["--version"] });
      return /v?(\d[\w.]*)/.exec(text)?.[1] ?? "unknown";
    },
  };
}
