// The contract suite of keepalived on the fake and on the real program, and what only the real one does: it dies, and it outlives the agent.

import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { linuxKeepalived } from "../../../src/drivers/linux/keepalived.ts";
import { systemClock } from "../../../src/drivers/system/system-clock.ts";
import { FakeGateway } from "../../../src/jobs/gateway/sim/fake-gateway.ts";
import { describeLab, labGateway } from "../../lab.ts";
import { quietLog } from "../../support/quiet-log.ts";
import { configurationOf, type KeepalivedTarget, keepalivedContract, one, other } from "./keepalived.contract.ts";
import { type KeepalivedNamespace, makeKeepalivedNamespace } from "./keepalived-namespace.ts";

const fake: KeepalivedTarget = {
  open: () => {
    const gateway = new FakeGateway();
    return Promise.resolve({
      keepalived: gateway.keepalived,
      readyFile: "/run/mainstay/ready",
      announced: () => Promise.resolve(gateway.announced),
      isReady: () => Promise.resolve(gateway.isReady),
      process: () => Promise.resolve(String(gateway.isRunning)),
      close: () => Promise.resolve(),
    });
  },
};

const real: KeepalivedTarget = {
  async open() {
    const world = await makeKeepalivedNamespace();
    const keepalived = world.driver();
    return {
      keepalived,
      readyFile: keepalived.readyFile,
      announced: () => world.addresses(),
      isReady: async () => (await effectivePriority(world)) === 250,
      process: async () => String(await world.pids()),
      close: () => world.remove(),
    };
  },
};

/** As keepalived wrote it when it was last asked for its state. */
async function effectivePriority(world: KeepalivedNamespace): Promise<number | undefined> {
  await world.driver().state();
  const dump = await readFile(join(world.folder, "keepalived.json"), "utf8");
  return Number(/"effective_priority":(\d+)/.exec(dump)?.[1]);
}

describe("keepalived contract on the fake", () => keepalivedContract(fake));

describeLab("keepalived contract on the real program", labGateway, () => keepalivedContract(real));

describeLab("keepalived", labGateway, () => {
  let world: KeepalivedNamespace;
  beforeAll(async () => {
    world = await makeKeepalivedNamespace();
  });
  afterAll(() => world.remove());
  const announces = async (...addresses: readonly string[]) => {
    await expect.poll(() => world.addresses()).toEqual(addresses);
  };

  test("that runs without another gateway beside it leads", async () => {
    const driver = world.driver();
    await driver.use(configurationOf(driver.readyFile, [one]));
    await expect.poll(() => driver.state()).toEqual({ running: true, roles: new Map([["a", "master"]]) });
    driver.release();
  });

  test("of an earlier process of the agent is taken over: it goes on, and reads what is new", async () => {
    const before = await world.pids();
    const next = world.driver();
    expect(await next.state()).toMatchObject({ running: true });
    await next.use(configurationOf(next.readyFile, [one]));
    expect(await world.pids()).toEqual(before);
    await next.use(configurationOf(next.readyFile, [one, other]));
    await announces(one, other);
    expect(await world.pids()).toEqual(before);
    next.release();
  });

  test("whose configuration was written by an agent that died before it said so reads it now", async () => {
    const next = world.driver();
    const configuration = configurationOf(next.readyFile, [other]);
    await writeFile(join(world.folder, "keepalived.conf"), configuration);
    await next.use(configuration);
    await announces(other);
    next.release();
  });

  test("that reads an equal configuration is not told to read it again", async () => {
    const next = world.driver();
    const lines = world.log.lines.length;
    await next.use(configurationOf(next.readyFile, [other]));
    expect(world.log.lines.slice(lines)).toEqual([]);
    next.release();
  });

  test.each(["its first process", "both of its processes"])("of which %s is killed is started again", async (which) => {
    const driver = world.driver();
    await driver.use(configurationOf(driver.readyFile, [one]));
    await announces(one);
    const before = await world.pids();
    for (const pid of which.startsWith("both") ? before.toReversed() : before.slice(0, 1)) process.kill(pid, "SIGKILL");
    await expect.poll(async () => (await driver.state()).running && (await world.pids())[0] !== before[0]).toBe(true);
    await announces(one);
    driver.release();
  });

  test("that was killed while no agent ran leaves no address behind that the next configuration does not have", async () => {
    const [parent = 0, half = 0] = await world.pids();
    for (const pid of [half, parent]) process.kill(pid, "SIGKILL");
    const next = world.driver();
    await expect.poll(async () => (await next.state()).running).toBe(false);
    await next.use(configurationOf(next.readyFile, [other]));
    await announces(other);
    next.release();
  });

  test("is not taken for a process that got its number", async () => {
    const next = world.driver();
    await next.stop();
    await appendFile(join(world.folder, "keepalived.pid"), `${process.pid}\n`);
    expect(await next.state()).toMatchObject({ running: false });
    await next.use(configurationOf(next.readyFile, [one]));
    await announces(one);
  });
});

test("without the program, the error names the package that brings it", async () => {
  const driver = linuxKeepalived({
    folder: "/tmp/mainstay-no-keepalived",
    readyValue: 150,
    clock: systemClock,
    log: quietLog(),
    command: ["/nowhere/keepalived"],
  });
  await expect(driver.version()).rejects.toMatchObject({
    reason: "ProgramMissing",
    hint: expect.stringContaining("apt-get install keepalived"),
  });
});
