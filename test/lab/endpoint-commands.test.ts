// The commands that look into a cloud, on real Keystone, Neutron and Octavia. They read, so the lab's own project will do; the cluster is
// a fake one, in virtual time that is kept going meanwhile.

import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { connectOpenStack, type OpenStackConnections } from "../../src/bin/openstack.ts";
import { EndpointWorld, namespace } from "../api-endpoint/world/endpoint-world.ts";
import { describeLab, labOpenStack } from "../lab.ts";
import { cliWorld } from "../support/cli-world.ts";

const endpoint = { host: "api.blue.example.com", port: 6443 };
const network = { filter: { name: "tenant" } };
const identityRef = { name: "cloud", cloudName: "demo" };

describeLab("commands on the real cloud", labOpenStack, (lab) => {
  let world: EndpointWorld;
  let clouds: OpenStackConnections;
  beforeAll(async () => {
    clouds = connectOpenStack("test");
    world = new EndpointWorld();
    await world.furnish();
    await world.putCredentials(readFileSync(lab.cloudsYaml, "utf8"));
    await world.cluster("blue", { spec: { identityRef, controlPlaneEndpoint: endpoint, network } });
    await world.machine("blue", "az1");
  });
  afterAll(() => clouds.close());

  const mainstay = async (args: readonly string[], files: Readonly<Record<string, string>> = {}) => {
    const progress = { ended: false };
    const running = cliWorld({ kube: world.kube, openStack: clouds.openStack, files }).run(...args);
    const settled = running.finally(() => {
      progress.ended = true;
    });
    while (!progress.ended) {
      await world.clock.advance(10);
      await pause(10);
    }
    return await settled;
  };
  const proposal = (subnets: readonly string[]) =>
    stringify({
      apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
      kind: "OpenStackCluster",
      metadata: { name: "blue", namespace },
      spec: {
        identityRef,
        controlPlaneEndpoint: endpoint,
        network,
        apiServerLoadBalancer: {
          enabled: true,
          network,
          availabilityZoneSubnets: subnets.map((name, index) => ({
            availabilityZone: `az${index + 1}`,
            subnet: { filter: { name } },
          })),
        },
      },
    });
  const check = (file: string) =>
    mainstay(["migrate", "api-endpoint", "--check", "clusters/blue", "-f", "/blue.yaml"], { "/blue.yaml": file });

  describe("migrate api-endpoint --check", () => {
    test("finds the subnets by their filters, and says that the cluster can move", async () => {
      const { code, out } = await check(proposal(["tenant-1", "tenant-2", "tenant-3"]));
      expect(out).toContain("clusters/blue can move to one API balancer per zone through its OpenStackCluster.");
      expect(out).toContain("ok    zone az2: a new balancer in subnet tenant-2 (");
      expect(out).toContain(
        "From the project's quota: 3 load balancers, 3 listeners, 3 pools, 3 health monitors, 1 member, 3 floating IPs.",
      );
      expect(code).toBe(0);
    });

    test("says which subnet is not there", async () => {
      const { code, out } = await check(proposal(["tenant-1", "nowhere"]));
      expect([code, out]).toEqual([
        1,
        expect.stringMatching(/NO {4}zone az2: .*: no subnet named nowhere in network tenant/),
      ]);
    });
  });

  test("doctor --clouds finds the project, and says when credentials are refused", async () => {
    const { out } = await mainstay(["doctor", "--clouds"]);
    expect(out).toMatch(/ok {4}cloud of OpenStackCluster clusters\/blue: project \w+ can be used/);
    const text = readFileSync(lab.cloudsYaml, "utf8").replaceAll(/("password": )"[^"]*"/g, '$1"swordfish"');
    await world.putCredentials(text);
    const refused = await mainstay(["doctor", "--clouds"]);
    expect(refused.out).toMatch(/FAIL {2}cloud of OpenStackCluster clusters\/blue: /);
    expect(refused.out).not.toContain("swordfish");
  });
});
