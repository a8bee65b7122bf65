import { expect, test } from "vitest";
import type { LoadBalancer } from "../../../../core/openstack/octavia-objects.ts";
import type { OctaviaReader } from "../../../../ports/octavia.ts";
import { ObservedBalancers } from "./observed-balancers.ts";

/** Lists that are answered when the test says so. */
function slowLists() {
  const waiting: ((rows: readonly LoadBalancer[]) => void)[] = [];
  const octavia = {
    listLoadBalancers: () => new Promise<readonly LoadBalancer[]>((resolve) => waiting.push(resolve)),
  } as unknown as OctaviaReader;
  const observed = new ObservedBalancers({ observeAgainMs: 30_000 });
  const object = { key: "a/b", ownerId: "owner", isAtRest: false };
  const cloud = { endpointKey: "cloud", sharingKey: "cloud token", call: {} };
  const intent = { cluster: { namespace: "a", name: "b" }, deleting: false };
  const asked = { ...object, ...cloud, intent, ports: [], names: () => [], withMembers: false };
  return { observed, waiting, observe: (monotonicMs: number) => observed.observe({ ...asked, octavia, monotonicMs }) };
}

const created = { kind: "create-load-balancer", because: "LoadBalancerMissing" } as never;

test("what was asked a moment ago is not asked again", async () => {
  const { waiting, observe } = slowLists();
  const first = observe(0);
  waiting[0]?.([]);
  await first;
  await observe(500);
  expect(waiting.length).toBe(1);
});

test("a change that a slow lane makes while the list is on its way is not overlooked, however soon the next round comes", async () => {
  const { observed, waiting, observe } = slowLists();
  const first = observe(0);
  observed.changed("a/b", created);
  waiting[0]?.([]);
  await first;
  void observe(500);
  expect(waiting.length).toBe(2);
});
