// The lab's name server as tests use it.

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { describeLab, labDns, probeDns } from "../../lab.ts";
import { bindServer } from "./name-server.ts";

const run = promisify(execFile);

test("a name server that was never started, or does not answer, is missing with the command that brings it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "mainstay-no-dns-"));
  const how = "make lab";
  expect(await probeDns(folder)).toEqual({ available: false, why: "the DNS lab has never been started", how });
  writeFileSync(join(folder, "settings"), "DNS_PORT=1\nDNS_ZONE=lab.test\n");
  expect(await probeDns(folder)).toMatchObject({
    available: false,
    why: expect.stringContaining("does not answer"),
    how,
  });
  rmSync(folder, { recursive: true });
});

describeLab("BIND in the lab", labDns, (lab) => {
  const server = bindServer(lab);
  const name = `name-server-test-${process.pid}.${lab.zone}`;
  const line = (address: string) => [`${name}.`, 30, "IN", "A", address].join("\t");

  test("takes a new set of addresses in the place of the old one, and none", async () => {
    await server.replace(name, [line("127.0.113.1"), line("127.0.113.2")]);
    expect((await server.resolve(name)).toSorted()).toEqual(["127.0.113.1", "127.0.113.2"]);
    await server.replace(name, [line("127.0.113.3")]);
    expect(await server.resolve(name)).toEqual(["127.0.113.3"]);
    await server.replace(name, []);
    await expect(server.resolve(name)).rejects.toMatchObject({ code: "ENOTFOUND" });
  });

  test("takes nothing that is not signed with its key", async () => {
    const folder = mkdtempSync(join(tmpdir(), "mainstay-no-key-"));
    const script = join(folder, "update");
    writeFileSync(
      script,
      `server ${lab.server} ${lab.port}\nzone ${lab.zone}\nupdate add ${line("127.0.113.1")}\nsend\n`,
    );
    await expect(run("nsupdate", [script])).rejects.toThrow(/REFUSED/);
    rmSync(folder, { recursive: true });
    await expect(server.resolve(name)).rejects.toMatchObject({ code: "ENOTFOUND" });
  });

  test("is up once and stays; one of one's own comes beside it, and goes alone", { timeout: 60_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "mainstay-dns-"));
    const scripts = join(import.meta.dirname, "..", "..", "..", "lab", "dns");
    const env = { ...process.env, RUN: folder, ZONE: "mine.test", PORT: String(lab.port) };
    try {
      await run(join(scripts, "up.sh"), { env });
      const mine = await probeDns(folder);
      expect(mine).toMatchObject({ available: true, zone: "mine.test" });
      expect(mine.available && mine.port !== lab.port).toBe(true);
      expect((await run(join(scripts, "up.sh"), { env })).stderr).toContain("already up");
    } finally {
      await run(join(scripts, "down.sh"), { env: { ...env, PURGE: "1" } });
    }
    expect(await probeDns(folder)).toMatchObject({ available: false });
    await server.replace(name, []);
  });
});
