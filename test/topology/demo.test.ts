import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startDemo } from "../demo/running-demo.ts";
import { eventually } from "./world.ts";

test("runs until Ctrl-C and leaves nothing behind", async () => {
  const demo = await startDemo();
  expect(existsSync(demo.kubeconfig)).toBe(true);
  expect((await fetch(`${demo.url}/version`)).status).toBe(200);
  expect(await demo.stop()).toBe(0);
  expect(existsSync(dirname(demo.kubeconfig))).toBe(false);
  await expect(fetch(`${demo.url}/version`)).rejects.toThrow("fetch failed");
});

test("takes the next port when one is taken", async () => {
  const squatter = createServer();
  await new Promise<void>((resolve) => squatter.listen(0, "127.0.0.1", resolve));
  const address = squatter.address();
  const taken = typeof address === "object" && address !== null ? address.port : 0;
  const demo = await startDemo(["--port", String(taken)]);
  try {
    expect(Number(new URL(demo.url).port)).toBeGreaterThan(taken);
  } finally {
    await demo.stop();
    squatter.close();
  }
});

describe("as a process with a temporary folder of its own", () => {
  let temporary = "";
  beforeEach(() => {
    temporary = mkdtempSync(join(tmpdir(), "mainstay-demo-test-"));
  });
  afterEach(() => rmSync(temporary, { recursive: true, force: true }));

  const start = (...args: readonly string[]) => {
    const program = join(import.meta.dirname, "..", "..", "src", "bin", "mainstay.ts");
    // No kubectl, nothing at all but Node: it is a thing to try in another terminal, and not needed here.
    const env = { TMPDIR: temporary, PATH: "" };
    const child = spawn(process.execPath, [program, "demo", "--port", "0", ...args], { env });
    let out = "";
    child.stdout.on("data", (chunk: Buffer) => {
      out += chunk.toString("utf8");
    });
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    return { child, ended, out: () => out };
  };

  test("checks itself, says so and ends, without any other program", async () => {
    const { ended, out } = start("--check");
    expect(await ended).toBe(0);
    expect(out()).toMatch(/Infrastructure\/cluster +healthy/);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "leaves nothing behind when %s comes before it is ready",
    async (signal) => {
      const { child, ended } = start();
      await eventually(async () => expect(readdirSync(temporary)).toHaveLength(1), 60_000);
      child.kill(signal);
      expect(await ended).toBe(0);
      expect(readdirSync(temporary)).toEqual([]);
    },
  );
});
