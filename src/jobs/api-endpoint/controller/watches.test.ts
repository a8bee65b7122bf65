import { expect, test } from "vitest";
import { EndpointWorld } from "../../../../test/api-endpoint/world/endpoint-world.ts";
import { clusters, machines, openStackMachines } from "../../../apis/cluster-api/cluster-api-kinds.ts";
import { openCrd } from "../../../sim/fakes/kube/open-crd.ts";
import { apiEndpointCrd } from "../apis/api-endpoint/api-endpoint-crd.ts";
import { openStackClusterCrd } from "../apis/openstack-cluster/openstack-cluster-crd.ts";

test.each([
  ["APIEndpoint", () => apiEndpointCrd],
  ["OpenStackCluster", () => openStackClusterCrd()],
])("a manager where %s is the only front door that is installed is ready", async (_kind, definition) => {
  const world = new EndpointWorld();
  await world.define(definition(), ...[clusters, machines, openStackMachines].map((kind) => openCrd(kind)));
  const { manager } = world.work();
  await world.clock.advance(60_000);
  expect(manager.readiness()).toMatchObject({ ready: true });
  await manager.stop();
});
