import { expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import { machine, ownerId, zonesIntent } from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { known } from "../../../../core/known.ts";
import type { Pool } from "../../../../core/openstack/octavia-objects.ts";
import type { OctaviaReader } from "../../../../ports/octavia.ts";
import { portsOf } from "../../core/model/intent.ts";
import type { BalancerObserved } from "../../core/model/observed.ts";
import { type BalancersQuestion, lacksMembers, observeWhole } from "./observe-balancers.ts";

function served(): BalancerObserved {
  const world = new CloudModel(zonesIntent(["az1"]));
  world.join(machine("az1", 1));
  world.converge();
  const { balancers } = world.observe();
  const [seen] = balancers.known ? balancers.value : [];
  if (seen === undefined) throw new Error("no balancer");
  const { members: _, ...rest } = seen;
  return rest;
}

const question = { ownerId, withMembers: true, call: {} } as BalancersQuestion;

test("members are asked for while tags change: of a balancer of ours that is ACTIVE and has pools", () => {
  const seen = served();
  const { balancer, tree } = seen;
  const asks = (over: Partial<BalancerObserved>, how: Partial<BalancersQuestion> = {}) =>
    lacksMembers({ ...seen, ...over }, { ...question, ...how });
  expect(asks({})).toBe(true);
  expect(asks({}, { withMembers: false })).toBe(false);
  expect(asks({ members: new Map() })).toBe(false);
  expect(asks({ balancer: { ...balancer, tags: [] } })).toBe(false);
  expect(asks({ balancer: { ...balancer, provisioningStatus: "PENDING_UPDATE" } })).toBe(false);
  expect(asks({ tree: { known: false, reason: "OpenStackServerError", message: "no" } })).toBe(false);
  expect(asks({ tree: tree.known ? known({ ...tree.value, pools: [] }) : tree })).toBe(false);
});

test("a pool that lost its listener is looked for while a port lacks one, below a balancer that is ACTIVE, and not else", async () => {
  const { balancer, listeners, monitors, tree } = served();
  const [shown] = tree.known ? tree.value.pools : [];
  if (!tree.known || shown === undefined) throw new Error("no tree");
  const orphan = { ...shown, id: "orphan", loadBalancerId: balancer.id, listenerIds: [] } as unknown as Pool;
  const poolsSeen = async (provisioningStatus: "ACTIVE" | "PENDING_UPDATE", isWhole: boolean) => {
    const octavia = {
      statusTree: async () => (isWhole ? tree.value : { ...tree.value, listeners: [], pools: [] }),
      listPools: async () => [orphan],
    } as unknown as OctaviaReader;
    const children = async () => ({ listeners: isWhole ? listeners : [], monitors });
    const asked = { ...question, octavia, ports: portsOf(zonesIntent(["az1"])) };
    const seen = await observeWhole({ ...balancer, provisioningStatus }, children, asked);
    return seen.tree.known ? seen.tree.value.pools.map(({ id }) => id) : [];
  };
  expect(await poolsSeen("ACTIVE", false)).toEqual(["orphan"]);
  expect(await poolsSeen("PENDING_UPDATE", false)).toEqual([]);
  expect(await poolsSeen("ACTIVE", true)).toEqual([shown.id]);
});
