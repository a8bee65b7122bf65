// What a controller may expect of the agents of gateways, over memory and over a socket: one suite, the same real agent at the other end.

import { afterEach, describe, expect, test } from "vitest";
import { undiciGatewayFeed } from "../../../src/drivers/gateway-feed/undici-gateway-feed.ts";
import { listenHttp } from "../../../src/drivers/http/http-listener.ts";
import { hmacTokens } from "../../../src/drivers/system/hmac-tokens.ts";
import { systemClock } from "../../../src/drivers/system/system-clock.ts";
import { type FeedParts, GatewayClient } from "../../../src/jobs/gateway/controller/feed/gateway-client.ts";
import { documentDelta } from "../../../src/jobs/gateway/core/delta/document-delta.ts";
import { type FakeAgent, startFakeAgent } from "../../../src/jobs/gateway/sim/fake-agent.ts";
import { FakeGatewayFeed } from "../../../src/jobs/gateway/sim/fake-gateway-feed.ts";
import { sampleDocument, sampleForwarding } from "../../../src/jobs/gateway/sim/sample-document.ts";
import type { GatewayFeed } from "../../../src/ports/gateway-feed.ts";
import type { HttpService } from "../../../src/ports/http-service.ts";
import { seededRandom } from "../../../src/sim/time/seeded-random.ts";
import { quietLog } from "../../support/quiet-log.ts";

const key = new TextEncoder().encode("a-secret-of-both-sides");
const clock = systemClock;

/** A way to a service: how it is opened, and where. */
interface Way {
  readonly open: (service: HttpService) => Promise<{ readonly feed: GatewayFeed; readonly url: string }>;
}

let closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.toReversed()) await close();
  closing = [];
});

const ways: Readonly<Record<string, Way>> = {
  "in memory": {
    open: async (service) => {
      const feed = new FakeGatewayFeed();
      feed.agents.set("http://gw1", service);
      return { feed, url: "http://gw1" };
    },
  },
  "over a socket": {
    open: async (service) => {
      const listener = await listenHttp({ bind: "127.0.0.1", port: 0, service });
      const feed = undiciGatewayFeed({ clock });
      closing.push(
        () => listener.close(),
        () => feed.close(),
      );
      return { feed, url: `http://127.0.0.1:${listener.port}` };
    },
  },
};

describe.each(Object.entries(ways))("the feed %s", (_, way) => {
  let fake: FakeAgent;
  let parts: FeedParts;
  let url: string;

  async function open(tokenKey: Uint8Array = key): Promise<GatewayClient> {
    fake = await startFakeAgent({ name: "gw1", key, clock, log: quietLog(), tokens: hmacTokens });
    const opened = await way.open(fake.service);
    closing.push(() => fake.agent.stop());
    parts = { feed: opened.feed, tokens: hmacTokens, clock, random: seededRandom(3) };
    url = opened.url;
    return clientWith(tokenKey);
  }

  const clientWith = (tokenKey: Uint8Array) =>
    new GatewayClient(parts, { gateway: "gw1", url, access: { tls: {}, tokenKey } });

  test("says what the agent is, and that it carries nothing yet", async () => {
    const client = await open();
    expect(await client.capabilities({})).toMatchObject({
      kind: "answered",
      value: { agent: "1", features: expect.arrayContaining(["v2", "delta"]) },
    });
    expect(await client.document({})).toEqual({ kind: "answered", value: undefined });
    const status = await client.status({});
    expect(status).toMatchObject({ kind: "answered", value: { name: "gw1", problems: [] } });
    expect(status.kind === "answered" && status.value.carries).toBe(undefined);
  });

  test("brings a document, and brings it back to the letter", async () => {
    const client = await open();
    const document = sampleDocument();
    expect(await client.push(document, {})).toEqual({ kind: "carried", version: document.version, problems: [] });
    expect(await client.document({})).toEqual({ kind: "answered", value: document });
    expect(await client.status({})).toMatchObject({ value: { carries: document.version, ready: true } });
    expect(fake.gateway.rules).toEqual(document);
  });

  test("brings a change, and says when its base is another", async () => {
    const client = await open();
    const before = sampleDocument();
    const more = [sampleForwarding(), sampleForwarding({ port: 443 })];
    const after = sampleDocument({ version: { epoch: 1, generation: 2 }, forwardings: more });
    const delta = documentDelta(before, after);
    expect(await client.push(delta, {})).toMatchObject({ kind: "refused", why: "wrong-base" });
    await client.push(before, {});
    expect(await client.push(delta, {})).toMatchObject({ kind: "carried", version: after.version });
    expect(fake.gateway.rules?.forwardings).toHaveLength(2);
  });

  test("says that a document is older than what is carried, and what that is", async () => {
    const client = await open();
    await client.push(sampleDocument({ version: { epoch: 2, generation: 1 } }), {});
    const answer = await client.push(sampleDocument({ version: { epoch: 1, generation: 9 } }), {});
    expect(answer).toMatchObject({ kind: "refused", why: "older", carries: { epoch: 2, generation: 1 } });
  });

  test("names what of a document is not carried, and for which Service", async () => {
    const client = await open();
    const bad = sampleForwarding({ port: 81, service: "default/bad", endpoints: [{ address: "127.0.0.1", port: 1 }] });
    const answer = await client.push(sampleDocument({ forwardings: [sampleForwarding(), bad] }), {});
    const problem = { subject: "198.18.0.100/TCP/81", service: "default/bad", message: "loopback" };
    expect(answer).toMatchObject({ kind: "carried", problems: [problem] });
  });

  test("tells a document that could not be applied from one that was refused", async () => {
    const client = await open();
    const broken = sampleForwarding({ service: "broken/rules" });
    expect(await client.push(sampleDocument({ forwardings: [broken] }), {})).toMatchObject({ kind: "failed" });
  });

  test("says that a key is not the agent's", async () => {
    const client = await open(new TextEncoder().encode("another-secret-altogether"));
    expect(await client.status({})).toMatchObject({ kind: "unauthorised" });
    expect(await client.push(sampleDocument(), {})).toMatchObject({ kind: "unauthorised" });
    expect(fake.gateway.rules).toBe(undefined);
  });

  test("sends no document once the lease has run out", async () => {
    const client = await open();
    const ended = client.push(sampleDocument(), { fence: { remainingMs: () => 0 } });
    await ended.then(
      (answer) => expect(answer.kind).toBe("silent"),
      (error: unknown) => expect(error).toMatchObject({ reason: "LeadershipLost" }),
    );
    expect(fake.gateway.rules).toBe(undefined);
  });

  test("speaks to an agent of ch-k8s-lbaas in its own words", async () => {
    const client = await open();
    const sctp = sampleForwarding({ protocol: "SCTP", port: 9 });
    const document = sampleDocument({ forwardings: [sampleForwarding(), sctp] });
    expect(await client.pushV1(document, {})).toEqual({
      kind: "carried",
      version: document.version,
      problems: [expect.objectContaining({ subject: "198.18.0.100/SCTP/9" })],
    });
    const [forwarding, ...more] = fake.gateway.rules?.forwardings ?? [];
    expect(more).toEqual([]);
    expect(forwarding).toMatchObject({ address: "198.18.0.100", port: 80, endpoints: sampleForwarding().endpoints });
  });

  test("says that nobody answers", async () => {
    await open();
    const nobody = new GatewayClient(parts, {
      gateway: "gw2",
      url: "http://127.0.0.1:9",
      access: { tls: {}, tokenKey: key },
    });
    expect(await nobody.status({})).toMatchObject({ kind: "silent" });
  });
});

test("an agent without /v2 is one of ch-k8s-lbaas", async () => {
  const feed = new FakeGatewayFeed();
  feed.agents.set("http://old", async () => ({ status: 404, headers: {}, body: "" }));
  const parts = { feed, tokens: hmacTokens, clock, random: seededRandom(3) };
  const client = new GatewayClient(parts, { gateway: "old", url: "http://old", access: { tls: {}, tokenKey: key } });
  expect(await client.capabilities({})).toEqual({ kind: "answered", value: "v1" });
});
