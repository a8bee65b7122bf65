import { describe, expect, test } from "vitest";
import { known } from "../../../../core/known.ts";
import type { LoadBalancer } from "../../../../core/openstack/octavia-objects.ts";
import { howToObserve, type RememberedBalancer } from "./how-to-observe.ts";

const hour = 3_600_000;
const row = {
  id: "lb",
  provisioningStatus: "ACTIVE",
  operatingStatus: "ONLINE",
  updatedAt: "2026-01-01T00:00:00",
} as LoadBalancer;

interface Then {
  readonly balancer?: Partial<LoadBalancer>;
  readonly member?: string;
  /** Of the pool's monitor. */
  readonly monitor?: string;
  /** Between the first sight of its stamp and the observation. */
  readonly stampAgeMs?: number;
}

function observed({
  balancer,
  member = "ONLINE",
  monitor = "ACTIVE",
  stampAgeMs = 2_000,
}: Then = {}): RememberedBalancer {
  const members = [{ operatingStatus: member, provisioningStatus: "ACTIVE" }];
  const healthMonitor = { provisioningStatus: monitor };
  const tree = known({ listeners: [], pools: [{ members, healthMonitor, provisioningStatus: "ACTIVE" }] });
  const then = {
    balancer: { ...row, ...balancer },
    listeners: [],
    monitors: [],
    tree,
  } as unknown as RememberedBalancer["observed"];
  return { observed: then, observedMs: 0, stampSeenMs: -stampAgeMs };
}

const how = (before: RememberedBalancer | undefined, now: Partial<LoadBalancer> = {}, monotonicMs = 30_000) =>
  howToObserve(before, { ...row, ...now }, monotonicMs).how;

describe("a balancer is", () => {
  test("observed as a whole when it is new, and kept while it is well and as it was, for an hour", () => {
    expect(how(undefined)).toBe("whole");
    expect(how(observed())).toBe("keep");
    expect(how(observed(), {}, hour)).toBe("whole");
  });

  test("observed as a whole when its stamp moved, or was there for less than Octavia's grain when it was observed", () => {
    expect(how(observed(), { updatedAt: "2026-01-01T00:00:01" })).toBe("whole");
    expect(how(observed({ stampAgeMs: 1_999 }))).toBe("whole");
  });

  test.each(["OFFLINE", "ERROR", "DEGRADED"])("asked for its health alone while a member was %s", (member) => {
    expect(how(observed({ member }))).toBe("health");
  });

  test.each(["ERROR", "PENDING_CREATE", "PENDING_UPDATE"])(
    "asked for its health alone while something below it was %s",
    (monitor) => {
      expect(how(observed({ monitor }))).toBe("health");
    },
  );

  test("asked for its health alone while it is not ONLINE, and nothing below it was changed", () => {
    expect(how(observed(), { operatingStatus: "DEGRADED" })).toBe("health");
    const degraded = observed({ balancer: { operatingStatus: "DEGRADED" } });
    expect(how(degraded, { operatingStatus: "DEGRADED" })).toBe("health");
    expect(how(degraded, {})).toBe("health");
  });

  test.each(["PENDING_UPDATE", "ERROR"] as const)(
    "kept while it is %s over the same change, for half a minute",
    (provisioningStatus) => {
      const unwell = { provisioningStatus };
      expect(how(observed({ balancer: unwell }), unwell, 29_999)).toBe("keep");
      expect(how(observed({ balancer: unwell }), unwell, 30_000)).toBe("whole");
      expect(how(observed({ balancer: unwell }), {})).toBe("whole");
      const touched = { ...unwell, updatedAt: "2026-01-01T00:00:01" };
      expect(how(observed({ balancer: unwell }), touched, 1_000)).toBe("whole");
    },
  );

  test("never kept by an empty stamp, which says nothing, except while it is being made", () => {
    const unstamped = { provisioningStatus: "PENDING_UPDATE", updatedAt: undefined } as unknown as LoadBalancer;
    expect(how(observed({ balancer: unstamped }), unstamped, 1_000)).toBe("whole");
    const made = { provisioningStatus: "PENDING_CREATE", updatedAt: undefined } as unknown as LoadBalancer;
    expect(how(observed({ balancer: made }), made, 1_000)).toBe("keep");
  });
});
