// Where the real kernel sends connections, against what `mainstay trace` computes: for both families, with and without affinity, for every
// number of buckets, and for the choice of the source address.

import { expect, test } from "vitest";
import { bucketOf, slotOf } from "../../../src/jobs/gateway/core/dataplane/packet-hash.ts";
import { bucketSeed, slotSeed, slots } from "../../../src/jobs/gateway/core/dataplane/packet-marks.ts";
import { bucketCounts } from "../../../src/jobs/gateway/core/model/document.ts";
import { describeLab, labNft } from "../../lab.ts";
import { makeNftNamespace, type NftNamespace } from "./nft-namespace.ts";

const ports = [1_024, 5_353, 40_000, 51_234, 65_535];
const senders = {
  ip: ["198.51.100.7", "10.1.2.3", "203.0.113.255"],
  ip6: ["2001:db8::7", "fd00:1:2:3:4:5:6:7"],
} as const;

describeLab("the hash of nftables on the real kernel", labNft, () => {
  test.each(["ip", "ip6"] as const)("sends a packet of %s where it is computed to go", async (family) => {
    const kernel = await makeNftNamespace();
    try {
      for (const address of senders[family])
        await kernel.run("ip", ["address", "add", `${address}/${family === "ip" ? 32 : 128}`, "dev", "lo"]);
      await kernel.run("ip", ["link", "set", "lo", "up"]);
      for (const [hashed, count] of hashes(family)) {
        const seen = await marksOf(kernel, family, hashed);
        expect(seen.size).toBe(senders[family].length * ports.length);
        for (const [sender, mark] of seen)
          expect([hashed, sender, mark]).toEqual([hashed, sender, computed(hashed, sender, count)]);
      }
    } finally {
      await kernel.remove();
    }
  });
});

function hashes(family: "ip" | "ip6"): readonly (readonly [string, number])[] {
  const several = bucketCounts.filter((count) => count > 1);
  return [
    ...several.map((count) => [`jhash ${family} saddr . th sport mod ${count} seed ${bucketSeed}`, count] as const),
    [`jhash ${family} saddr mod 1024 seed ${bucketSeed}`, 1_024],
    [`jhash ${family} saddr . th sport mod ${slots} seed ${slotSeed}`, slots],
  ];
}

function computed(hashed: string, sender: string, count: number): number {
  const [address = "", port = ""] = sender.split(" ");
  const from = { address, port: Number(port) };
  if (hashed.endsWith(String(slotSeed))) return slotOf(from);
  return bucketOf(from, hashed.includes("sport") ? "none" : "client", count);
}

/** Sends a datagram from each sender and port, and reads what the kernel marked it with. */
async function marksOf(
  kernel: NftNamespace,
  family: "ip" | "ip6",
  hashed: string,
): Promise<ReadonlyMap<string, number>> {
  await kernel.nft(
    ["--file", "-"],
    `add table ${family} looks
delete table ${family} looks
table ${family} looks {
  set seen { type ${family === "ip" ? "ipv4" : "ipv6"}_addr . inet_service . mark; flags dynamic; size 1000; }
  chain output {
    type filter hook output priority 0;
    udp dport 9 meta mark set ${hashed} add @seen { ${family} saddr . udp sport . meta mark } drop
  }
}
`,
  );
  const script = `const sockets = require("node:dgram");
    for (const [address, port] of ${JSON.stringify(senders[family].flatMap((address) => ports.map((port) => [address, port])))}) {
      const one = sockets.createSocket("${family === "ip" ? "udp4" : "udp6"}");
      one.on("error", () => {});
      one.bind(port, address, () => one.send("x", 9, address, () => one.close()));
    }`;
  await kernel.run(process.execPath, ["-e", script]);
  const listed = await kernel.nft(["list", "set", family, "looks", "seen"]);
  const found = [...listed.matchAll(/([0-9a-f.:]+) \. (\d+) \. (0x[0-9a-f]+)/g)];
  return new Map(found.map(([, address = "", port = "", mark = ""]) => [`${address} ${port}`, Number(mark)]));
}
