// What may go wrong on a gateway without it being dead: its agent hangs, its disk is full, its journal is damaged. Clients notice nothing.

import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { until } from "../lab/until.ts";
import { describeLab, labGateway } from "../lab.ts";
import { forwarding, GatewayWorld, usual, usualWith } from "./gateway-world.ts";
import { endpoints } from "./topology.ts";

const run = promisify(execFile);

describeLab("a gateway in trouble", labGateway, () => {
  let world: GatewayWorld;
  const first = () => world.topology.gateways[0];
  const onlyB2 = usualWith(forwarding({ endpoints: [endpoints.four[1]], buckets: [0] }));
  beforeAll(async () => {
    world = await GatewayWorld.make();
    await mkdir(first().folder, { recursive: true });
    await run("mount", ["-t", "tmpfs", "-o", "size=512k,mode=700", "mainstay-test", first().folder]);
    await Promise.all(world.topology.gateways.map((gateway) => gateway.start()));
    await world.carry(usual);
    await world.open(12);
  });
  afterAll(async () => {
    await run("umount", ["--lazy", first().folder]).catch(() => {});
    await world?.topology.remove();
  });

  test("whose agent hangs goes on, hands over when its links are lost, and takes documents again when the agent wakes", async () => {
    first().freezeAgent(true);
    expect(await world.heard()).toEqual(world.allHeard);
    await world.owned("gw1");
    await first().cut(true);
    await world.owned("gw2");
    expect(await world.heard()).toEqual(world.allHeard);
    await first().cut(false);
    await world.owned("gw1");
    expect(await world.reach()).toMatch(/^b[12]$/);
    first().freezeAgent(false);
    await world.carry(usual);
    expect(await world.heard()).toEqual(world.allHeard);
  });

  describe("whose disk is full", () => {
    const filler = () => join(first().folder, "filler");
    beforeAll(async () => {
      await run("dd", ["if=/dev/zero", `of=${filler()}`, "bs=4096"]).catch(() => {});
    });

    test("follows endpoints all the same, and says that it would not remember them", async () => {
      // The journal's last block has room for a few lines more.
      const problems = await until("the journal not to be written", async () => {
        await world.carry(usual);
        await world.carry(onlyB2);
        const status = await first().status();
        return status.problems.length > 0 && status.problems;
      });
      expect(problems).toMatchObject([{ subject: "journal" }]);
      for (let count = 0; count < 10; count += 1) expect(await world.reach()).toBe("b2");
    });

    test("refuses what it cannot do, and goes on with what it carries", async () => {
      const added = "198.18.0.101";
      const answer = await first().put(world.document([...usual, forwarding({ address: added })]));
      expect(answer.status).toBe(500);
      expect(await world.topology.owners(added)).toEqual([]);
      await world.owned("gw1");
      expect(await world.reach()).toMatch(/^b[12]$/);
    });

    test("remembers again when there is room", async () => {
      await rm(filler());
      const document = await world.carry(onlyB2);
      expect((await first().status()).problems).toEqual([]);
      await first().killAgent();
      await world.startAgain(first());
      expect((await first().status()).carries).toEqual(document.version);
    });
  });

  test("whose journal is damaged serves what its kernel knows until it is told again, and says so", async () => {
    await world.carry(onlyB2);
    await first().killAgent();
    const journal = join(first().folder, "journal");
    const text = await readFile(journal, "utf8");
    await writeFile(journal, `x${text.slice(1)}`);
    await first().start();
    expect(await readdir(first().folder)).toContain("journal");
    expect((await first().status()).problems).toMatchObject([{ subject: "journal" }]);
    for (let count = 0; count < 5; count += 1) expect(await world.reach()).toBe("b2");
    await world.carry(usual);
    await until("the journal to be whole", async () => (await first().status()).problems.length === 0);
    await world.owned("gw1");
    expect(await world.reach()).toMatch(/^b[12]$/);
  });
});
