// The webhooks on a socket: TLS from the configuration, and certificates that are replaced while the process runs.

import { connect } from "node:tls";
import { describe, expect, test } from "vitest";
import { allJobs } from "../../src/jobs/all.ts";
import { startWebhookServer } from "../../src/server/webhooks/webhook-server.ts";
import { selfSigned } from "../contract/kube/self-signed.ts";
import { quietLog } from "../support/quiet-log.ts";

function accepts(address: string, authority: string): Promise<boolean> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), ca: authority }, () => {
      socket.end();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}

describe("the webhook server", () => {
  test("shows the certificate it was given, and a renewed one from the next connection on", async () => {
    const [first, second] = [selfSigned(), selfSigned()];
    const options = { bind: "127.0.0.1", port: 0, log: quietLog(), jobs: allJobs };
    const server = await startWebhookServer({ ...options, tls: { key: first.key, cert: first.certificate } });
    expect(await accepts(server.address, first.certificate)).toBe(true);
    expect(await accepts(server.address, second.certificate)).toBe(false);
    server.renew({ key: second.key, cert: second.certificate });
    expect(await accepts(server.address, second.certificate)).toBe(true);
    const taken = { ...options, port: Number(new URL(server.address).port) };
    await expect(
      startWebhookServer({ ...taken, tls: { key: first.key, cert: first.certificate } }),
    ).rejects.toMatchObject({
      reason: "ConfigurationInvalid",
      message: `webhook: cannot listen on 127.0.0.1:${taken.port}: EADDRINUSE`,
    });
    await server.close();
    expect(await accepts(server.address, second.certificate)).toBe(false);
  });
});
