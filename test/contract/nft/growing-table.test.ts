// The controller relies on it: a table of buckets that is made longer by repeating each bucket in place moves no connection.

import { afterAll, beforeAll, expect, test } from "vitest";
import { bucketSeed } from "../../../src/jobs/gateway/core/dataplane/packet-marks.ts";
import { bucketCounts } from "../../../src/jobs/gateway/core/model/document.ts";
import { describeLab, labNft } from "../../lab.ts";
import { makeNftNamespace, type NftNamespace } from "./nft-namespace.ts";

const several = bucketCounts.filter((count) => count > 1);

/** Notes for each source port its bucket in the largest table, and in each smaller one. */
const rules = [
  "table ip probe {",
  ...several.map((count) => `set in_${count} { type inet_service . mark; size 65536; flags dynamic; }`),
  "chain out {",
  "type filter hook output priority 0;",
  ...several.flatMap((count) => [
    `meta l4proto udp meta mark set jhash ip saddr . th sport mod ${count} seed ${bucketSeed}`,
    `meta l4proto udp add @in_${count} { udp sport . meta mark }`,
  ]),
  "}",
  "}",
  "",
].join("\n");

const sendFromManyPorts = `
  const dgram = require("node:dgram");
  for (let port = 20000; port < 20100; port += 1) {
    const socket = dgram.createSocket("udp4");
    socket.on("error", () => {});
    socket.bind(port, "127.0.0.1", () => socket.send("x", 9, "127.0.0.1", () => socket.close()));
  }
`;

describeLab("the kernel's hash", labNft, () => {
  let kernel: NftNamespace;
  beforeAll(async () => {
    kernel = await makeNftNamespace();
  });
  afterAll(() => kernel.remove());

  test("a bucket of a small table is a run of neighbouring buckets of a larger one", async () => {
    await kernel.run("ip", ["link", "set", "lo", "up"]);
    await kernel.nft(["-f", "-"], rules);
    await kernel.run(process.execPath, ["-e", sendFromManyPorts]);
    const bucketsIn = async (count: number) => {
      const listing = await kernel.nft(["-n", "list", "set", "ip", "probe", `in_${count}`]);
      return [...listing.matchAll(/(\d+) \. (0x[0-9a-f]+)/g)].map(([, port, mark]) => [port, Number(mark)] as const);
    };
    const largest = Math.max(...several);
    const reference = new Map(await bucketsIn(largest));
    expect(reference.size).toBe(100);
    expect(new Set(reference.values()).size).toBeGreaterThan(50);
    for (const count of several) {
      for (const [port, bucket] of await bucketsIn(count)) {
        const expected = Math.floor(((reference.get(port) ?? -1) * count) / largest);
        expect({ count, port, bucket }).toEqual({ count, port, bucket: expected });
      }
    }
  });
});
