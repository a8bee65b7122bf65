import { describe, expect, test } from "vitest";
import { healthApp, startHealthServer } from "./health.ts";

const app = (ready: boolean, missing: readonly string[] = []) =>
  healthApp({ readiness: () => ({ ready, missing }), metrics: () => Promise.resolve("mainstay_build_info 1\n") });

describe("the health endpoints", () => {
  test("say that the process lives", async () => {
    const answer = await app(false).inject("/healthz");
    expect([answer.statusCode, answer.body]).toEqual([200, "ok\n"]);
  });

  test("say in words what is missing", async () => {
    const answer = await app(false, ["widgets.example.com: not served"]).inject("/readyz");
    expect([answer.statusCode, answer.body]).toEqual([503, "not ready\n- widgets.example.com: not served\n"]);
  });

  test("are ready although something optional is missing, and show it", async () => {
    const answer = await app(true, ["widgets: not served (optional)"]).inject("/readyz");
    expect([answer.statusCode, answer.body]).toEqual([200, "ok\n- widgets: not served (optional)\n"]);
  });

  test("serve the numbers in the format Prometheus reads", async () => {
    const answer = await app(true).inject("/metrics");
    expect(answer.headers["content-type"]).toContain("version=0.0.4");
    expect(answer.body).toBe("mainstay_build_info 1\n");
  });

  test("answer nothing else", async () => {
    expect((await app(true).inject("/")).statusCode).toBe(404);
    expect((await app(true).inject({ url: "/healthz", method: "POST" })).statusCode).toBe(404);
  });

  test("listen where they are told to, and stop", async () => {
    const server = await startHealthServer({
      bind: "127.0.0.1",
      port: 0,
      readiness: () => ({ ready: true, missing: [] }),
      metrics: () => Promise.resolve(""),
    });
    expect(await (await fetch(`${server.address}/readyz`)).text()).toBe("ok\n");
    const taken = { bind: "127.0.0.1", port: Number(new URL(server.address).port) };
    await expect(
      startHealthServer({
        ...taken,
        readiness: () => ({ ready: true, missing: [] }),
        metrics: () => Promise.resolve(""),
      }),
    ).rejects.toMatchObject({
      reason: "ConfigurationInvalid",
      message: `health: cannot listen on 127.0.0.1:${taken.port}: EADDRINUSE`,
    });
    await server.close();
    await expect(fetch(`${server.address}/readyz`)).rejects.toThrow("fetch failed");
  });
});
