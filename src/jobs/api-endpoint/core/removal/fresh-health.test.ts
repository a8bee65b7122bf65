import { beforeEach, describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import { machine, zoneBalancerName, zonesIntent } from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { known } from "../../../../core/known.ts";
import { backoffKey } from "../../../../core/plan.ts";
import type { EndpointObserved } from "../model/observed.ts";
import { planEndpoint } from "../plan.ts";
import { awaitedHealthMs, freshHealthMs, readAgainFor } from "./fresh-health.ts";

const az = ["az1", "az2", "az3"] as const;
let world: CloudModel;

beforeEach(() => {
  world = new CloudModel(zonesIntent(az));
  world.join(...az.map((zone) => machine(zone, 1)));
  world.converge();
  world.nowMs += 60_000;
});

const idOf = (zone: string) => world.row(zoneBalancerName(zone)).lb.id;
const fail = (zone: string) => {
  world.row(zoneBalancerName(zone)).lb.provisioningStatus = "ERROR";
  world.report();
};

/** With what is below the balancers of these zones read so long ago. */
function observed(ages: Readonly<Record<string, number>>): EndpointObserved {
  const now = world.observe();
  const byId = new Map(Object.entries(ages).map(([zone, ageMs]) => [idOf(zone), now.monotonicMs - ageMs]));
  if (!now.balancers.known) throw new Error("no balancers");
  const balancers = now.balancers.value.map((one) => {
    const treeAskedMs = byId.get(one.balancer.id);
    return treeAskedMs === undefined ? one : { ...one, treeAskedMs };
  });
  return { ...now, balancers: known(balancers) };
}

const isZone = (one: { readonly balancer: { readonly id: string } }, zone: string) => one.balancer.id === idOf(zone);

function planAt(ages: Readonly<Record<string, number>>) {
  const plan = planEndpoint(observed(ages), world.nowMs);
  return { kinds: plan.actions.map(({ kind }) => kind), readAgain: [...readAgainFor(plan)], plan };
}

describe("a balancer in ERROR", () => {
  beforeEach(() => fail("az1"));

  test("is rebuilt on what was read a minute ago, and not on what is older", () => {
    expect(planAt({ az2: freshHealthMs, az3: 0 }).kinds).toContain("delete-load-balancer");
    expect(planAt({ az2: freshHealthMs + 1, az3: 0 })).toMatchObject({ kinds: [], readAgain: [idOf("az2")] });
  });

  test("is rebuilt on an older answer that was asked for while it waited, and not on one from before, or of long ago", () => {
    const kindsAt = (ageMs: number, waitedMs: number) => {
      const now = observed({ az2: ageMs, az3: 0 });
      const plan = planEndpoint({ ...now, healthAwaitedSince: now.monotonicMs - waitedMs }, world.nowMs);
      return plan.actions.map(({ kind }) => kind);
    };
    expect(kindsAt(awaitedHealthMs, awaitedHealthMs)).toContain("delete-load-balancer");
    expect(kindsAt(freshHealthMs + 2, freshHealthMs + 1)).toEqual([]);
    expect(kindsAt(awaitedHealthMs + 1, 3_600_000)).toEqual([]);
  });

  test("is not rebuilt where nobody knows when another was read", () => {
    const now = observed({ az2: 0, az3: 0 });
    const balancers = (now.balancers.known ? now.balancers.value : []).map((one) => {
      const { treeAskedMs: _, ...undated } = one;
      return isZone(one, "az2") ? undated : one;
    });
    const plan = planEndpoint({ ...now, balancers: known(balancers) }, world.nowMs);
    expect([plan.actions, [...readAgainFor(plan)]]).toEqual([[], [idOf("az2")]]);
  });

  test("that backs off has nobody read again for it until its time comes, and is not begun before", () => {
    const key = backoffKey(planAt({ az2: 0, az3: 0 }).plan.actions[0] ?? {});
    const planWhile = (failedForMs: number, az2: number) => {
      const plan = planEndpoint({ ...observed({ az2, az3: 0 }), failed: new Map([[key, failedForMs]]) }, world.nowMs);
      const [first] = plan.actions;
      return [first?.kind, first?.notNow, [...readAgainFor(plan)]];
    };
    expect(planWhile(1, 3_600_000)).toEqual(["delete-load-balancer", true, []]);
    expect(planWhile(1, 0)).toEqual(["delete-load-balancer", undefined, []]);
    expect(planWhile(0, 3_600_000)).toEqual([undefined, undefined, [idOf("az2")]]);
  });

  test("waits in words that name what is read again, and it is asked for again after a while", () => {
    const { plan } = planAt({ az2: 3_600_000, az3: 3_600_000 });
    expect(plan.waits).toMatchObject([
      {
        reason: "HealthOutdated",
        message: `load balancer ${zoneBalancerName("az1")}: before it goes, it is read again who answers behind ${zoneBalancerName("az2")}, ${zoneBalancerName("az3")}`,
        recheckAfterMs: 15_000,
        lane: { part: "az1" },
      },
    ]);
  });

  test("waits as well where somebody agreed, and it is not said that it goes by that consent", () => {
    for (const zone of az) fail(zone);
    world.row(zoneBalancerName("az3")).lb.provisioningStatus = "ACTIVE";
    world.intent = { ...world.intent, consents: { ...world.intent.consents, repair: true } };
    const { kinds, plan } = planAt({ az3: 3_600_000 });
    expect(kinds).not.toContain("delete-load-balancer");
    expect(plan.refusals.map(({ reason }) => reason)).not.toContain("RepairAgreed");
  });

  test("its own age, and that of one through which nobody comes, does not matter", () => {
    world.up.delete("10.6.3.1");
    world.intent = { ...world.intent, consents: { ...world.intent.consents, repair: true } };
    expect(planAt({ az1: 3_600_000, az2: 0, az3: 3_600_000 }).kinds).toContain("delete-load-balancer");
  });
});

describe("a member that answers", () => {
  beforeEach(() => world.setDeleting("cp-az1-1"));

  test("leaves when one other zone was just seen to serve", () => {
    expect(planAt({ az2: 3_600_000, az3: 0 }).kinds).toContain("remove-member");
  });

  test("stays until one is read again", () => {
    const { kinds, readAgain } = planAt({ az2: 3_600_000, az3: 3_600_000 });
    expect([kinds, readAgain.toSorted()]).toEqual([[], [idOf("az2"), idOf("az3")].toSorted()]);
  });

  test("stays until one that people have an address of is read again, where they have one of its own", () => {
    const port = world.row(zoneBalancerName("az3")).lb.vipPortId;
    world.floatingIps = world.floatingIps.filter(({ portId }) => portId !== port);
    const { kinds, readAgain } = planAt({ az2: 3_600_000, az3: 0 });
    expect([kinds.includes("remove-member"), readAgain]).toEqual([false, [idOf("az2")]]);
    expect(planAt({ az2: 0, az3: 3_600_000 }).kinds).toContain("remove-member");
  });

  test("does not leave because of another that leaves with it", () => {
    world.setDeleting("cp-az2-1");
    const { kinds, readAgain } = planAt({ az3: 3_600_000 });
    expect([kinds, readAgain]).toEqual([["remove-member"], [idOf("az3")]]);
  });

  test("lets everything else on its balancer come first", () => {
    world.join(machine("az1", 2));
    expect(planAt({ az1: 3_600_000, az2: 3_600_000, az3: 3_600_000 }).kinds).toEqual(["merge-members"]);
  });
});

describe("a DNS record", () => {
  const old = { az1: 3_600_000, az2: 3_600_000, az3: 3_600_000 };
  beforeEach(() => {
    world.intent = { ...world.intent, publishDns: true };
    world.converge();
  });
  const records = (ages: Readonly<Record<string, number>>) =>
    planAt(ages).plan.actions.filter(({ kind }) => kind === "apply-dns-endpoint");

  test("of a zone that serves goes when one of those that stay was just seen to serve", () => {
    world.intent = { ...zonesIntent(["az2", "az3"]), publishDns: true };
    expect(records({ ...old, az3: 0 })).toHaveLength(1);
    expect(records({ ...old, az1: 0 })).toEqual([]);
    const { plan, readAgain } = planAt(old);
    expect(readAgain.toSorted()).toEqual([idOf("az2"), idOf("az3")].toSorted());
    expect(plan.waits).toContainEqual(
      expect.objectContaining({
        reason: "HealthOutdated",
        message: `a DNS record of api.demo.example.com: before it goes, it is read again who answers behind ${zoneBalancerName("az2")}, ${zoneBalancerName("az3")}`,
      }),
    );
  });

  const addressOf = (zone: string) => {
    const { vipPortId } = world.row(zoneBalancerName(zone)).lb;
    return world.floatingIps.find(({ portId }) => portId === vipPortId)?.address ?? "";
  };
  const addressesOf = (...zones: readonly string[]) => zones.map(addressOf).toSorted();

  test("of a zone that may serve waits alone: one of a dead zone goes all the same", () => {
    world.up.delete("10.6.3.1");
    world.report();
    world.nowMs += 60_000;
    world.intent = { ...zonesIntent(["az2", "az3"]), publishDns: true };
    expect(records(old)).toMatchObject([{ addresses: addressesOf("az1", "az2") }]);
    expect(planAt(old).readAgain).toEqual([idOf("az2")]);
    expect(records({ ...old, az2: 0 })).toMatchObject([{ addresses: addressesOf("az2") }]);
  });

  test("of a zone that may serve waits alone: one that is new is added all the same, once", () => {
    const host = "api.demo.example.com";
    world.object = { ...world.object, dnsEndpoint: { host, addresses: addressesOf("az1", "az2") } };
    world.intent = { ...zonesIntent(["az2", "az3"]), publishDns: true };
    expect(records(old)).toMatchObject([{ addresses: addressesOf("az1", "az2", "az3") }]);
    world.object = { ...world.object, dnsEndpoint: { host, addresses: addressesOf("az1", "az2", "az3") } };
    expect(records(old)).toEqual([]);
    expect(planAt(old).readAgain.toSorted()).toEqual([idOf("az2"), idOf("az3")].toSorted());
  });

  test("of a zone that may serve waits alone: the name changes all the same", () => {
    world.object = { ...world.object, dnsEndpoint: { host: "old.example.com", addresses: addressesOf(...az) } };
    world.intent = { ...zonesIntent(["az2", "az3"]), publishDns: true };
    expect(records(old)).toMatchObject([{ host: "api.demo.example.com", addresses: addressesOf(...az) }]);
  });

  test("of a zone in which nobody answers goes whatever is known of others", () => {
    world.up.delete("10.6.1.1");
    world.report();
    world.nowMs += 60_000;
    expect(records(old)).toHaveLength(1);
  });
});

test("one that does not answer leaves whatever is known of others: nobody loses anything", () => {
  world.up.delete("10.6.1.1");
  world.setDeleting("cp-az1-1");
  expect(planAt({ az2: 3_600_000, az3: 3_600_000 }).kinds).toContain("remove-member");
});

test("a cluster that goes waits for nobody", () => {
  for (const zone of az) world.leave(`cp-${zone}-1`);
  world.intent = { ...world.intent, deleting: true };
  const { kinds } = planAt({ az1: 3_600_000, az2: 3_600_000, az3: 3_600_000 });
  expect(kinds.filter((kind) => kind === "delete-load-balancer")).toHaveLength(3);
});
