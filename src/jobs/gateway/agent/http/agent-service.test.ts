import { beforeEach, describe, expect, test } from "vitest";
import { quietLog } from "../../../../../test/support/quiet-log.ts";
import { VirtualClock } from "../../../../../test/support/virtual-clock.ts";
import { hmacTokens } from "../../../../drivers/system/hmac-tokens.ts";
import type { HttpQuestion, HttpService } from "../../../../ports/http-service.ts";
import type { HmacAlgorithm } from "../../../../ports/tokens.ts";
import { fakeDataplane } from "../../sim/fake-dataplane.ts";
import { FakeGateway } from "../../sim/fake-gateway.ts";
import { sampleDocument, sampleForwarding, sampleLocal } from "../../sim/sample-document.ts";
import { GatewayAgent } from "../gateway-agent.ts";
import { agentService } from "./agent-service.ts";

const key = Buffer.from("a-secret-of-both-sides");
const limit = 10_000;
let gateway: FakeGateway;
let clock: VirtualClock;
let log: ReturnType<typeof quietLog>;
let service: HttpService;
let made = 0;

beforeEach(async () => {
  await serve();
});

async function serve({ certificateNames = [] as readonly string[], expiry = "beyond-loopback" as const } = {}) {
  gateway = new FakeGateway();
  clock = new VirtualClock();
  log = quietLog();
  const { nft, keepalived, conntrack, journal } = gateway;
  const agent = new GatewayAgent({
    nft,
    keepalived,
    conntrack,
    journal,
    clock,
    log,
    local: sampleLocal(),
    settings: { readyFile: "/run/ready", compat: { password: "useless" } },
    dataplane: fakeDataplane,
    random: { next: () => 1, uuid: () => "" },
    lbaas: { virtualRouterId: 7, announces: true, hidesClients: true, sourceAddresses: [] },
    versions: { agent: "1", kernel: "6" },
  });
  await agent.start();
  service = agentService({
    agent,
    clock,
    log,
    dataplane: fakeDataplane,
    gateway: "gw1",
    tokens: hmacTokens,
    access: { key, certificateNames },
    v1: { key, expiry, maxBytes: limit },
    maxBytes: limit,
  });
}

const seconds = () => Math.floor(clock.nowMs() / 1_000);

async function ask(question: Partial<Omit<HttpQuestion, "body">> & { readonly body?: string | Error }) {
  const { body = "", ...rest } = question;
  async function* chunks() {
    if (body instanceof Error) throw body;
    const bytes = Buffer.from(body);
    for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
  }
  const peer = { isLoopback: false };
  return await service({ method: "GET", path: "/", headers: {}, peer, ...rest, body: chunks() });
}

describe("POST /v1/apply, as a controller of ch-k8s-lbaas knows it", () => {
  const forward = {
    protocol: "TCP",
    "inbound-port": 80,
    "destination-port": 30_080,
    "destination-addresses": ["10.0.0.1", "10.0.0.2"],
    policy: "",
  };
  const config = {
    ingress: [{ address: "198.18.0.100", ports: [forward] }],
    "network-policies": null,
    "policy-assignments": null,
  };
  const claims = (load: unknown = config) => ({ "load-balancer-config": load, exp: seconds() + 15 });

  async function post(
    body: string | Error,
    headers: Readonly<Record<string, string | undefined>> = {},
    more: Partial<HttpQuestion> = {},
  ) {
    const length = body instanceof Error ? 100 : Buffer.byteLength(body);
    const given = { "content-type": "application/jwt", "content-length": String(length), ...headers };
    const {
      status,
      body: text,
      headers: answered,
    } = await ask({ method: "POST", path: "/v1/apply", ...more, headers: given, body });
    return { status, text, type: answered["content-type"], allow: answered["allow"] };
  }

  const signed = (value: object, algorithm: HmacAlgorithm = "HS256") => hmacTokens.sign({ ...value }, key, algorithm);
  const quietly = (status: number) => ({ status, text: "", type: undefined, allow: undefined });

  test.each([
    ["another method", 405, { method: "GET" }, {}],
    ["another method, whatever else", 405, { method: "PUT" }, { "content-type": undefined }],
    ["no content type", 400, {}, { "content-type": undefined }],
    ["a content type that is none", 400, {}, { "content-type": "application/jwt; =" }],
    ["another content type", 415, {}, { "content-type": "application/json" }],
    ["no length", 400, {}, { "content-length": undefined }],
    ["a length that is no number", 400, {}, { "content-length": "ten" }],
    ["a length beyond an integer", 400, {}, { "content-length": "2147483648" }],
    ["a length beyond the limit", 413, {}, { "content-length": String(limit + 1) }],
  ])("%s: %i without a word", async (_, status, question, headers) => {
    expect(await post(signed(claims()), headers, question)).toEqual(quietly(status));
    expect(gateway.rules).toBeUndefined();
  });

  test("the content type may have parameters and any case, and a line break may follow the token", async () => {
    expect(await post(`${signed(claims())}\n`, { "content-type": "Application/JWT; charset=utf-8" })).toEqual({
      status: 200,
      text: "success",
      type: "text/plain; charset=utf-8",
      allow: undefined,
    });
  });

  test("a body that ends early: 400 without a word", async () => {
    expect(await post(new Error("aborted"))).toEqual(quietly(400));
  });

  test.each<readonly [string, () => string, number]>([
    ["HS384", () => signed(claims(), "HS384"), 200],
    ["HS512", () => signed(claims(), "HS512"), 200],
    ["another key", () => hmacTokens.sign(claims(), Buffer.from("another"), "HS256"), 400],
    ["no token", () => "hello", 400],
    ["expired now", () => signed({ ...claims(), exp: seconds() }), 200],
    ["expired a minute ago", () => signed({ ...claims(), exp: seconds() - 60 }), 400],
    ["an expiry that is a text", () => signed({ ...claims(), exp: String(seconds() + 10) }), 400],
    ["an expiry with a fraction", () => signed({ ...claims(), exp: seconds() + 10.5 }), 400],
    ["an audience that is a list", () => signed({ ...claims(), aud: ["a"] }), 400],
    ["an audience", () => signed({ ...claims(), aud: "a" }), 200],
    ["not before a minute from now", () => signed({ ...claims(), nbf: seconds() + 60 }), 400],
    ["issued a minute from now", () => signed({ ...claims(), iat: seconds() + 60 }), 400],
    ["no expiry, from elsewhere", () => signed({ "load-balancer-config": config }), 400],
  ])("a token with %s", async (_, token, status) => {
    expect(await post(token())).toMatchObject({ status, text: status === 200 ? "success" : "" });
  });

  test("a token that never expires is accepted from the gateway itself, and from elsewhere where that is allowed", async () => {
    const token = signed({ "load-balancer-config": config });
    expect(await post(token, {}, { peer: { isLoopback: true } })).toMatchObject({ status: 200 });
    await serve({ expiry: "optional" as never });
    expect(await post(token)).toMatchObject({ status: 200 });
  });

  test.each<readonly [string, unknown]>([
    ["a port that is a text", { ingress: [{ address: "198.18.0.1", ports: [{ ...forward, "inbound-port": "80" }] }] }],
    ["a list that is none", { ingress: {} }],
    ["an address that is a number", { ingress: [{ address: 3 }] }],
    ["a configuration that is a text", "x"],
  ])("a wrong type (%s): 400 without a word", async (_, load) => {
    expect(await post(signed(claims(load)))).toEqual(quietly(400));
  });

  test("wrong values: 400 with all of them, a line each, and nothing is applied", async () => {
    const load = {
      ingress: [
        {
          address: "nowhere",
          ports: [
            { ...forward, protocol: "SCTP" },
            { ...forward, "destination-addresses": ["x"] },
          ],
        },
      ],
      "network-policies": [
        {
          name: "",
          "allowed-ingresses": [
            {
              "ipblock-filters": [{ allow: "10.0.0.0" }],
              "port-filters": [{ protocol: "tcp", port: 5, "end-port": 5 }],
            },
          ],
        },
      ],
    };
    const { status, text, type } = await post(signed(claims(load)));
    expect({ status, type }).toEqual({ status: 400, type: "text/plain; charset=utf-8" });
    expect(text.split("\n").toSorted()).toEqual(
      [
        "Key: 'LoadBalancer.Ingress[0].Address' Error:Field validation for 'Address' failed on the 'ip' tag",
        "Key: 'LoadBalancer.Ingress[0].Ports[0].Protocol' Error:Field validation for 'Protocol' failed on the 'oneof' tag",
        "Key: 'LoadBalancer.Ingress[0].Ports[1].DestinationAddresses[0]' Error:Field validation for 'DestinationAddresses[0]' failed on the 'ip' tag",
        "Key: 'LoadBalancer.NetworkPolicies[0].AllowedIngresses[0].IPBlockFilters[0].Allow' Error:Field validation for 'Allow' failed on the 'cidr' tag",
        "Key: 'LoadBalancer.NetworkPolicies[0].AllowedIngresses[0].PortFilters[0].EndPort' Error:Field validation for 'EndPort' failed on the 'gtfield' tag",
        "Key: 'LoadBalancer.NetworkPolicies[0].AllowedIngresses[0].PortFilters[0].Protocol' Error:Field validation for 'Protocol' failed on the 'oneof' tag",
        "Key: 'LoadBalancer.NetworkPolicies[0].Name' Error:Field validation for 'Name' failed on the 'required' tag",
      ].toSorted(),
    );
    expect(gateway.rules).toBeUndefined();
  });

  test.each<readonly [string, unknown]>([
    ["null", null],
    ["nothing in it", {}],
    ["null in every place", { ingress: null, "network-policies": null, "policy-assignments": null }],
    ["absent", undefined],
  ])("a configuration that is %s removes everything", async (_, load) => {
    await post(signed(claims()));
    expect(gateway.announced).toEqual(["198.18.0.100"]);
    const told = signed({ ...claims(), "load-balancer-config": load });
    expect(await post(told)).toMatchObject({ status: 200, text: "success" });
    expect(gateway.announced).toEqual([]);
    expect(gateway.rules?.forwardings).toEqual([]);
  });

  test("null for destinations, unknown fields, names in any case, entries twice and out of order are accepted", async () => {
    const load = {
      INGRESS: [
        { Address: "198.18.0.101", ports: null, colour: "blue" },
        {
          address: "198.18.0.100",
          Ports: [
            { ...forward, "inbound-port": 81, "destination-addresses": null },
            forward,
            { ...forward, "destination-port": 1 },
          ],
        },
        { address: "198.18.0.101", ports: [] },
      ],
    };
    expect(await post(signed(claims(load)))).toMatchObject({ status: 200 });
    expect(gateway.announced).toEqual(["198.18.0.100", "198.18.0.101"]);
    expect(gateway.rules?.forwardings.map(({ port, endpoints }) => [port, endpoints.map((one) => one.port)])).toEqual([
      [80, [30_080, 30_080]],
      [81, []],
    ]);
  });

  test("the same again changes nothing, and the adverts are those of a pair with the reference", async () => {
    await post(signed(claims()));
    const before = gateway.calls.length;
    expect(await post(signed(claims()))).toMatchObject({ status: 200 });
    expect(gateway.calls.length).toBe(before);
    expect(gateway.configuration).toContain("vrrp_version 2");
    expect(gateway.configuration).toContain("virtual_router_id 7");
  });

  test.each(["nft.check", "nft.apply", "keepalived.check", "keepalived.use"] as const)(
    "a failure of %s: 500, and whose it was",
    async (call) => {
      gateway.fate = (one) => (one === call ? "fails" : "works");
      const part = call.startsWith("nft") ? "nftables" : "keepalived";
      expect(await post(signed(claims()))).toMatchObject({
        status: 500,
        text: `Failed to apply ${part} config: ${call} failed`,
      });
    },
  );

  test("is refused once /v2 was used", async () => {
    await put(sampleDocument());
    expect(await post(signed(claims()))).toMatchObject({ status: 409 });
    expect(gateway.rules?.pool).toBe("public");
  });

  test("the reference's metric counts authenticated requests only", async () => {
    await post("nonsense");
    await post(signed(claims()));
    const { body } = await ask({ path: "/metrics" });
    const lines = body.split("\n").filter((line) => line.startsWith("ch_k8s_lbaas_agent"));
    expect(lines).toEqual([`ch_k8s_lbaas_agent_last_update_timestamp_seconds{status="200"} ${clock.nowMs() / 1_000}`]);
  });
});

function bearer(body = "", claims: object = {}, algorithm: HmacAlgorithm = "HS256"): string {
  made += 1;
  const now = seconds();
  const all = {
    aud: "gw1",
    iat: now,
    exp: now + 15,
    jti: `token-${made}`,
    sha256: hmacTokens.digest(Buffer.from(body)),
  };
  return `Bearer ${hmacTokens.sign({ ...all, ...claims }, key, algorithm)}`;
}

async function put(value: unknown, headers: Readonly<Record<string, string>> = {}, more: Partial<HttpQuestion> = {}) {
  const body = typeof value === "string" ? value : JSON.stringify(value);
  const given = { "content-type": "application/json", authorization: bearer(body), ...headers };
  const reply = await ask({ method: "PUT", path: "/v2/config", ...more, headers: given, body });
  return { status: reply.status, body: reply.body === "" ? undefined : (JSON.parse(reply.body) as unknown) };
}

async function get(path: string, authorization = bearer()) {
  const { status, body } = await ask({ path, headers: { authorization } });
  return { status, body: body === "" ? undefined : (JSON.parse(body) as unknown) };
}

describe("/v2", () => {
  test("takes a document, gives it back, and tells how it is", async () => {
    expect(await get("/v2/config")).toMatchObject({ status: 404 });
    const document = sampleDocument();
    expect(await put(document)).toEqual({ status: 200, body: { carries: document.version, problems: [] } });
    expect(await get("/v2/config")).toEqual({ status: 200, body: document });
    expect(await get("/v2/status")).toMatchObject({
      status: 200,
      body: { name: "gw1", ready: true, carries: document.version },
    });
    expect(await get("/v2/capabilities")).toMatchObject({
      status: 200,
      body: { agent: "1", nft: "1.0.6", keepalived: "2.2.7", kernel: "6" },
    });
  });

  test("takes a change of the document that it carries, and answers 409 to one of another", async () => {
    await put(sampleDocument());
    const set = [sampleForwarding({ port: 81 })];
    const change = {
      version: { epoch: 1, generation: 2 },
      addresses: { set: [], gone: [] },
      forwardings: { set, gone: [] },
    };
    expect(await put({ ...change, base: { epoch: 1, generation: 0 } })).toMatchObject({
      status: 409,
      body: { why: "wrong-base", carries: { epoch: 1, generation: 1 } },
    });
    expect(await put({ ...change, base: 3 })).toMatchObject({ status: 400 });
    expect(await put({ ...change, base: { epoch: 1, generation: 1 } })).toMatchObject({
      status: 200,
      body: { carries: change.version },
    });
    expect(gateway.rules?.forwardings.map(({ port }) => port)).toEqual([80, 81]);
  });

  test("answers 409 to what is older, and 500 with the part that failed and what is carried instead", async () => {
    await put(sampleDocument({ version: { epoch: 2, generation: 1 } }));
    expect(await put(sampleDocument())).toMatchObject({ status: 409, body: { why: "older", carries: { epoch: 2 } } });
    gateway.fate = (call) => (call === "nft.check" ? "fails" : "works");
    const next = sampleDocument({ version: { epoch: 3, generation: 1 }, forwardings: [] });
    expect(await put(next)).toMatchObject({
      status: 500,
      body: { part: "nftables", error: "nft.check failed", carries: { epoch: 2 } },
    });
  });

  test.each<readonly [string, unknown, Readonly<Record<string, string>>, number]>([
    ["no JSON", "{", {}, 400],
    ["no document", "3", {}, 400],
    ["another content type", "{}", { "content-type": "text/plain" }, 415],
    ["a body beyond the limit", "x".repeat(limit + 1), {}, 413],
  ])("refuses %s", async (_, value, headers, status) => {
    expect(await put(value, headers)).toMatchObject({ status });
    expect(gateway.rules).toBeUndefined();
  });

  test.each<readonly [string, () => string]>([
    ["none", () => ""],
    ["another key", () => `Bearer ${hmacTokens.sign({ aud: "gw1" }, Buffer.from("x"), "HS256")}`],
    ["another algorithm", () => bearer("", {}, "HS512")],
    ["for another gateway", () => bearer("", { aud: "gw2" })],
    ["without an expiry", () => bearer("", { exp: undefined })],
    ["without an identity", () => bearer("", { jti: undefined })],
    ["expired", () => bearer("", { iat: seconds() - 60, exp: seconds() - 30 })],
    ["from the future", () => bearer("", { iat: seconds() + 60, exp: seconds() + 70 })],
    ["good for hours", () => bearer("", { exp: seconds() + 7_200 })],
    ["from before the agent started", () => bearer("", { iat: seconds() - 60 })],
    ["for another body", () => bearer("something else")],
  ])("a token that is %s: 401", async (_, token) => {
    expect(await get("/v2/status", token())).toMatchObject({ status: 401 });
  });

  test("a token is good once", async () => {
    const token = bearer();
    expect(await get("/v2/status", token)).toMatchObject({ status: 200 });
    expect(await get("/v2/status", token)).toMatchObject({ status: 401, body: { error: "the token was used before" } });
  });

  test("a body is not read before the token's signature was right", async () => {
    const body = "x".repeat(5 * limit);
    expect(await put(body, { authorization: "Bearer a.b.c" })).toMatchObject({ status: 401 });
  });

  test("a verified certificate needs no token, and its name has to be on the list where there is one", async () => {
    const question = (certificateName: string) => ({
      path: "/v2/status",
      peer: { isLoopback: false, certificateName },
    });
    expect((await ask(question("anybody"))).status).toBe(200);
    await serve({ certificateNames: ["controller"] });
    expect((await ask(question("anybody"))).status).toBe(401);
    expect((await ask(question("controller"))).status).toBe(200);
  });

  test("no secret is in any log line or answer", async () => {
    const token = bearer("", { exp: seconds() - 60 });
    const { body } = await get("/v2/status", token);
    const told = JSON.stringify([log.lines, body]);
    expect(told).not.toContain(token.slice(7));
    expect(told).not.toContain(key.toString());
  });
});

describe("everything else", () => {
  test.each([
    ["GET", "/healthz", 200],
    ["GET", "/metrics", 200],
    ["GET", "/elsewhere", 404],
    ["GET", "/constructor", 404],
    ["POST", "/v2/config", 405],
    ["DELETE", "/v2/status", 405],
    ["POST", "//v1/apply", 301],
  ])("%s %s: %i", async (method, path, status) => {
    expect((await ask({ method, path })).status).toBe(status);
  });
});
