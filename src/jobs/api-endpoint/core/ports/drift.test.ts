import { beforeEach, describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import type { BalancerRow } from "../../../../../test/api-endpoint/model/cloud-rows.ts";
import {
  amphora,
  machine,
  ownerId,
  refusing,
  tcpPorts,
  zoneBalancerName,
  zonesIntent,
} from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { known } from "../../../../core/known.ts";
import { planEndpoint } from "../plan.ts";

const az = ["az1", "az2"] as const;
const ours = `mainstay-owner=${ownerId}`;
let world: CloudModel;

beforeEach(() => {
  world = new CloudModel(zonesIntent(az, { additionalPorts: tcpPorts(9345) }));
  world.join(...az.map((zone) => machine(zone, 1)), machine("az1", 2));
  world.converge();
  world.nowMs += 60_000;
});

const first = (): BalancerRow => world.row(zoneBalancerName("az1"));

function rowOf<T>(rows: readonly T[]): T {
  const [row] = rows;
  if (row === undefined) throw new Error("there is none");
  return row;
}

const switchOff = (rows: readonly object[]) => Object.assign(rowOf(rows), { adminStateUp: false });

describe("what somebody changes by hand is put right, and only that", () => {
  const cases: readonly (readonly [string, (row: BalancerRow) => unknown, string, object])[] = [
    [
      "how a pool spreads",
      ({ pools }) => Object.assign(rowOf(pools), { algorithm: "SOURCE_IP" }),
      "update-pool",
      { algorithm: "ROUND_ROBIN" },
    ],
    ["a pool that is switched off", ({ pools }) => switchOff(pools), "update-pool", { adminStateUp: true }],
    [
      "a listener that is switched off",
      ({ listeners }) => switchOff(listeners),
      "update-listener",
      { adminStateUp: true },
    ],
    ["a monitor that is switched off", ({ monitors }) => switchOff(monitors), "update-monitor", { adminStateUp: true }],
    [
      "a limit that starves a listener",
      ({ listeners }) => Object.assign(rowOf(listeners), { connectionLimit: 1 }),
      "update-listener",
      { connectionLimit: -1 },
    ],
  ];

  test.each(cases)("%s", (_what, change, kind, expected) => {
    change(first());
    expect(world.plan().actions).toMatchObject([{ kind, change: expected, lane: { part: "az1" } }]);
    world.converge();
    expect(world.plan()).toMatchObject({ actions: [], refusals: [] });
  });

  test("tags of a pool: ours come back, those of others stay", () => {
    const pool = rowOf(first().pools);
    pool.tags = [ours, "theirs"];
    world.converge();
    expect(pool.tags).toEqual(["theirs", ours, "mainstay-zone=az1", "mainstay-role=pool"]);
    pool.tags = [];
    world.converge();
    expect(pool.tags).toEqual([ours, "mainstay-zone=az1", "mainstay-role=pool"]);
  });

  test("a pool that nobody has listed yet is not judged by its tags", () => {
    const observed = world.observe();
    if (!observed.balancers.known) throw new Error("unseen");
    const balancers = observed.balancers.value.map(({ pools: _, ...rest }) => rest);
    const plan = planEndpoint({ ...observed, balancers: { known: true, value: balancers } }, world.nowMs);
    expect(plan.actions).toEqual([]);
  });

  test("a monitor of another type is made again", () => {
    const before = rowOf(first().monitors);
    before.type = "PING";
    const done = world.converge().map(({ kind }) => kind);
    expect(done).toEqual(["delete-monitor", "create-monitor"]);
    expect(first().monitors.map(({ type }) => type)).toEqual(["TCP", "TCP"]);
    expect(world.members(zoneBalancerName("az1"))).toHaveLength(2);
  });

  test("a pool that speaks another protocol is made again while another zone serves, and else by consent", () => {
    rowOf(first().pools).protocol = "PROXY";
    world.up.delete("10.6.2.1");
    expect(world.plan().refusals).toContainEqual({
      reason: "LoadBalancerInError",
      lane: { part: "az1" },
      message: `pool ${zoneBalancerName("az1")}-6443: it speaks PROXY, not TCP, and it is not made again because no other way in is healthy; annotate mainstay.dev/repair=true to agree`,
    });
    world.up.add("10.6.2.1");
    world.converge();
    expect(first().pools.map(({ protocol }) => protocol)).toEqual(["TCP", "TCP"]);
    expect(world.members(zoneBalancerName("az1"))).toEqual(["10.6.1.1", "10.6.1.2"]);
  });

  test("a pool that speaks another protocol is made again by consent where it is the only way in", () => {
    rowOf(first().pools).protocol = "PROXY";
    world.up.delete("10.6.2.1");
    world.intent = { ...world.intent, consents: { ...world.intent.consents, repair: true } };
    world.converge();
    expect(first().pools.map(({ protocol }) => protocol)).toEqual(["TCP", "TCP"]);
  });

  test("a listener that is switched off is no way in: nothing else goes because of it", () => {
    rowOf(first().listeners).adminStateUp = false;
    world.intent = zonesIntent(["az1"], { additionalPorts: tcpPorts(9345) });
    expect(world.plan().actions.map(({ kind }) => kind)).toEqual(["update-listener"]);
    expect(world.plan().refusals.map(({ reason, lane }) => [reason, lane?.part])).toContainEqual([
      "LastHealthyEndpoint",
      "az2",
    ]);
  });
});

describe("a member that somebody drains", () => {
  const drain = (...addresses: readonly string[]) => {
    for (const member of rowOf(first().pools).members) if (addresses.includes(member.address)) member.weight = 0;
  };

  test("takes connections again: all of a pool at once, and nobody leaves", () => {
    drain("10.6.1.1", "10.6.1.2");
    expect(world.converge()).toMatchObject([
      { kind: "merge-members", addresses: "10.6.1.1 10.6.1.2", lane: { part: "az1" } },
    ]);
    expect(rowOf(first().pools).members.map(({ weight }) => weight)).toEqual([1, 1]);
    expect(world.plan()).toMatchObject({ actions: [], refusals: [] });
  });

  test("takes connections again one by one where the provider has no batch", () => {
    world.capabilities = known({ ...amphora, refused: [{ provider: "amphora", feature: "batch-members" }] });
    drain("10.6.1.1", "10.6.1.2");
    expect(world.converge().map(({ kind }) => kind)).toEqual(["merge-members", "merge-members"]);
    expect(rowOf(first().pools).members.map(({ weight }) => weight)).toEqual([1, 1]);
  });

  test("is no way in meanwhile", () => {
    drain("10.6.1.1", "10.6.1.2");
    world.intent = zonesIntent(["az1"], { additionalPorts: tcpPorts(9345) });
    expect(world.plan().actions.map(({ kind }) => kind)).toEqual(["merge-members"]);
    expect(world.plan().refusals.map(({ reason, lane }) => [reason, lane?.part])).toContainEqual([
      "LastHealthyEndpoint",
      "az2",
    ]);
  });

  test("and that is somebody else's is theirs to drain", () => {
    world.addMember(first(), "team-x", "10.6.9.9");
    drain("10.6.9.9");
    world.up.add("10.6.9.9");
    expect(world.plan().actions).toEqual([]);
  });
});

describe("a part in ERROR", () => {
  const theirs = { id: "theirs", name: "team-x", tags: ["team-x"] };
  const inError = { provisioningStatus: "ERROR" as const };

  test.each([
    ["a listener", ({ listeners }: BalancerRow) => Object.assign(rowOf(listeners), inError)],
    ["a pool", ({ pools }: BalancerRow) => Object.assign(rowOf(pools), { status: "ERROR" })],
  ])("is made again while another zone serves: %s", (_what, breakIt) => {
    breakIt(first());
    world.converge();
    expect(world.members(zoneBalancerName("az1"))).toEqual(["10.6.1.1", "10.6.1.2"]);
    expect(first().listeners.every(({ provisioningStatus }) => provisioningStatus === "ACTIVE")).toBe(true);
    expect(world.plan()).toMatchObject({ actions: [], refusals: [] });
  });

  test("is made again also when it bears our tag alone", () => {
    const { listeners, pools } = first();
    Object.assign(rowOf(listeners), { ...inError, name: "renamed-by-hand" });
    Object.assign(rowOf(pools), { status: "ERROR", name: "renamed-by-hand" });
    world.converge();
    expect(first().listeners.map(({ provisioningStatus }) => provisioningStatus)).toEqual(["ACTIVE", "ACTIVE"]);
    expect(first().pools.map(({ status }) => status)).toEqual(["ACTIVE", "ACTIVE"]);
  });

  test("that is somebody else's is left alone, and holds up nothing of ours", () => {
    const { listeners, pools } = first();
    const { defaultPoolId: _, ...listener } = rowOf(listeners);
    listeners.push({ ...listener, ...theirs, ...inError, port: 8132, defaultPoolId: "their-pool" });
    pools.push({ ...rowOf(pools), ...theirs, id: "their-pool", status: "ERROR", members: [] });
    world.join(machine("az1", 3));
    world.converge();
    expect(first().listeners.map(({ id }) => id)).toContain("theirs");
    expect(first().pools.map(({ id }) => id)).toContain("their-pool");
    expect(world.members(zoneBalancerName("az1"))).toEqual(["10.6.1.1", "10.6.1.2", "10.6.1.3"]);
    expect(world.plan().refusals).toEqual([]);
  });
});

describe("a member that Octavia could not set up", () => {
  const inError = (address: string) => {
    const member = rowOf(first().pools).members.find((one) => one.address === address);
    if (member === undefined) throw new Error(`no member ${address}`);
    member.provisioningStatus = "ERROR";
  };

  test("and that does not answer is taken out and made again", () => {
    inError("10.6.1.1");
    world.up.delete("10.6.1.1");
    expect(world.converge().map(({ kind }) => kind)).toEqual(["remove-member", "merge-members"]);
    expect(rowOf(first().pools).members.map(({ provisioningStatus }) => provisioningStatus)).toEqual([
      "ACTIVE",
      "ACTIVE",
    ]);
  });

  test("waits until its balancer has rested, so that one that fails for ever is not tried in a frenzy", () => {
    inError("10.6.1.1");
    first().lb.updatedAt = new Date(world.nowMs - 10_000).toISOString().slice(0, 19);
    expect(world.plan().actions).toEqual([]);
    first().lb.updatedAt = new Date(world.nowMs - 31_000).toISOString().slice(0, 19);
    expect(world.plan().actions.map(({ kind, because }) => [kind, because])).toEqual([
      ["merge-members", "MemberInError"],
    ]);
  });
});

test("a listener of a provider that refuses timeouts is made without", () => {
  const listenersOf = (capabilities: CloudModel["capabilities"]) => {
    const world = new CloudModel(zonesIntent(["az1"]));
    world.capabilities = capabilities;
    return world.converge().flatMap((action) => (action.kind === "create-listener" ? [action.wanted] : []));
  };
  expect(listenersOf(known(refusing()))).toMatchObject([{ clientTimeoutMs: 1_800_000, memberTimeoutMs: 1_800_000 }]);
  const [bare] = listenersOf(known(refusing({ provider: "amphora", feature: "timeouts" })));
  expect(bare).not.toHaveProperty("clientTimeoutMs");
  expect(bare).not.toHaveProperty("memberTimeoutMs");
});
