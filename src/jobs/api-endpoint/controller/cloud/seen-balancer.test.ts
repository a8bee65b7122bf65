import { describe, expect, test } from "vitest";
import { known } from "../../../../core/known.ts";
import type { LoadBalancer } from "../../../../core/openstack/octavia-objects.ts";
import { howToLook, type Seen } from "./seen-balancer.ts";

const hour = 3_600_000;
const row = {
  id: "lb",
  provisioningStatus: "ACTIVE",
  operatingStatus: "ONLINE",
  updatedAt: "2026-01-01T00:00:00",
} as LoadBalancer;

interface Told {
  readonly balancer?: Partial<LoadBalancer>;
  readonly member?: string;
  /** Between the first sight of its stamp and the look. */
  readonly stampAgeMs?: number;
}

function seen({ balancer, member = "ONLINE", stampAgeMs = 2_000 }: Told = {}): Seen {
  const members = [{ operatingStatus: member }];
  const tree = known({ listeners: [], pools: [{ members }] });
  const observed = {
    balancer: { ...row, ...balancer },
    listeners: [],
    monitors: [],
    tree,
  } as unknown as Seen["observed"];
  return { observed, lookedMs: 0, stampSeenMs: -stampAgeMs };
}

const how = (before: Seen | undefined, now: Partial<LoadBalancer> = {}, nowMs = 30_000) =>
  howToLook(before, { ...row, ...now }, nowMs).look;

describe("a balancer is", () => {
  test("looked into when it is new, and kept while it is well and as it was, for an hour", () => {
    expect(how(undefined)).toBe("into");
    expect(how(seen())).toBe("keep");
    expect(how(seen(), {}, hour)).toBe("into");
  });

  test("looked into when its stamp moved, or was there for less than Octavia's grain when it was looked into", () => {
    expect(how(seen(), { updatedAt: "2026-01-01T00:00:01" })).toBe("into");
    expect(how(seen({ stampAgeMs: 1_999 }))).toBe("into");
  });

  test.each(["OFFLINE", "ERROR", "DEGRADED"])("asked for its health alone while a member was %s", (member) => {
    expect(how(seen({ member }))).toBe("health");
  });

  test("asked for its health alone while it is not ONLINE, and nothing below it was changed", () => {
    expect(how(seen(), { operatingStatus: "DEGRADED" })).toBe("health");
    const degraded = seen({ balancer: { operatingStatus: "DEGRADED" } });
    expect(how(degraded, { operatingStatus: "DEGRADED" })).toBe("health");
    expect(how(degraded, {})).toBe("health");
  });

  test("kept while it is PENDING over the same change, for half a minute", () => {
    const pending = { provisioningStatus: "PENDING_UPDATE" } as const;
    expect(how(seen({ balancer: pending }), pending, 29_999)).toBe("keep");
    expect(how(seen({ balancer: pending }), pending, 30_000)).toBe("into");
    expect(how(seen({ balancer: pending }), {})).toBe("into");
  });

  test("never kept by an empty stamp, which says nothing, except while it is being made", () => {
    const unstamped = { provisioningStatus: "PENDING_UPDATE", updatedAt: undefined } as unknown as LoadBalancer;
    expect(how(seen({ balancer: unstamped }), unstamped, 1_000)).toBe("into");
    const made = { provisioningStatus: "PENDING_CREATE", updatedAt: undefined } as unknown as LoadBalancer;
    expect(how(seen({ balancer: made }), made, 1_000)).toBe("keep");
  });
});
