import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../../../test/support/virtual-clock.ts";
import { isOpenStackError, type OpenStackErrorCode } from "../../../core/openstack/openstack-error.ts";
import type { OpenStackProject } from "../../../ports/openstack.ts";
import { seededRandom } from "../../time/seeded-random.ts";
import type { CloudChange } from "./cloud.ts";
import type { FakeOpenStackOptions } from "./cloud-settings.ts";
import { createLabShaped, type LabShaped } from "./lab-shaped.ts";

interface Setup extends LabShaped {
  readonly clock: VirtualClock;
  readonly member: OpenStackProject;
}

function open(options: Partial<FakeOpenStackOptions> = {}): Setup {
  const clock = new VirtualClock();
  const lab = createLabShaped({ clock, random: seededRandom(1), ...options });
  return { ...lab, clock, member: lab.fake.project(lab.clouds.password) };
}

async function outcome(call: Promise<unknown>): Promise<"done" | OpenStackErrorCode> {
  try {
    await call;
    return "done";
  } catch (error) {
    if (isOpenStackError(error)) return error.code;
    throw error;
  }
}

const wanted = { name: "lb", description: "", tags: [] };
const timings = { delaySeconds: 10, timeoutSeconds: 5, maxRetries: 5, maxRetriesDown: 3 };

async function settle({ clock }: Setup): Promise<void> {
  await clock.advance(10_000);
}

/** A balancer with a listener, a pool, a monitor and members at 10.0.1.11, 10.0.1.12 and so on. */
async function build(setup: Setup, members: number, subnet = 0) {
  const { octavia } = setup.member;
  const balancer = await octavia.createLoadBalancer({ ...wanted, vipSubnetId: setup.subnetIds[subnet] ?? "" });
  await settle(setup);
  const listener = await octavia.createListener({
    loadBalancerId: balancer.id,
    name: "api",
    protocol: "TCP",
    port: 6443,
    tags: [],
  });
  await settle(setup);
  const pool = await octavia.createPool({
    listenerId: listener.id,
    name: "api",
    protocol: "TCP",
    algorithm: "ROUND_ROBIN",
    tags: [],
  });
  await settle(setup);
  await octavia.createHealthMonitor({ poolId: pool.id, name: "api", type: "TCP", tags: [], ...timings });
  await settle(setup);
  const each = Array.from({ length: members }, (_, n) => ({
    name: `m${n}`,
    address: `10.0.1.${11 + n}`,
    port: 6443,
    tags: [],
  }));
  await octavia.mergeMembers(pool.id, each);
  await settle(setup);
  return { balancer, listener, pool };
}

async function health({ member }: Setup, balancerId: string): Promise<string> {
  const tree = await member.octavia.statusTree(balancerId);
  const parts = tree.pools.map(
    (pool) => `${pool.operatingStatus}(${pool.members.map((m) => m.operatingStatus).join(" ")})`,
  );
  return `${tree.operatingStatus} ${parts.join(" ")}`;
}

describe("time", () => {
  test("a balancer stays PENDING for exactly as long as it is told to", async () => {
    const { member, clock, fake, subnetIds } = open();
    fake.settings.phaseMs = () => 60_000;
    const { id } = await member.octavia.createLoadBalancer({ ...wanted, vipSubnetId: subnetIds[0] });
    await clock.advance(59_999);
    expect((await member.octavia.getLoadBalancer(id)).provisioningStatus).toBe("PENDING_CREATE");
    await clock.advance(1);
    expect((await member.octavia.getLoadBalancer(id)).provisioningStatus).toBe("ACTIVE");
  });

  test("a call that takes longer than its deadline is a Timeout; one that timed out late had its effect", async () => {
    const setup = open();
    const { member, clock, fake, subnetIds } = setup;
    await member.identify();
    fake.settings.answerMs = () => 1_000;
    const late = outcome(
      member.octavia.createLoadBalancer({ ...wanted, vipSubnetId: subnetIds[0] }, { deadlineMs: 700 }),
    );
    await clock.advance(2_000);
    expect(await late).toBe("Timeout");
    const early = outcome(
      member.octavia.createLoadBalancer({ ...wanted, vipSubnetId: subnetIds[0] }, { deadlineMs: 300 }),
    );
    await clock.advance(2_000);
    expect(await early).toBe("Timeout");
    expect(fake.cloud.tables.loadbalancers.size).toBe(1);
  });

  test("a call that its caller gives up ends at once", async () => {
    const { member, clock, fake } = open();
    await member.identify();
    fake.settings.answerMs = () => 1_000;
    const giveUp = new AbortController();
    const call = outcome(member.octavia.listProviders({ signal: giveUp.signal }));
    await clock.advance(1);
    giveUp.abort();
    expect(await call).toBe("Timeout");
  });

  test("a token that has expired is replaced without anybody noticing, once for all who wait", async () => {
    const { member, clock, fake } = open({ tokenLifetimeMs: 60_000 });
    await Promise.all([member.octavia.listProviders(), member.octavia.listFlavors(), member.neutron.extensions()]);
    expect(fake.counts().get("keystone authenticate")).toBe(1);
    await clock.advance(61_000);
    expect(await outcome(member.octavia.listProviders())).toBe("done");
    expect(fake.counts().get("keystone authenticate")).toBe(2);
  });
});

describe("call plans", () => {
  test("turns calls away before they have an effect", async () => {
    const { member, fake, subnetIds } = open();
    const stop = fake.addCallPlan(({ operation }) =>
      operation === "create load balancer" ? { turnAway: { status: 503 } } : undefined,
    );
    const create = () => outcome(member.octavia.createLoadBalancer({ ...wanted, vipSubnetId: subnetIds[0] }));
    expect(await create()).toBe("ServerError");
    expect(fake.cloud.tables.loadbalancers.size).toBe(0);
    expect(await outcome(member.octavia.listProviders())).toBe("done");
    stop();
    expect(await create()).toBe("done");
  });

  test("says how long to wait when it slows callers down", async () => {
    const { member, fake } = open();
    fake.addCallPlan(() => ({ turnAway: { status: 429, retryAfterMs: 7_000 } }));
    await expect(member.identify()).rejects.toMatchObject({ code: "TooManyRequests", retryAfterMs: 7_000 });
  });

  test("a service that is away is Unreachable, and the others are not", async () => {
    const { member, fake } = open();
    fake.addCallPlan(({ service }) => (service === "octavia" ? { turnAway: "unreachable" } : undefined));
    expect(await outcome(member.octavia.listProviders())).toBe("Unreachable");
    expect(await outcome(member.neutron.extensions())).toBe("done");
  });

  test("loses replies of calls that had their effect", async () => {
    const { member, clock, fake, subnetIds } = open();
    await member.identify();
    const stop = fake.addCallPlan(({ write }) => (write ? { loseReply: "broken" } : undefined));
    const create = () => outcome(member.octavia.createLoadBalancer({ ...wanted, vipSubnetId: subnetIds[0] }));
    expect(await create()).toBe("Unreachable");
    stop();
    fake.addCallPlan(({ write }) => (write ? { loseReply: "silence" } : undefined));
    const silent = create();
    await clock.advance(60_000);
    expect(await silent).toBe("Timeout");
    expect(await member.octavia.listLoadBalancers({ name: "lb" })).toHaveLength(2);
  });

  test("carries a request out when its caller has given up, and what it then refuses harms nobody", async () => {
    const { member, clock, fake, subnetIds } = open();
    await member.identify();
    fake.addCallPlan(({ write }) => (write ? { lateMs: 40_000 } : undefined));
    const calls = [subnetIds[0], "no-such-subnet"].map((vipSubnetId) =>
      outcome(member.octavia.createLoadBalancer({ ...wanted, vipSubnetId })),
    );
    await clock.advance(35_000);
    expect([...(await Promise.all(calls)), fake.cloud.tables.loadbalancers.size]).toEqual(["Timeout", "Timeout", 0]);
    expect(fake.calls.late.waiting).toBe(2);
    await clock.advance(10_000);
    expect(fake.calls.late.waiting).toBe(0);
    expect(fake.cloud.tables.loadbalancers.all().map(({ id }) => id)).toEqual([...fake.calls.late.made]);
    expect(fake.calls.late.made.size).toBe(1);
  });

  test("knows which balancer a call is about", async () => {
    const setup = open();
    const { balancer, listener } = await build(setup, 1);
    const other = await setup.member.octavia.createLoadBalancer({ ...wanted, vipSubnetId: setup.subnetIds[1] });
    await settle(setup);
    setup.fake.addCallPlan(({ balancerId }) =>
      balancerId === balancer.id ? { turnAway: { status: 500 } } : undefined,
    );
    expect(await outcome(setup.member.octavia.updateListener(listener.id, { name: "x" }))).toBe("ServerError");
    expect(await outcome(setup.member.octavia.statusTree(balancer.id))).toBe("ServerError");
    expect(await outcome(setup.member.octavia.statusTree(other.id))).toBe("done");
  });

  test("a write behind a fence that has run out is not sent", async () => {
    const { member, fake, subnetIds } = open();
    await member.identify();
    const before = fake.counts();
    const fence = { remainingMs: () => 0 };
    const call = member.octavia.createLoadBalancer({ ...wanted, vipSubnetId: subnetIds[0] }, { fence });
    await expect(call).rejects.toMatchObject({ reason: "LeadershipLost" });
    expect(fake.cloud.tables.loadbalancers.size).toBe(0);
    expect(fake.counts()).toEqual(before);
  });
});

describe("zones", () => {
  test("a dark zone leaves its balancers PENDING until the light is back; other zones do not notice", async () => {
    const setup = open();
    const { member, fake, subnetIds } = setup;
    fake.faults.darkenZone("az1", "stuck");
    const dark = await member.octavia.createLoadBalancer({ ...wanted, vipSubnetId: subnetIds[0] });
    const light = await member.octavia.createLoadBalancer({ ...wanted, vipSubnetId: subnetIds[1] });
    await setup.clock.advance(600_000);
    expect((await member.octavia.getLoadBalancer(dark.id)).provisioningStatus).toBe("PENDING_CREATE");
    expect((await member.octavia.getLoadBalancer(light.id)).provisioningStatus).toBe("ACTIVE");
    fake.faults.lightenZone("az1");
    expect((await member.octavia.getLoadBalancer(dark.id)).provisioningStatus).toBe("ACTIVE");
  });

  test("a dark zone can end in ERROR, from which only deletion leads, once the light is back", async () => {
    const setup = open();
    const { member, fake, subnetIds } = setup;
    fake.faults.darkenZone("az2", "error");
    const fields = { ...wanted, vipSubnetId: subnetIds[0], availabilityZone: "az2" };
    const { id } = await member.octavia.createLoadBalancer(fields);
    await settle(setup);
    expect((await member.octavia.getLoadBalancer(id)).provisioningStatus).toBe("ERROR");
    fake.faults.lightenZone("az2");
    await member.octavia.deleteLoadBalancer(id);
    await settle(setup);
    expect(await outcome(member.octavia.getLoadBalancer(id))).toBe("NotFound");
  });

  test("members with addresses of a dark zone are down wherever they serve", async () => {
    const setup = open();
    const { balancer } = await build(setup, 2, 1);
    setup.fake.faults.darkenZone("az1", "stuck");
    await settle(setup);
    expect(await health(setup, balancer.id)).toBe("ERROR ERROR(ERROR ERROR)");
    setup.fake.faults.lightenZone("az1");
    await settle(setup);
    expect(await health(setup, balancer.id)).toBe("ONLINE ONLINE(ONLINE ONLINE)");
  });
});

describe("health", () => {
  test("one member down is DEGRADED, all down is ERROR", async () => {
    const setup = open();
    const { balancer } = await build(setup, 2);
    setup.fake.faults.setMemberDown("10.0.1.11:6443", true);
    await settle(setup);
    expect(await health(setup, balancer.id)).toBe("DEGRADED DEGRADED(ERROR ONLINE)");
    setup.fake.faults.setMemberDown("10.0.1.12", true);
    await settle(setup);
    expect(await health(setup, balancer.id)).toBe("ERROR ERROR(ERROR ERROR)");
  });

  test("weight 0 drains, a disabled member is OFFLINE, an empty pool is no failure", async () => {
    const setup = open();
    const { balancer, pool } = await build(setup, 2);
    const [first, second] = await setup.member.octavia.listMembers(pool.id);
    await setup.member.octavia.updateMember(pool.id, first?.id ?? "", { weight: 0 });
    await settle(setup);
    await setup.member.octavia.updateMember(pool.id, second?.id ?? "", { adminStateUp: false });
    await settle(setup);
    expect(await health(setup, balancer.id)).toBe("ONLINE ONLINE(DRAINING OFFLINE)");
    for (const { id } of await setup.member.octavia.listMembers(pool.id)) {
      await setup.member.octavia.deleteMember(pool.id, id);
      await settle(setup);
    }
    expect(await health(setup, balancer.id)).toBe("ONLINE ONLINE()");
  });
});

describe("limits", () => {
  test("quotas hold for everything below a balancer, and a batch is taken whole or not at all", async () => {
    const setup = open();
    const { balancer, pool } = await build(setup, 1);
    const { octavia } = setup.member;
    setup.fake.faults.setQuota(setup.projectId, "listener", 1);
    const listener = { loadBalancerId: balancer.id, name: "two", protocol: "TCP", port: 443, tags: [] };
    expect(await outcome(octavia.createListener(listener))).toBe("QuotaExceeded");
    setup.fake.faults.setQuota(setup.projectId, "member", 2);
    const more = [12, 13].map((n) => ({ name: `m${n}`, address: `10.0.1.${n}`, port: 6443, tags: [] }));
    expect(await outcome(octavia.mergeMembers(pool.id, more))).toBe("QuotaExceeded");
    expect(await octavia.listMembers(pool.id)).toHaveLength(1);
    setup.fake.faults.setQuota(setup.projectId, "member", undefined);
    expect(await outcome(octavia.mergeMembers(pool.id, more))).toBe("done");
  });

  test("a full subnet is the provider's failure, and a deleted balancer gives its address back", async () => {
    const setup = open();
    const { member, fake, isolated } = setup;
    for (let host = 2; host < 255; host += 1) fake.cloud.addresses.take(isolated.subnetId, `172.31.0.${host}`);
    const create = () => member.octavia.createLoadBalancer({ ...wanted, vipSubnetId: isolated.subnetId });
    expect(await outcome(create())).toBe("ServerError");
    fake.cloud.addresses.release(isolated.subnetId, "172.31.0.77");
    const { id, vipAddress } = await create();
    expect(vipAddress).toBe("172.31.0.77");
    await settle(setup);
    await member.octavia.deleteLoadBalancer(id);
    await settle(setup);
    expect((await create()).vipAddress).toBe("172.31.0.77");
  });

  test("a provider without zones refuses them, and works without", async () => {
    const { member, subnetIds } = open({ providers: { plain: "plain" } });
    const create = { ...wanted, vipSubnetId: subnetIds[0] };
    expect(await outcome(member.octavia.createLoadBalancer({ ...create, availabilityZone: "az1" }))).toBe(
      "Unsupported",
    );
    expect(await outcome(member.octavia.createLoadBalancer(create))).toBe("done");
  });

  test("a provider may call a zone a bad request although Octavia lists it", async () => {
    const { member, subnetIds } = open({ providers: { other: "misplaced" } });
    const create = { ...wanted, vipSubnetId: subnetIds[0] };
    expect(await member.octavia.listAvailabilityZones()).toContainEqual({ name: "az1", enabled: true });
    expect(await outcome(member.octavia.createLoadBalancer({ ...create, availabilityZone: "az1" }))).toBe("BadRequest");
    expect(await outcome(member.octavia.createLoadBalancer(create))).toBe("done");
  });

  test.each([
    ["untimed", ["Unsupported", "done"]],
    ["unlisted", ["done", "Unsupported"]],
    ["sparse", ["Unsupported", "Unsupported"]],
  ] as const)("a provider that is %s answers 501 to what its listeners lack", async (behaviour, answers) => {
    const setup = open({ providers: { other: behaviour } });
    const { octavia } = setup.member;
    const { id: loadBalancerId } = await octavia.createLoadBalancer({ ...wanted, vipSubnetId: setup.subnetIds[0] });
    await settle(setup);
    const make = async (port: number, more: object) => {
      const made = await outcome(
        octavia.createListener({ name: "x", protocol: "TCP", tags: [], loadBalancerId, port, ...more }),
      );
      await settle(setup);
      return made;
    };
    expect([await make(1, { clientTimeoutMs: 60_000 }), await make(2, { allowedCidrs: ["192.0.2.0/24"] })]).toEqual(
      answers,
    );
    expect(await make(3, {})).toBe("done");
  });

  test("an old Octavia knows neither zones nor access lists nor additive batches", async () => {
    const setup = open({ octaviaMinor: 10 });
    const { octavia } = setup.member;
    const create = { ...wanted, vipSubnetId: setup.subnetIds[0] };
    expect(await outcome(octavia.createLoadBalancer({ ...create, availabilityZone: "az1" }))).toBe("BadRequest");
    expect(await outcome(octavia.listAvailabilityZones())).toBe("NotFound");
    const { id } = await octavia.createLoadBalancer(create);
    await settle(setup);
    const listener = {
      loadBalancerId: id,
      name: "api",
      protocol: "TCP",
      port: 6443,
      tags: [],
      allowedCidrs: ["192.0.2.0/24"],
    };
    expect(await outcome(octavia.createListener(listener))).toBe("BadRequest");
  });

  test("a field that nobody knows is refused, even from in here", async () => {
    const { member, subnetIds } = open();
    const odd = { ...wanted, vipSubnetId: subnetIds[0], colour: "blue" };
    expect(await outcome(member.octavia.createLoadBalancer(odd))).toBe("BadRequest");
  });
});

describe("evidence", () => {
  test("every change is notified at once: who, what, before and after", async () => {
    const setup = open();
    const changes: CloudChange[] = [];
    const stop = setup.fake.onChange((change) => changes.push(change));
    const { id } = await setup.member.octavia.createLoadBalancer({ ...wanted, vipSubnetId: setup.subnetIds[0] });
    await settle(setup);
    setup.fake.faults.setStatus("loadbalancers", id, { provisioning: "ERROR" });
    stop();
    await setup.member.octavia.deleteLoadBalancer(id);
    const seen = changes
      .filter(({ kind }) => kind === "loadbalancers")
      .map(({ by, before, after }) => [by, statusOf(before), statusOf(after)]);
    expect(seen).toEqual([
      ["demo", undefined, "PENDING_CREATE/OFFLINE"],
      ["octavia", "PENDING_CREATE/OFFLINE", "ACTIVE/OFFLINE"],
      ["octavia", "ACTIVE/OFFLINE", "ACTIVE/ONLINE"],
      ["hand", "ACTIVE/ONLINE", "ERROR/ONLINE"],
    ]);
  });

  test("calls are counted by service and operation", async () => {
    const setup = open();
    await build(setup, 2);
    const counts = setup.fake.counts();
    expect(counts.get("octavia create load balancer")).toBe(1);
    expect(counts.get("octavia merge members")).toBe(1);
    setup.fake.resetCounts();
    expect(setup.fake.counts().size).toBe(0);
  });

  test("the same calls give the same world, ids and all", async () => {
    const worlds = await Promise.all(
      [open(), open()].map(async (setup) => {
        await build(setup, 3);
        return JSON.stringify(Object.values(setup.fake.cloud.tables).map((table) => table.all()));
      }),
    );
    expect(worlds[0]).toBe(worlds[1]);
  });
});

function statusOf(row: unknown): string | undefined {
  if (row === undefined) return undefined;
  const { provisioningStatus, operatingStatus } = row as { provisioningStatus: string; operatingStatus: string };
  return `${provisioningStatus}/${operatingStatus}`;
}
