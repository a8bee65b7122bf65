import { beforeEach, describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import type { BalancerRow } from "../../../../../test/api-endpoint/model/cloud-rows.ts";
import {
  amphora,
  intent,
  legacyName,
  machine,
  placesOf,
  zoneBalancerName,
  zonesIntent,
} from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { known } from "../../../../core/known.ts";

let world: CloudModel;

beforeEach(() => {
  world = new CloudModel(zonesIntent(["az1", "az2"]));
  world.join(machine("az1", 1), machine("az2", 1));
  world.converge();
  world.nowMs += 600_000;
});

const row = (): BalancerRow => world.row(zoneBalancerName("az2"));

function fail(): void {
  const { lb } = row();
  lb.provisioningStatus = "ERROR";
}

/** Made beside ours, on our balancer. */
function addTheirs(): void {
  const { listeners, pools } = row();
  const [listener] = listeners;
  const [pool] = pools;
  if (listener === undefined || pool === undefined) throw new Error("nothing to copy");
  pools.push({ ...pool, id: "their-pool", name: "shop", tags: [], members: [] });
  listeners.push({ ...listener, id: "theirs", name: "shop", port: 80, tags: [], defaultPoolId: "their-pool" });
}

const kinds = () => world.plan().actions.map(({ kind }) => kind);

describe("a balancer in ERROR that others put something on", () => {
  test("is not rebuilt while another zone serves, and what would go is named", () => {
    addTheirs();
    fail();
    world.converge();
    expect(row().listeners.map(({ name }) => name)).toContain("shop");
    expect(world.plan().refusals).toContainEqual({
      reason: "LoadBalancerInError",
      lane: { part: "az2" },
      message: `${zoneBalancerName("az2")}: in ERROR, and it is not rebuilt because what others put on it would go with it: listener shop on port 80, pool shop; move that elsewhere, or annotate mainstay.dev/repair=true to agree`,
    });
  });

  test("is rebuilt with consent, and once they took it away", () => {
    addTheirs();
    fail();
    const { id } = row().lb;
    const agreed = { ...world.intent.consents, repair: true };
    world.intent = { ...world.intent, consents: agreed };
    expect(kinds()).toEqual(["delete-load-balancer"]);
    world.intent = { ...world.intent, consents: { ...agreed, repair: false } };
    const broken = row();
    broken.listeners = broken.listeners.filter(({ name }) => name !== "shop");
    broken.pools = broken.pools.filter(({ name }) => name !== "shop");
    world.converge();
    expect(row().lb).toMatchObject({ provisioningStatus: "ACTIVE" });
    expect(row().lb.id).not.toBe(id);
  });

  test("is failed over all the same, since that keeps everything", () => {
    world.capabilities = known({ ...amphora, refused: [] });
    addTheirs();
    fail();
    expect(kinds()).toEqual(["failover-load-balancer"]);
  });

  test("or may have, since it cannot be looked into, is waited for", () => {
    fail();
    row().hidden = true;
    expect(world.plan()).toMatchObject({
      actions: [],
      waits: [{ reason: "LoadBalancerInError", lane: { part: "az2" } }],
    });
    row().hidden = false;
    expect(kinds()).toEqual(["delete-load-balancer"]);
  });
});

describe("that a repair goes by consent is said", () => {
  const said = () => world.plan().refusals.filter(({ reason }) => reason === "RepairAgreed");
  const agree = () => {
    world.intent = { ...world.intent, consents: { ...world.intent.consents, repair: true } };
  };

  test.each<readonly [string, () => void]>([
    ["where nobody else serves", () => world.up.delete("10.6.1.1")],
    ["where parts of others go with it, although somebody else serves", addTheirs],
    ["where nobody can see what goes with it, although somebody else serves", () => (row().hidden = true)],
  ])("%s", (_where, change) => {
    change();
    fail();
    agree();
    expect(kinds()).toContain("delete-load-balancer");
    expect(said()).toMatchObject([{ lane: { part: "az2" } }]);
  });

  test("and not where it would have gone without", () => {
    fail();
    expect([kinds(), said()]).toEqual([["delete-load-balancer"], []]);
    agree();
    expect([kinds(), said()]).toEqual([["delete-load-balancer"], []]);
  });

  test("nor of one that failed as it was made, which nobody depends on", () => {
    world = new CloudModel(intent());
    while (world.rows.length === 0) world.round();
    world.row(legacyName).lb.provisioningStatus = "ERROR";
    world.nowMs += 600_000;
    agree();
    expect([kinds(), said()]).toEqual([["delete-load-balancer"], []]);
  });
});

test("a balancer that fails each time it is made is made again with a pause in between", () => {
  fail();
  const made: number[] = [];
  for (let round = 0; round < 60; round += 1) {
    for (const { kind } of world.round().actions) if (kind === "create-load-balancer") made.push(world.nowMs);
    const found = world.rows.find(({ lb }) => lb.name === zoneBalancerName("az2"));
    if (found !== undefined) found.lb.provisioningStatus = "ERROR";
  }
  expect(made.length).toBeGreaterThan(2);
  for (const [index, at] of made.slice(1).entries()) expect(at - (made[index] ?? 0)).toBeGreaterThanOrEqual(30_000);
});

test("a fall-back in ERROR stays, with zones that serve beside it: it would not be made again", () => {
  world = new CloudModel(intent());
  world.join(machine("az1", 1));
  world.converge();
  world.intent = zonesIntent(["az1"]);
  world.places = known(placesOf(["az1"]));
  world.converge();
  const { lb } = world.row(legacyName);
  expect(lb.tags).toContain("mainstay-role=fallback");
  world.nowMs += 600_000;
  lb.provisioningStatus = "ERROR";
  world.converge();
  expect(world.rows.map((one) => one.lb.id)).toContain(lb.id);
  expect(world.plan().refusals).toContainEqual(
    expect.objectContaining({
      reason: "LoadBalancerInError",
      message: `${legacyName}: the legacy balancer is in ERROR; it would not be made again, so it stays until its removal is agreed`,
    }),
  );
});

test("a fall-back in ERROR that stood in for zones leaves the records, too, before it is failed over", () => {
  world.intent = zonesIntent(["az1", "az2"], { publishDns: true });
  const fallback = world.addFallback();
  const { address } = world.addFloatingIp({ portId: fallback.lb.vipPortId });
  world.converge();
  const zones = world.rows.filter((one) => one !== fallback);
  for (const { lb } of zones) lb.adminStateUp = false;
  const published = () => world.object.dnsEndpoint?.addresses ?? [];
  for (let round = 0; round < 10; round += 1) world.round();
  expect(published()).toContain(address);
  world.capabilities = known({ ...amphora, refused: [] });
  fallback.lb.provisioningStatus = "ERROR";
  for (const { lb } of zones) lb.adminStateUp = true;
  let leftMs = world.nowMs;
  let failedOverMs: number | undefined;
  for (let round = 0; round < 40 && failedOverMs === undefined; round += 1) {
    const { actions } = world.plan();
    if (actions.some(({ kind }) => kind === "failover-load-balancer")) failedOverMs = world.nowMs;
    if (published().includes(address)) leftMs = world.nowMs;
    world.round();
  }
  expect((failedOverMs ?? 0) - leftMs).toBeGreaterThanOrEqual(45_000);
});

describe("before the cloud was asked for a failover nobody knows whether it allows one, and what is announced holds for a rebuild, too", () => {
  const either = "failed over (or rebuilt, if the cloud allows no failover)";
  const inAz2 = () => {
    const { waits, refusals } = world.plan();
    return [...waits, ...refusals].filter(({ lane }) => lane?.part === "az2").map(({ message }) => message);
  };
  beforeEach(() => {
    world.capabilities = known({ ...amphora, refused: [] });
  });

  test("while it leaves the DNS records, and until resolvers no longer return it", () => {
    world.intent = zonesIntent(["az1", "az2"], { publishDns: true });
    world.converge();
    fail();
    expect(inAz2()).toEqual([expect.stringContaining(`in ERROR; it is ${either} when the DNS records`)]);
    for (let round = 0; round < 10; round += 1) world.round();
    expect(inAz2()).toEqual([expect.stringMatching(/; it is failed over \(or rebuilt, if .*\) at 2/)]);
    // It was asked, and answered that it does not.
    world.capabilities = known(amphora);
    expect(inAz2()).toEqual([expect.stringContaining("; it is rebuilt at 2")]);
  });

  test("where nobody else serves: a consent is not to less than what comes of it", () => {
    for (const { lb } of world.rows) lb.provisioningStatus = "ERROR";
    expect(inAz2()).toEqual([expect.stringContaining(`it is not ${either} because no other way in is healthy`)]);
    world.intent = { ...world.intent, consents: { ...world.intent.consents, repairZones: ["az2"] } };
    expect(inAz2()).toEqual([expect.stringContaining(`and ${either} although people may depend on it`)]);
  });
});

describe("one that we publish beside another that serves leaves the records before it is rebuilt", () => {
  const lingerMs = 45_000;
  const published = () => world.object.dnsEndpoint?.addresses ?? [];
  const address = () => world.floatingIps.find(({ portId }) => portId === row().lb.vipPortId)?.address ?? "";

  beforeEach(() => {
    world.intent = zonesIntent(["az1", "az2"], { publishDns: true });
    world.converge();
  });

  /** How long it had been out of the records when it was deleted. */
  function outForMs(): number {
    const [own, { id }] = [address(), row().lb];
    let outMs: number | undefined;
    for (let round = 0; round < 60; round += 1) {
      if (!published().includes(own)) outMs ??= world.nowMs;
      if (world.round().actions.some((action) => action.kind === "delete-load-balancer" && action.id === id))
        return world.nowMs - (outMs ?? world.nowMs);
    }
    return Number.POSITIVE_INFINITY;
  }

  test.each([
    ["", () => undefined],
    [
      ", also with consent",
      () => (world.intent = { ...world.intent, consents: { ...world.intent.consents, repair: true } }),
    ],
    [
      ", also while probes say that it serves",
      () => (world.probes = new Map(world.rows.map(({ lb }) => [lb.id, { failuresInARow: 0 }]))),
    ],
  ])("and serves on for one TTL and the damping%s", (_how, change) => {
    expect(published()).toHaveLength(2);
    fail();
    change();
    expect(world.plan().waits).toContainEqual(
      expect.objectContaining({
        reason: "LoadBalancerInError",
        message: `${zoneBalancerName("az2")}: in ERROR; it is rebuilt when the DNS records have not named it for 45 s`,
      }),
    );
    const ms = outForMs();
    expect(ms).toBeGreaterThanOrEqual(lingerMs);
    expect(ms).toBeLessThan(lingerMs + 30_000);
    world.probes = undefined;
    world.converge();
    expect(published()).toContain(address());
    expect(world.status?.leaving).toEqual([]);
  });

  test("and the only one that is published goes at once when somebody agrees, once resolvers know no other", () => {
    world.up.delete("10.6.1.1");
    for (let round = 0; round < 20; round += 1) world.round();
    expect(published()).toEqual([address()]);
    fail();
    world.intent = { ...world.intent, consents: { ...world.intent.consents, repair: true } };
    expect(kinds()).toContain("delete-load-balancer");
  });
});
