import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SelfSigned, selfSigned } from "../../../test/contract/kube/self-signed.ts";
import { namespaces } from "../../apis/kube/builtin-kinds.ts";
import { systemClock } from "../system/system-clock.ts";
import { kubeClient } from "./client.ts";
import type { ClientCertificate, Trust } from "./kubeconfig/connection.ts";
import { undiciTransport } from "./undici-transport.ts";

const identity = selfSigned();
let port = 0;
let stop = () => {};

/** Answers with the fingerprint of the client's certificate as the object's name. */
beforeAll(async () => {
  const options = { cert: identity.certificate, key: identity.key, requestCert: true, rejectUnauthorized: false };
  const server = createServer(options, (request, response) => {
    const { fingerprint256 } = (request.socket as TLSSocket).getPeerCertificate();
    response.end(JSON.stringify({ metadata: { name: fingerprint256 ?? "nobody" } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
  stop = () => {
    server.closeAllConnections();
    server.close();
  };
});
afterAll(() => stop());

interface World {
  trust: Trust;
  certificate?: ClientCertificate;
}

function connect(world: World, host = "127.0.0.1") {
  const transport = undiciTransport({
    connection: {
      server: `https://${host}:${port}`,
      trust: async () => world.trust,
      namespace: "default",
      credentials: {
        current: async () => ({
          headers: {},
          ...(world.certificate === undefined ? {} : { certificate: world.certificate }),
        }),
        refresh: async () => false,
      },
    },
  });
  const kube = kubeClient({ transport, clock: systemClock });
  return { transport, whoami: async () => (await kube.get(namespaces, { name: "x" })).metadata.name };
}

const trusting = (authority: SelfSigned): Trust => ({ insecure: false, authorities: authority.certificate });

describe("TLS", () => {
  it("accepts the server that the named authority signed", async () => {
    const { transport, whoami } = connect({ trust: trusting(identity) });
    expect(await whoami()).toBe("nobody");
    await transport.close();
  });

  it("refuses another authority's server and says where to look", async () => {
    const { transport, whoami } = connect({ trust: trusting(selfSigned()) });
    await expect(whoami()).rejects.toMatchObject({
      code: "Unreachable",
      hint: expect.stringContaining("certificate-authority"),
    });
    await transport.close();
  });

  it("refuses a certificate for another name and says what to set", async () => {
    const { transport, whoami } = connect({ trust: trusting(identity) }, "localhost");
    await expect(whoami()).rejects.toMatchObject({
      code: "Unreachable",
      hint: expect.stringContaining("tls-server-name"),
    });
    await transport.close();
  });

  it("expects the name that it was told, not the address's", async () => {
    const trust = { ...trusting(identity), serverName: "another.example" };
    const { transport, whoami } = connect({ trust });
    await expect(whoami()).rejects.toMatchObject({
      code: "Unreachable",
      hint: expect.stringContaining("tls-server-name"),
    });
    await transport.close();
  });

  it("accepts anybody when told not to look", async () => {
    const { transport, whoami } = connect({ trust: { insecure: true } }, "localhost");
    expect(await whoami()).toBe("nobody");
    await transport.close();
  });

  it("presents the client certificate, and another one after it was replaced", async () => {
    const present = ({ certificate, key }: SelfSigned) => ({ certificate, key });
    const world: World = { trust: trusting(identity), certificate: present(selfSigned()) };
    const { transport, whoami } = connect(world);
    const first = await whoami();
    expect(await whoami()).toBe(first);
    world.certificate = present(selfSigned());
    const second = await whoami();
    expect(new Set([first, second, "nobody"]).size).toBe(3);
    await transport.close();
  });

  it("follows an authority that rotates", async () => {
    const world: World = { trust: trusting(selfSigned()) };
    const { transport, whoami } = connect(world);
    await expect(whoami()).rejects.toMatchObject({ code: "Unreachable" });
    world.trust = trusting(identity);
    expect(await whoami()).toBe("nobody");
    await transport.close();
  });
});
