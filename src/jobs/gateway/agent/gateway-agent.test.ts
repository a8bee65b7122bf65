import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ProcessClock } from "../../../../test/support/process-clock.ts";
import { quietLog } from "../../../../test/support/quiet-log.ts";
import { VirtualClock } from "../../../../test/support/virtual-clock.ts";
import { renderKeepalived } from "../core/keepalived/render-keepalived.ts";
import type { GatewayDocument } from "../core/model/document.ts";
import { fakeDataplane, sameRules } from "../sim/fake-dataplane.ts";
import { FakeGateway, type Fate } from "../sim/fake-gateway.ts";
import { sampleDocument, sampleForwarding, sampleGroup, sampleLocal } from "../sim/sample-document.ts";
import type { ApplyRequest } from "./apply/waiting-request.ts";
import { GatewayAgent } from "./gateway-agent.ts";

const local = sampleLocal();
const settings = { readyFile: "/run/mainstay/ready", compat: { password: "secret-word" } };

class AgentWorld {
  readonly gateway = new FakeGateway();
  readonly clock = new VirtualClock();
  readonly log = quietLog();
  #process = new ProcessClock(this.clock);
  agent = this.#agent();

  async start(): Promise<this> {
    await this.#settled(this.agent.start());
    return this;
  }

  /** Another process takes over what the gateway holds. */
  async startAgain(): Promise<void> {
    this.gateway.endProcess();
    this.#process.stop();
    this.#process = new ProcessClock(this.clock);
    this.agent = this.#agent();
    await this.start();
  }

  /** Undefined: no answer ever came. */
  async put(document: GatewayDocument) {
    return await this.#settled(this.agent.apply({ kind: "whole", document }));
  }

  async apply(request: ApplyRequest) {
    return await this.#settled(this.agent.apply(request));
  }

  /** To be equal to `safely`: wholly as the document says, and in no moment announced what the rules did not know. */
  howCarried(document: GatewayDocument) {
    return { isCarried: this.isCarrying(document), exposed: this.gateway.exposed };
  }

  isCarrying(document: GatewayDocument): boolean {
    const { rules, configuration } = this.gateway;
    return (
      rules !== undefined && sameRules(rules, document) && configuration === renderKeepalived(document, local, settings)
    );
  }

  async #settled<T>(work: Promise<T>): Promise<T | undefined> {
    let result: T | undefined;
    void work.then((value) => {
      result = value;
    });
    await this.clock.settle();
    return result;
  }

  #agent(): GatewayAgent {
    const { nft, keepalived, conntrack, journal } = this.gateway;
    return new GatewayAgent({
      nft,
      keepalived,
      conntrack,
      journal,
      local,
      settings,
      dataplane: fakeDataplane,
      clock: this.#process,
      random: { next: () => 1, uuid: () => "" },
      log: this.log,
      lbaas: { virtualRouterId: 7, announces: true, hidesClients: true, sourceAddresses: [] },
      versions: { agent: "1", kernel: "6" },
    });
  }
}

const safely = { isCarried: true, exposed: [] };
const version = (generation: number, epoch = 1) => ({ version: { epoch, generation } });
const [one, other, third] = [
  sampleForwarding(),
  sampleForwarding({ address: "198.18.0.101", protocol: "UDP", port: 53, service: "default/dns" }),
  sampleForwarding({ address: "198.18.0.102", service: "default/third" }),
];
const old = sampleDocument({ ...version(1), forwardings: [one, other] });
/** One address comes, one goes, and the endpoints of the third change. */
const mixed = sampleDocument({
  ...version(2),
  forwardings: [{ ...one, endpoints: [{ address: "10.0.0.99", port: 80 }] }, third],
});
const changes: readonly (readonly [string, GatewayDocument])[] = [
  ["the same with a newer version", { ...old, ...version(2) }],
  ["other endpoints", { ...old, ...version(2), forwardings: [mixed.forwardings[0] ?? one, other] }],
  ["one more address", sampleDocument({ ...version(2), forwardings: [one, other, third] })],
  ["one address less", sampleDocument({ ...version(2), forwardings: [one] })],
  ["an address that comes and one that goes", mixed],
  ["nothing any more", sampleDocument({ ...version(2), forwardings: [], groups: [] })],
  [
    "another source address",
    { ...old, ...version(2), groups: [sampleGroup({ sourceAddresses: ["198.19.0.101", "198.19.0.109"] })] },
  ],
];

describe("applying a document", () => {
  test.each(changes)(
    "%s: rules and keepalived follow, no address is ever announced without rules, and again it is quiet",
    async (_, next) => {
      const world = await new AgentWorld().start();
      expect(await world.put(old)).toMatchObject({ kind: "applied", carries: old.version });
      expect(world.howCarried(old)).toEqual(safely);
      expect(await world.put(next)).toMatchObject({ kind: "applied", carries: next.version });
      expect(world.howCarried(next)).toEqual(safely);
      const calls = [...world.gateway.calls];
      expect(await world.put(next)).toMatchObject({ kind: "applied", carries: next.version });
      expect(world.gateway.calls).toEqual(calls);
      expect(await world.agent.status()).toMatchObject({ ready: true, carries: next.version, problems: [] });
    },
  );

  test("one transaction suffices unless an address leaves, and keepalived is left alone unless its configuration changes", async () => {
    const costs: Record<string, readonly number[]> = {};
    for (const [name, next] of changes) {
      const world = await new AgentWorld().start();
      await world.put(old);
      const before = [world.gateway.count("nft.apply"), world.gateway.count("keepalived.use")];
      await world.put(next);
      const after = [world.gateway.count("nft.apply"), world.gateway.count("keepalived.use")];
      costs[name] = after.map((count, index) => count - (before[index] ?? 0));
    }
    expect(costs).toEqual({
      "the same with a newer version": [0, 0],
      "other endpoints": [1, 0],
      "one more address": [1, 1],
      "one address less": [1, 1],
      "an address that comes and one that goes": [2, 1],
      "nothing any more": [1, 1],
      "another source address": [2, 1],
    });
  });

  test("what is older, or of the same version and different, is refused and changes nothing; a higher epoch wins", async () => {
    const world = await new AgentWorld().start();
    await world.put({ ...old, version: { epoch: 2, generation: 5 } });
    const refusals = [
      await world.put({ ...mixed, version: { epoch: 2, generation: 4 } }),
      await world.put({ ...mixed, version: { epoch: 1, generation: 99 } }),
      await world.put({ ...mixed, version: { epoch: 2, generation: 5 } }),
    ];
    expect(refusals.map((outcome) => outcome?.kind === "refused" && outcome.why)).toEqual([
      "older",
      "older",
      "other-content",
    ]);
    expect(world.howCarried(old)).toEqual(safely);
    expect(await world.put({ ...mixed, version: { epoch: 3, generation: 0 } })).toMatchObject({ kind: "applied" });
    await world.startAgain();
    expect(await world.put({ ...old, version: { epoch: 2, generation: 9 } })).toMatchObject({ why: "older" });
    expect(world.howCarried(mixed)).toEqual(safely);
  });

  test("a forwarding that cannot be carried keeps its last good version, the rest is applied, and the answer names it", async () => {
    const world = await new AgentWorld().start();
    await world.put(old);
    const bad = { ...one, endpoints: [{ address: "127.0.0.1", port: 1 }] };
    const next = sampleDocument({ ...version(2), forwardings: [bad, third] });
    const problem = { subject: "198.18.0.100/TCP/80", service: "default/web", message: "loopback" };
    expect(await world.put(next)).toMatchObject({ kind: "applied", problems: [problem] });
    expect(world.howCarried(sampleDocument({ forwardings: [one, third] }))).toEqual(safely);
    expect(world.agent.document()).toEqual(next);
    await world.startAgain();
    expect(world.howCarried(sampleDocument({ forwardings: [one, third] }))).toEqual(safely);
    expect(await world.agent.status()).toMatchObject({ carries: next.version, problems: [problem] });
  });

  test("a document that nft or keepalived would refuse touches nothing", async () => {
    const world = await new AgentWorld().start();
    await world.put(old);
    const rules = sampleDocument({ ...version(2), forwardings: [{ ...third, service: "broken/rules" }] });
    const groups = [sampleGroup({ name: "broken" })];
    expect(await world.put(rules)).toMatchObject({ kind: "failed", part: "nftables", carries: old.version });
    expect(await world.put({ ...mixed, groups })).toMatchObject({
      kind: "failed",
      part: "keepalived",
      carries: old.version,
    });
    expect([world.gateway.count("nft.apply"), world.gateway.count("keepalived.use")]).toEqual([1, 1]);
    expect(world.howCarried(old)).toEqual(safely);
  });

  test("while one is carried out, the newest of those that wait wins, in whatever order they come", async () => {
    const world = await new AgentWorld().start();
    const answers = [1, 3, 2, 4].map((generation) =>
      world.agent.apply({ kind: "whole", document: { ...(generation % 2 ? old : mixed), ...version(generation) } }),
    );
    expect(
      (await Promise.all(answers)).map((outcome) => (outcome.kind === "refused" ? outcome.why : outcome.kind)),
    ).toEqual(["superseded", "superseded", "superseded", "applied"]);
    expect(world.howCarried(mixed)).toEqual(safely);
  });

  test("a change of a document counts only on the document that it was made for", async () => {
    const world = await new AgentWorld().start();
    await world.put(old);
    const set = { addresses: { set: [{ address: "198.18.0.102", group: "a" }], gone: ["198.18.0.101"] } };
    const value = { ...set, forwardings: { set: [mixed.forwardings[0], third], gone: ["198.18.0.101/UDP/53"] } };
    const delta = { kind: "delta", base: old.version, ...version(2), value } as const;
    expect(await world.apply({ ...delta, base: { epoch: 1, generation: 0 } })).toMatchObject({ why: "wrong-base" });
    expect(await world.apply({ ...delta, value: { forwardings: 3 } })).toMatchObject({ why: "invalid" });
    expect(world.howCarried(old)).toEqual(safely);
    expect(await world.apply(delta)).toMatchObject({ kind: "applied" });
    expect(world.howCarried(mixed)).toEqual(safely);
    await world.startAgain();
    expect(world.howCarried(mixed)).toEqual(safely);
  });
});

describe("connections from before a change", () => {
  const udp = sampleForwarding({
    ...other,
    endpoints: [
      { address: "10.0.0.1", port: 53 },
      { address: "10.0.0.2", port: 53 },
    ],
  });
  const web = sampleForwarding({ allowedSources: ["192.0.2.0/24", "198.51.100.0/24"] });
  const at = { address: "198.18.0.101", protocol: "UDP", port: 53 };
  const ofWeb = { address: "198.18.0.100", protocol: "TCP", port: 80 };
  test.each([
    [
      "an endpoint of UDP left: those to it",
      { ...udp, endpoints: udp.endpoints.slice(0, 1), buckets: [0] },
      web,
      [{ ...at, endpoint: udp.endpoints[1] }],
    ],
    ["a forwarding is gone: all of them", undefined, web, [at]],
    ["fewer clients are allowed: all of them", udp, { ...web, allowedSources: ["192.0.2.0/24"] }, [ofWeb]],
    [
      "a part of a range is allowed: all of them",
      udp,
      { ...web, allowedSources: ["192.0.2.0/25", "198.51.100.0/24"] },
      [ofWeb],
    ],
    ["more clients are allowed: none", udp, { ...web, allowedSources: ["192.0.2.0/23", "198.51.100.0/24"] }, []],
    ["anybody is allowed: none", udp, sampleForwarding(), []],
    ["an endpoint of TCP left: none", udp, { ...web, endpoints: [] }, []],
  ])("%s", async (_, nextUdp, nextWeb, forgotten) => {
    const world = await new AgentWorld().start();
    await world.put(sampleDocument({ forwardings: [udp, web] }));
    await world.put(
      sampleDocument({ ...version(2), forwardings: [...(nextUdp === undefined ? [] : [nextUdp]), nextWeb] }),
    );
    expect(world.gateway.forgotten).toEqual(forgotten);
  });

  test("are cleared later when it fails at first: the document counts, the status says it, and tries are few", async () => {
    const world = await new AgentWorld().start();
    await world.put(old);
    world.gateway.fate = (call) => (call === "conntrack.forget" ? "fails" : "works");
    expect(await world.put(mixed)).toMatchObject({ kind: "applied" });
    await world.clock.advance(3_600_000);
    expect(world.gateway.count("conntrack.forget")).toBeLessThan(100);
    expect((await world.agent.status()).problems).toMatchObject([{ subject: "connections" }]);
    world.gateway.fate = () => "works";
    await world.clock.advance(60_000);
    expect(world.gateway.forgotten).toEqual([{ address: "198.18.0.101", protocol: "UDP", port: 53 }]);
    expect((await world.agent.status()).problems).toEqual([]);
  });
});

const fates: readonly Fate[] = ["fails", "lost", "dead-before", "dead-after"];

describe("whatever fails at whichever step", () => {
  test.each(changes)(
    "%s: the gateway ends with the old document or the new one, whole, and the same PUT converges",
    async (_, next) => {
      let tried = 0;
      for (const fate of fates) {
        for (let at = 1; ; at += 1) {
          const world = await new AgentWorld().start();
          await world.put(old);
          const before = world.gateway.calls.length;
          world.gateway.fate = (_call, number) => (number === before + at ? fate : "works");
          await world.put(next);
          if (world.gateway.calls.length < before + at) break;
          tried += 1;
          if (fate.startsWith("dead")) await world.startAgain();
          expect(
            world.isCarrying(old) || world.isCarrying(next),
            `${fate} at ${world.gateway.calls[before + at - 1]}`,
          ).toBe(true);
          expect(await world.put(next)).toMatchObject({ kind: "applied", carries: next.version });
          expect(world.howCarried(next)).toEqual(safely);
          await world.startAgain();
          expect(world.howCarried(next)).toEqual(safely);
          expect(world.gateway.isReady).toBe(true);
        }
      }
      expect(tried).toBeGreaterThanOrEqual(fates.length);
    },
  );

  test("several failures in a row, crashes and reboots among them: the gateway is whole again as soon as its parts work", async () => {
    const fateOf = fc.constantFrom<Fate>("works", "works", "works", "works", ...fates);
    const documents = [old, ...changes.map(([, document]) => document)];
    const step = fc.oneof(
      fc.record({
        kind: fc.constant("put" as const),
        document: fc.constantFrom(...documents),
        fates: fc.array(fateOf, { maxLength: 14 }),
      }),
      fc.constantFrom(
        { kind: "restart" as const },
        { kind: "reboot" as const },
        { kind: "flush" as const },
        { kind: "wait" as const },
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const world = await new AgentWorld().start();
        let isRebooted = false;
        for (const [index, taken] of steps.entries()) {
          if (taken.kind === "put") {
            const before = world.gateway.calls.length;
            world.gateway.fate = (_call, number) => taken.fates[number - before - 1] ?? "works";
            await world.put({ ...taken.document, ...version(index + 1) });
          } else if (taken.kind === "reboot") {
            isRebooted = true;
            world.gateway.reboot();
            await world.startAgain();
          } else if (taken.kind === "restart") await world.startAgain();
          else if (taken.kind === "flush") world.gateway.foreignChange("flush");
          else await world.clock.advance(120_000);
          if (world.gateway.isDead) await world.startAgain();
        }
        world.gateway.fate = () => "works";
        await world.clock.advance(120_000);
        const carried = world.agent.document();
        expect(carried === undefined || world.isCarrying(carried)).toBe(true);
        const last = { ...mixed, ...version(1_000) };
        expect(await world.put(last)).toMatchObject({ kind: "applied" });
        expect(world.isCarrying(last)).toBe(true);
        const isDisturbed = isRebooted || steps.some(({ kind }) => kind === "flush");
        expect(isDisturbed || world.gateway.exposed.length === 0).toBe(true);
        expect(await world.agent.status()).toMatchObject({ ready: true, carries: last.version });
      }),
      { numRuns: 60 },
    );
  });

  test("an hour in which nft fails: tries are few, it is said once, keepalived and the rest go on, and then all is well", async () => {
    const world = await new AgentWorld().start();
    await world.put(old);
    world.gateway.fate = (call) => (call === "nft.apply" ? "fails" : "works");
    expect(await world.put(mixed)).toMatchObject({ kind: "failed", part: "nftables", carries: old.version });
    await world.clock.advance(3_600_000);
    expect(world.gateway.count("nft.apply")).toBeLessThan(80);
    const told = world.log.lines.filter(({ message }) => message.startsWith("the rules have to be loaded again"));
    expect(told.map(({ level }) => level)).toEqual(["warn", "error"]);
    expect(world.gateway.announced).toEqual(["198.18.0.100", "198.18.0.101"]);
    world.gateway.fate = () => "works";
    await world.clock.advance(60_000);
    expect(world.howCarried(old)).toEqual(safely);
    expect(await world.put(mixed)).toMatchObject({ kind: "applied" });
  });
});

describe("a start", () => {
  test("after a reboot brings back the last document without a controller, and the gateway is ready only when its rules are there", async () => {
    const world = await new AgentWorld().start();
    await world.put(old);
    world.gateway.reboot();
    world.gateway.fate = (call) => (call === "nft.apply" ? "fails" : "works");
    const { fate } = world.gateway;
    world.agent.stop().catch(() => {});
    const next = new AgentWorld();
    next.gateway.lines = world.gateway.lines;
    next.gateway.fate = fate;
    await next.start();
    expect(next.gateway.isReady).toBe(false);
    expect(await next.agent.status()).toMatchObject({
      ready: false,
      carries: old.version,
      unready: "nftables: nft.apply failed",
    });
    next.gateway.fate = () => "works";
    await next.clock.advance(5_000);
    expect(next.howCarried(old)).toEqual(safely);
    expect(next.gateway.isReady).toBe(true);
  });

  test("of the agent alone moves no mastership: readiness stays while the rules are there", async () => {
    const world = await new AgentWorld().start();
    await world.put(old);
    let wasUnready = false;
    world.gateway.endProcess();
    const { keepalived } = world.gateway;
    const setReady = keepalived.setReady.bind(keepalived);
    Object.assign(keepalived, {
      setReady: (ready: boolean) => {
        wasUnready ||= !ready;
        return setReady(ready);
      },
    });
    await world.startAgain();
    expect(wasUnready).toBe(false);
    expect(world.howCarried(old)).toEqual(safely);
  });

  test.each([
    ["nothing of it can be read", () => ["what is this"]],
    [
      "a later line is damaged",
      (lines: readonly string[]) => [...lines.slice(0, 2), `x${lines[2]}`, ...lines.slice(3)],
    ],
    [
      "a bit of the first line has changed",
      ([first = "", ...rest]: readonly string[]) => [first.replace("public", "publik"), ...rest],
    ],
  ])("with a damaged journal (%s) says so, keeps serving and takes the next document", async (_, damage) => {
    const world = await new AgentWorld().start();
    await world.put(old);
    await world.put({ ...old, ...version(2), forwardings: [one, other, third] });
    world.gateway.lines = damage(world.gateway.lines);
    const { announced } = world.gateway;
    await world.startAgain();
    expect((await world.agent.status()).problems).toMatchObject([{ subject: "journal" }]);
    expect(world.gateway.announced.length).toBeGreaterThan(0);
    expect(announced).toEqual(expect.arrayContaining([...world.gateway.announced]));
    expect(await world.put({ ...mixed, ...version(3) })).toMatchObject({ kind: "applied" });
    expect((await world.agent.status()).problems).toEqual([]);
    await world.startAgain();
    expect(world.isCarrying(mixed)).toBe(true);
  });

  test("with a journal that cannot be read at all is a start, too", async () => {
    const world = new AgentWorld();
    world.gateway.fate = (call) => (call === "journal.read" ? "fails" : "works");
    await world.start();
    expect(await world.agent.status()).toMatchObject({ ready: false, problems: [{ subject: "journal" }] });
    expect(await world.put(old)).toMatchObject({ kind: "applied" });
  });
});

test("a full disk holds nothing up: documents are applied, the status says it once, and all is written when there is room", async () => {
  const world = await new AgentWorld().start();
  await world.put(old);
  world.gateway.fate = (call) => (call.startsWith("journal.") ? "fails" : "works");
  expect(await world.put(mixed)).toMatchObject({ kind: "applied" });
  expect(await world.put({ ...old, ...version(3) })).toMatchObject({ kind: "applied" });
  expect((await world.agent.status()).problems).toMatchObject([{ subject: "journal" }]);
  world.gateway.fate = () => "works";
  await world.put({ ...mixed, ...version(4) });
  expect((await world.agent.status()).problems).toEqual([]);
  await world.startAgain();
  expect(world.howCarried(mixed)).toEqual(safely);
});

test("the journal does not grow for ever", async () => {
  const world = await new AgentWorld().start();
  const long = "x".repeat(4_000);
  for (let generation = 1; generation < 300; generation += 1) {
    await world.put({
      ...old,
      ...version(generation),
      forwardings: [{ ...one, service: `default/${long}${generation}` }, other],
    });
  }
  expect(world.gateway.lines.join("\n").length).toBeLessThan(400_000);
});

describe("somebody else changes the ruleset", () => {
  test("flushed rules are back within seconds", async () => {
    const world = await new AgentWorld().start();
    await world.put(old);
    world.gateway.foreignChange("flush");
    await world.clock.advance(2_000);
    expect(world.howCarried(old)).toEqual(safely);
    expect(world.gateway.isReady).toBe(true);
  });

  test("a moment before a document comes: it is applied all the same", async () => {
    const world = await new AgentWorld().start();
    await world.put(old);
    world.gateway.foreignChange("flush");
    expect(await world.put(mixed)).toMatchObject({ kind: "applied" });
    expect(world.isCarrying(mixed)).toBe(true);
  });

  test("before the first document is carried, which failed at first: the next one is applied", async () => {
    const world = await new AgentWorld().start();
    world.gateway.fate = (call) => (call === "keepalived.use" ? "fails" : "works");
    expect(await world.put(old)).toMatchObject({ kind: "failed" });
    world.gateway.fate = () => "works";
    world.gateway.foreignChange("flush");
    await world.clock.advance(2_000);
    expect(await world.put(mixed)).toMatchObject({ kind: "applied" });
  });

  test("again and again for an hour: loads are few, it is said once, and another gateway leads meanwhile", async () => {
    const world = await new AgentWorld().start();
    await world.put(old);
    const lines = world.log.lines.length;
    for (let time = 0; time < 600; time += 1) {
      world.gateway.foreignChange("flush");
      await world.clock.advance(6_000);
    }
    expect(world.gateway.count("nft.apply")).toBeLessThan(90);
    expect(world.log.lines.slice(lines)).toHaveLength(2);
    expect(world.gateway.isReady).toBe(false);
    await world.clock.advance(60_000);
    expect(world.howCarried(old)).toEqual(safely);
    expect(world.gateway.isReady).toBe(true);
  });

  test("an edit that leaves the tables is undone within minutes, and the gateway stays ready", async () => {
    const world = await new AgentWorld().start();
    await world.put(old);
    world.gateway.foreignChange("edit");
    expect(world.howCarried(old)).not.toEqual(safely);
    await world.clock.advance(600_000);
    expect(world.howCarried(old)).toEqual(safely);
    expect(world.gateway.isReady).toBe(true);
  });

  test("nobody for an hour: looks and full loads are few, and nothing is said", async () => {
    const world = await new AgentWorld().start();
    await world.put(old);
    const [loads, looks] = [world.gateway.count("nft.apply"), world.gateway.count("nft.hasTable")];
    const lines = world.log.lines.length;
    await world.clock.advance(3_600_000);
    expect(world.gateway.count("nft.apply") - loads).toBeLessThanOrEqual(6);
    expect(world.gateway.count("nft.hasTable") - looks).toBeLessThanOrEqual(4_800);
    expect(world.log.lines.slice(lines)).toEqual([]);
    expect(world.gateway.isReady).toBe(true);
  });
});

test("the status names roles and since when, and unknown stays unknown", async () => {
  const world = await new AgentWorld().start();
  await world.put(old);
  expect((await world.agent.status()).groups).toEqual([{ name: "a", role: "unknown" }]);
  world.gateway.roles.set("a", "backup");
  await world.clock.advance(5_000);
  world.gateway.roles.set("a", "master");
  await world.clock.advance(60_000);
  expect(await world.agent.status()).toMatchObject({
    keepalived: "running",
    groups: [{ name: "a", role: "master", since: "2026-01-01T00:00:10.000Z" }],
  });
  expect(world.agent.counts().roleChanges).toBe(1);
  world.gateway.fate = (call) => (call === "keepalived.state" ? "fails" : "works");
  expect(await world.agent.status()).toMatchObject({ keepalived: "unknown", groups: [{ role: "unknown" }] });
});

test("what a program quotes of the VRRP password is not told", async () => {
  const world = await new AgentWorld().start();
  const { keepalived } = world.gateway;
  Object.assign(keepalived, { check: () => Promise.reject(new Error("unknown word 'secret-w'")) });
  expect(await world.put(old)).toMatchObject({ kind: "failed", message: "unknown word '…'" });
  expect(JSON.stringify(world.log.lines)).not.toContain("secret-w");
});
