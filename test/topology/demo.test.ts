import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { startDemo } from "./running-demo.ts";

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
