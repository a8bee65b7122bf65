import { describe, expect, test } from "vitest";
import type { KubeObject } from "../../../../apis/kube/kube-object.ts";
import { objectDetail, objectSummary } from "../../../../core/views/object-summary.ts";
import type { LoadBalancerStatus } from "../../apis/load-balancer/api-server-load-balancer.ts";
import { openStackClusters } from "../../apis/openstack-cluster/openstack-cluster.ts";
import { zoneHealth } from "./zone-health.ts";
import { zoneParts } from "./zone-parts.ts";

const whole: LoadBalancerStatus = {
  id: "lb",
  name: "k8s-blue",
  ip: "203.0.113.11",
  internalIP: "10.0.1.2",
  provisioningStatus: "ACTIVE",
  operatingStatus: "ONLINE",
  health: "Healthy",
  members: { total: 1, healthy: 1 },
};
const dark: LoadBalancerStatus = {
  ...whole,
  operatingStatus: "ERROR",
  health: "Unhealthy",
  members: { total: 1, healthy: 0 },
};
const lost = { since: "2026-01-01T00:00:00Z", because: "Gone" } as const;
const condition = (status: string, reason: string, message = "") => ({
  type: "MembersHealthy",
  status,
  reason,
  message,
  lastTransitionTime: "2026-01-01T00:00:00Z",
});

function cluster(status: object): KubeObject {
  return {
    apiVersion: "v1",
    kind: "OpenStackCluster",
    metadata: { name: "blue", namespace: "default" },
    status,
  } as KubeObject;
}
const zones = (...entries: readonly LoadBalancerStatus[]) =>
  entries.map((entry, index) => ({ availabilityZone: `az${index + 1}`, ...entry }));
const inputOf = (object: KubeObject) => {
  return { kind: openStackClusters, object, controllers: [], plans: [], parts: zoneParts(object) };
};
const summaryOf = (status: object) => objectSummary(inputOf(cluster(status)));

describe("the parts of an endpoint", () => {
  test("are its zones, with who answers, how they are reached and whether clients are told of them", () => {
    const status = {
      apiServerLoadBalancers: zones(
        { ...whole, dns: { addresses: ["203.0.113.11"] } },
        { ...dark, dns: { addresses: [], badSince: "2026-01-01T00:00:00Z" } },
      ),
    };
    expect(zoneParts(cluster(status))).toEqual({
      noun: ["zone", "zones"],
      table: {
        title: "Zones",
        nameColumn: "Zone",
        columns: ["Machines", "Address", "Balancer", "DNS"],
        rows: [
          {
            name: "az1",
            health: "healthy",
            cells: [
              { text: "1 of 1 answers", share: { good: 1, total: 1 } },
              { text: "203.0.113.11", exact: true, note: "VIP 10.0.1.2" },
              { text: "ACTIVE, ONLINE", note: "k8s-blue, id lb" },
              { text: "in the records" },
            ],
          },
          {
            name: "az2",
            health: "unhealthy",
            withdrawn: "out of DNS",
            since: "2026-01-01T00:00:00Z",
            cells: [
              { text: "0 of 1 answers", share: { good: 0, total: 1 }, odd: true },
              { text: "203.0.113.11", exact: true, note: "VIP 10.0.1.2" },
              { text: "ACTIVE, ERROR because no machine answers", note: "k8s-blue, id lb", odd: true },
              { text: "left out", odd: true },
            ],
          },
        ],
      },
    });
  });

  test("say nothing about DNS where no records are published", () => {
    const parts = zoneParts(cluster({ apiServerLoadBalancers: zones(whole) }));
    expect(parts?.table.columns).toEqual(["Machines", "Address", "Balancer"]);
    expect(parts?.table.rows[0]?.cells).toHaveLength(3);
  });

  test("say which of them leaves, and when: it is out of the records, and serves a little longer", () => {
    const status = {
      apiServerLoadBalancers: zones(whole, { ...whole, id: "old" }),
      leavingLoadBalancers: [{ id: "old", since: "2026-01-01T00:00:00Z" }],
    };
    const rows = zoneParts(cluster(status))?.table.rows ?? [];
    expect(rows.map(({ cells }) => cells[2]?.text)).toEqual([
      "ACTIVE, ONLINE",
      "ACTIVE, ONLINE, leaving, goes at 2026-01-01T00:00:45.000Z",
    ]);
  });

  test("never say when one goes that the latest plan refuses to remove", () => {
    const status = {
      apiServerLoadBalancers: zones(whole, { ...whole, id: "old" }),
      leavingLoadBalancers: [{ id: "old", since: "2026-01-01T00:00:00Z" }],
    };
    const refusal = { reason: "LastHealthyEndpoint", message: "" } as const;
    const ending = (part: string) =>
      zoneParts(cluster(status), [{ ...refusal, lane: { part } }])?.table.rows[1]?.cells[2]?.text;
    expect(ending("az2")).toBe("ACTIVE, ONLINE, unwanted, stays");
    expect(ending("az1")).toContain("goes at");
  });

  test("stand before what is of no zone, which counts for none of them: a fall-back, and what leaves", () => {
    const status = {
      apiServerLoadBalancers: zones(whole),
      apiServerLoadBalancer: { ...dark, id: "fallback", name: "old" },
      leavingLoadBalancers: [{ id: "gone", name: "older", since: "2026-01-01T00:00:00Z" }],
    };
    const { table, noun } = zoneParts(cluster(status)) ?? {};
    expect([noun, table?.rows.map(({ name }) => name)]).toEqual([["zone", "zones"], ["az1"]]);
    expect(table?.others?.map(({ name, cells }) => [name, cells[2]?.note, cells[2]?.text])).toEqual([
      ["none", "old, id fallback", "ACTIVE, ERROR because no machine answers"],
      ["none", "older, id gone", "not known, leaving, goes at 2026-01-01T00:00:45.000Z"],
    ]);
    const mirrored = { ...status, apiServerLoadBalancer: whole, leavingLoadBalancers: [] };
    expect(zoneParts(cluster(mirrored))?.table.others).toBeUndefined();
  });

  test.each<readonly [boolean, Partial<LoadBalancerStatus>, string]>([
    [false, {}, "ACTIVE, ONLINE"],
    [false, { probe: "Answered" }, "ACTIVE, ONLINE, answers"],
    [false, { probe: "FailedOnce" }, "ACTIVE, ONLINE, a probe failed"],
    [true, { probe: "Failed" }, "ACTIVE, ONLINE, does not answer"],
    [true, { provisioningStatus: "ERROR" }, "ERROR, ONLINE"],
    [true, { operatingStatus: "ERROR" }, "ACTIVE, ERROR"],
    [true, { operatingStatus: "OFFLINE" }, "ACTIVE, OFFLINE"],
    [false, { operatingStatus: "DEGRADED" }, "ACTIVE, DEGRADED"],
  ])("mark a balancer that people should look at (%s): %o", (odd, over, text) => {
    const rows = zoneParts(cluster({ apiServerLoadBalancers: zones({ ...whole, health: "Unhealthy", ...over }) }))
      ?.table.rows;
    const { odd: isOdd = false, ...cell } = rows?.[0]?.cells[2] ?? {};
    expect([isOdd, cell]).toMatchObject([odd, { text }]);
  });

  test.each<readonly [string | undefined, LoadBalancerStatus, string | undefined]>([
    [undefined, whole, undefined],
    [undefined, whole, "2026-01-01T00:00:00Z"],
    [undefined, dark, undefined],
    ["may leave soon", dark, "2026-01-01T00:00:00Z"],
  ])("say %j of a zone in the records that is %o, bad since %s", (note, entry, badSince) => {
    const dns = { addresses: ["203.0.113.11"], ...(badSince === undefined ? {} : { badSince }) };
    const rows = zoneParts(cluster({ apiServerLoadBalancers: zones({ ...entry, dns }) }))?.table.rows;
    expect(rows?.[0]?.cells[3]).toEqual({ text: "in the records", ...(note === undefined ? {} : { note }) });
  });

  test("do not say that nobody stands behind a dead balancer that nobody can look below", () => {
    const unread = { ...dark, probe: "Failed", members: { total: 0, healthy: 0 } } as const;
    const { rows } = zoneParts(cluster({ apiServerLoadBalancers: zones(whole, unread) }))?.table ?? {};
    expect(rows?.[1]?.cells[0]?.text).toBe("not known");
  });

  test("are one balancer where there are no zones", () => {
    const parts = zoneParts(cluster({ apiServerLoadBalancer: whole }));
    expect(parts).toMatchObject({
      noun: ["balancer", "balancers"],
      table: { title: "Load balancer", rows: [{ name: "all" }] },
    });
  });

  test("are none where nothing is reported, and where another controller reported", () => {
    const { health: _, ...capo } = whole;
    expect(zoneParts(cluster({}))).toBeUndefined();
    expect(zoneParts(cluster({ apiServerLoadBalancer: capo }))).toBeUndefined();
  });
});

test.each([
  ["healthy", whole],
  ["unhealthy", dark],
  ["degraded", { ...whole, health: "Degraded", operatingStatus: "DEGRADED" }],
  ["degraded", { ...whole, provisioningStatus: "ERROR" }],
  ["progressing", { health: "Empty" }],
  ["progressing", { ...whole, health: "Empty" }],
  ["progressing", { ...dark, provisioningStatus: "PENDING_CREATE" }],
  ["progressing", { ...dark, operatingStatus: "ONLINE" }],
  ["unhealthy", { ...whole, health: "Unhealthy" }],
  ["unhealthy", { ...dark, operatingStatus: "ONLINE", probe: "Failed" }],
  ["unhealthy", { ...dark, provisioningStatus: "PENDING_CREATE", repair: lost }],
  ["unhealthy", { health: "Unhealthy", repair: lost }],
  ["unknown", { health: "Unknown", repair: lost }],
  ["healthy", { ...whole, repair: lost }],
  ["progressing", { ...dark, operatingStatus: "ONLINE", probe: "FailedOnce" }],
  ["progressing", { ...whole, health: "Degraded" }],
  ["unknown", { ...whole, health: "Unknown" }],
  ["unknown", { health: "Unknown" }],
] as const)("a zone is %s when its balancer says %o", (health, entry) => {
  expect(zoneHealth(entry)).toBe(health);
});

describe("an object with parts", () => {
  const good = condition("True", "AsExpected");

  test("counts them in its summary and shows them in its detail", () => {
    const object = cluster({ apiServerLoadBalancers: zones(whole, whole), conditions: [good] });
    const input = inputOf(object);
    expect(objectSummary(input)).toMatchObject({
      health: "healthy",
      parts: { noun: ["zone", "zones"], healths: ["healthy", "healthy"] },
    });
    expect(objectDetail({ ...input, what: "", log: [], events: [], relations: [] }).partsTable?.rows).toHaveLength(2);
  });

  test("is no better than its worst part, in the words of the condition that speaks of it", () => {
    const lost = condition("False", "MembersUnhealthy", "az2: 0 of 1 machine answers");
    expect(summaryOf({ apiServerLoadBalancers: zones(whole, dark), conditions: [lost] })).toMatchObject({
      health: "degraded",
      reason: "MembersUnhealthy",
      sentence:
        "MembersHealthy is False: az2: 0 of 1 machine answers. You have to act: mainstay runbook MembersUnhealthy says how.",
    });
    expect(summaryOf({ apiServerLoadBalancers: zones(whole, dark), conditions: [good] })).toMatchObject({
      health: "degraded",
      sentence: "Not healthy: zone az2. Mainstay waits and goes on by itself.",
    });
  });

  test("says that a zone is refused whose subnet was not found, and not that it is in progress", () => {
    const mistyped: LoadBalancerStatus = { health: "Empty", members: { total: 0, healthy: 0 } };
    const refused = { ...condition("False", "SubnetUnresolved", "az2: there is no subnet"), type: "NetworkReady" };
    const healths = (conditions: readonly object[]) =>
      zoneParts(cluster({ apiServerLoadBalancers: zones(whole, mistyped), conditions }))?.table.rows.map(
        ({ health }) => health,
      );
    expect(healths([refused])).toEqual(["healthy", "refused"]);
    expect(healths([good])).toEqual(["healthy", "progressing"]);
  });

  test("counts zones that serve although not every member answers as serving", () => {
    const partly: LoadBalancerStatus = { ...dark, health: "Degraded", members: { total: 3, healthy: 2 } };
    const { parts } = summaryOf({ apiServerLoadBalancers: zones(partly, partly, dark), conditions: [good] });
    expect(parts).toMatchObject({ healths: ["degraded", "degraded", "unhealthy"], serving: 2 });
  });

  test("that has one part alone does not name it: there is no other", () => {
    expect(summaryOf({ apiServerLoadBalancer: dark, conditions: [good] }).sentence).toBe(
      "Not healthy: the balancer. Mainstay waits and goes on by itself.",
    );
  });

  test("is unknown while nobody can look at a part, whatever is waited for meanwhile", () => {
    const waits = condition("False", "LoadBalancerPending", "az1 is being made");
    const unseen: LoadBalancerStatus = { ...whole, health: "Unknown" };
    expect(summaryOf({ apiServerLoadBalancers: zones(whole), conditions: [waits] }).health).toBe("progressing");
    expect(summaryOf({ apiServerLoadBalancers: zones(whole, unseen), conditions: [waits] }).health).toBe("unknown");
  });

  test("is as bad as its conditions say, however well its parts are", () => {
    const refused = condition("False", "TopologyDrift");
    expect(summaryOf({ apiServerLoadBalancers: zones(whole), conditions: [refused] }).health).toBe("refused");
  });
});
