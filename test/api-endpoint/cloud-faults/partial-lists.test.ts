// A cloud whose lists leave things out for a while. What is not listed is not gone: nothing that status names is left behind for it.

import { afterEach, expect, test } from "vitest";
import { machines } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import { apiEndpointFeature, openStackClusterFeature } from "../../../src/jobs/api-endpoint/controller/front-doors.ts";
import type { OpenStack } from "../../../src/ports/openstack.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { countsByKind, floatingIps } from "../world/cloud-contents.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

let running: TestManager | undefined;
afterEach(() => running?.manager.stop());

/** Neutron finds floating IPs by what they are on and by what they are called, and leaves them out of the list of all. */
function withoutListOfAll({ lab: { fake } }: EndpointWorld): OpenStack {
  return {
    project: (config) => {
      const project = fake.project(config);
      const { neutron } = project;
      const listFloatingIps: typeof neutron.listFloatingIps = async (query, options) =>
        Object.keys(query).length === 0 ? [] : await neutron.listFloatingIps(query, options);
      return {
        identify: (options) => project.identify(options),
        timeMs: () => project.timeMs(),
        octavia: project.octavia,
        nova: project.nova,
        neutron: new Proxy(neutron, {
          get: (target, name) => (name === "listFloatingIps" ? listFloatingIps : Reflect.get(target, name)),
        }),
      };
    },
  };
}

test("a floating IP that status names is released with its cluster although the list of all does not show it", async () => {
  const world = new EndpointWorld();
  await world.furnish();
  const openStack = withoutListOfAll(world);
  running = world.manager({
    features: [openStackClusterFeature({ openStack, claims: "annotated" }), apiEndpointFeature({ openStack })],
  });
  const controlPlaneEndpoint = { host: "api.blue.example.com", port: 6443 };
  await world.cluster("blue", { spec: { controlPlaneEndpoint, apiServerLoadBalancer: world.zones() } });
  await world.machine("blue", "az1");
  await world.clock.advance(300_000);
  expect(floatingIps(world)).toHaveLength(3);
  await world.kube.delete(machines, { name: "blue-az1", namespace });
  await world.remove("blue");
  await world.clock.advance(300_000);
  await expect(world.read("blue")).rejects.toMatchObject({ code: "NotFound" });
  expect(countsByKind(world)).toMatchObject({ loadbalancers: 0, floatingips: 0 });
});
