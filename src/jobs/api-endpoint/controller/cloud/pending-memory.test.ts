import { expect, test } from "vitest";
import type { ProvisioningStatus } from "../../../../core/openstack/octavia-objects.ts";
import type { BalancerObserved } from "../../core/model/observed.ts";
import { PendingMemory } from "./pending-memory.ts";

const balancer = (provisioningStatus: ProvisioningStatus) =>
  ({ balancer: { id: "lb", provisioningStatus } }) as BalancerObserved;

/** What is said of one balancer, seen like this at these seconds. */
function said(memory: PendingMemory, ...looks: readonly (readonly [number, ProvisioningStatus])[]): number | undefined {
  const last = looks.map(([seconds, status]) => memory.annotate("blue", [balancer(status)], seconds * 1_000)).at(-1);
  return last?.[0]?.pendingForMs;
}

test("moments in which it is ACTIVE do not count", () => {
  const looks = [
    [0, "PENDING_UPDATE"],
    [30, "ACTIVE"],
    [60, "PENDING_UPDATE"],
  ] as const;
  expect(said(new PendingMemory(), ...looks)).toBe(60_000);
});

test("one that was ACTIVE for more than a minute begins anew", () => {
  const looks = [
    [0, "PENDING_UPDATE"],
    [30, "ACTIVE"],
    [61, "ACTIVE"],
  ] as const;
  const memory = new PendingMemory();
  expect(said(memory, ...looks)).toBeUndefined();
  expect(said(memory, [62, "PENDING_UPDATE"])).toBe(0);
});

test("a change of ours begins anew, and so does an object that was forgotten", () => {
  for (const end of ["changed", "forget"] as const) {
    const memory = new PendingMemory();
    expect(said(memory, [0, "PENDING_UPDATE"], [600, "ACTIVE"])).toBeUndefined();
    expect(said(memory, [601, "PENDING_UPDATE"], [630, "PENDING_UPDATE"])).toBe(29_000);
    memory[end]("blue");
    expect(said(memory, [631, "PENDING_UPDATE"])).toBe(0);
  }
});
