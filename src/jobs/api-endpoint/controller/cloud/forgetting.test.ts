import { expect, test } from "vitest";
import type { Nova } from "../../../../ports/nova.ts";
import type { BalancerObserved } from "../../core/model/observed.ts";
import { FailoverMemory } from "./failover-memory.ts";
import { ServerZones } from "./server-zones.ts";

const balancer = (id: string, provisioningStatus: string) =>
  ({ balancer: { id, provisioningStatus } }) as unknown as BalancerObserved;

test("a balancer that was deleted after a failover is forgotten", () => {
  const memory = new FailoverMemory();
  memory.tried("clusters/blue", "first");
  expect(memory.annotate("clusters/blue", [balancer("first", "ERROR")])[0]?.failoverTried).toBe(true);
  memory.annotate("clusters/blue", [balancer("second", "PENDING_CREATE")]);
  expect(memory.annotate("clusters/blue", [balancer("first", "ERROR")])[0]?.failoverTried).toBeUndefined();
});

test("the zone of a server is asked for once, and again when nobody has asked for it for long", async () => {
  const asked: string[] = [];
  const nova = {
    getServer: async (id: string) => {
      asked.push(id);
      return { availabilityZone: "az1" };
    },
  } as unknown as Nova;
  const zones = new ServerZones();
  const observe = async (...ids: readonly string[]) => {
    const zoneOf = zones.of("clusters/blue", nova, {}, undefined);
    for (const id of ids) await zoneOf(id);
  };
  await observe("one", "two");
  await observe();
  await observe("one", "two");
  expect(asked).toEqual(["one", "two"]);
  for (let round = 0; round < 20; round += 1) await observe("one");
  await observe("one", "two");
  expect(asked).toEqual(["one", "two", "two"]);
  zones.forget("clusters/blue");
  await observe("one");
  expect(asked).toEqual(["one", "two", "two", "one"]);
});
