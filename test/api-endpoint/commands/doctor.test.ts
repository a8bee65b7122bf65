// What mainstay doctor says about the api-endpoint job, and what explain and plan say about its objects.

import { beforeEach, describe, expect, test } from "vitest";
import { customResourceDefinitions } from "../../../src/apis/kube/builtin-kinds.ts";
import {
  validatingWebhookConfiguration,
  validatingWebhookConfigurations,
} from "../../../src/apis/kube/webhook-configuration.ts";
import { apiEndpoints } from "../../../src/jobs/api-endpoint/apis/api-endpoint/api-endpoint.ts";
import { apiEndpointJob } from "../../../src/jobs/api-endpoint/job.ts";
import { balancerNames } from "../world/cloud-contents.ts";
import { mainstay } from "../world/endpoint-commands.ts";
import { EndpointWorld } from "../world/endpoint-world.ts";

const endpoint = { host: "api.blue.example.com", port: 6443 };
let world: EndpointWorld;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
});

async function doctor(...more: readonly string[]): Promise<readonly string[]> {
  const { out } = await mainstay(world, ["doctor", ...more]);
  return out.split("\n");
}

const said = async (about: RegExp, ...more: readonly string[]) =>
  (await doctor(...more)).filter((line) => about.test(line));

async function besideCapo(): Promise<void> {
  const labels = { "app.kubernetes.io/managed-by": null };
  const name = "openstackclusters.infrastructure.cluster.x-k8s.io";
  await world.kube.patch(customResourceDefinitions, { name }, { type: "merge", body: { metadata: { labels } } });
}

async function makeApiEndpoint(spec: object = {}): Promise<void> {
  await world.kube.create(apiEndpoints, world.apiEndpoint("blue", spec));
}

describe("doctor", () => {
  test("says which door fits: our own objects where the definition is ours, an APIEndpoint beside CAPO", async () => {
    expect(await said(/api-endpoint:/)).toContainEqual(
      expect.stringMatching(/^ok .*OpenStackClusters are Mainstay's own here/),
    );
    await besideCapo();
    expect(await said(/api-endpoint:/)).toContainEqual(
      expect.stringMatching(/^ok .*the definition of OpenStackCluster is CAPO's and is left alone; an APIEndpoint/),
    );
  });

  test("finds an OpenStackCluster that is ours by its annotation, and CAPO's by its definition", async () => {
    await world.cluster("blue");
    expect(await said(/^FAIL .*CAPO/)).toEqual([]);
    await besideCapo();
    expect(await said(/CAPO's and drops/)).toEqual([
      expect.stringMatching(/^FAIL {2}api-endpoint: clusters\/blue: marked as managed by Mainstay/),
    ]);
  });

  test("says what to do about a network that CAPO would make", async () => {
    await world.cluster("blue", { spec: { managedSubnets: [{ cidr: "10.6.0.0/24" }] } });
    const lines = await doctor();
    const at = lines.findIndex((line) => line.includes("it asks for managedSubnets, and Mainstay makes no networks"));
    expect(lines[at + 1]).toContain("Make network, subnets and router yourself");
  });

  test("warns of an APIEndpoint beside a network that CAPO makes", async () => {
    await besideCapo();
    await world.cluster("blue", { spec: { managedSubnets: [{ cidr: "10.6.0.0/24" }] } });
    expect(await said(/managedSubnets/)).toEqual([]);
    await makeApiEndpoint();
    expect(await said(/managedSubnets/)).toEqual([
      expect.stringMatching(/^warn {2}OpenStackCluster clusters\/blue: CAPO makes its network/),
    ]);
  });

  test("says whether admission is asked, once there is something to ask about", async () => {
    expect(await said(/admission/)).toEqual([]);
    await world.cluster("blue");
    expect(await said(/admission/)).toEqual([expect.stringMatching(/^warn {2}admission: there is no webhook/)]);
    const configuration = validatingWebhookConfiguration(apiEndpointJob.admission, (path) => ({
      url: `https://127.0.0.1:9${path}`,
    }));
    await world.kube.create(validatingWebhookConfigurations, configuration);
    expect(await said(/admission/)).toEqual([expect.stringMatching(/^ok {4}admission: the API server asks Mainstay/)]);
  });

  test("tries the credentials of every object when asked to", async () => {
    await world.cluster("blue");
    await makeApiEndpoint({ identityRef: { name: "nowhere", cloudName: "lab" } });
    expect(await said(/^ok .*clouds: not asked; --clouds tries the credentials of 2 objects/)).toHaveLength(1);
    expect(await said(/cloud of/, "--clouds")).toEqual([
      expect.stringMatching(/^ok {4}cloud of OpenStackCluster clusters\/blue: project \w+ can be used/),
      expect.stringMatching(
        /^FAIL {2}cloud of APIEndpoint clusters\/blue: Secret clusters\/nowhere: there is no such object/,
      ),
    ]);
  });

  test("says nothing of it where both controllers are off", async () => {
    await world.cluster("blue");
    const files = {
      "/m.yaml": "controllers:\n  openstack-cluster: {enabled: false}\n  api-endpoint: {enabled: false}\n",
    };
    const { out } = await mainstay(world, ["doctor", "--config", "/m.yaml"], files);
    expect(out).not.toMatch(/admission|CAPO|clouds/);
  });
});

describe("plan and explain", () => {
  test("speak of each zone under its own name, in words", async () => {
    const { manager } = world.work();
    await world.cluster("blue", { spec: { controlPlaneEndpoint: endpoint, apiServerLoadBalancer: world.zones() } });
    await world.clock.advance(60_000);
    await manager.stop();
    for (const zone of ["az1", "az2"]) await world.machine("blue", zone);
    const { out } = await mainstay(world, ["plan", "openstackcluster/clusters/blue"]);
    expect(out).toMatch(
      /^openstack-cluster:\n {2}az1:\n {4}would add 10\.0\.1\.11 to pool \S+-az1-kubeapi-6443 for zone az1 because MembersMissing\n/,
    );
    expect(out).toMatch(/\n {2}az3:\n {4}notes \(ZoneWithoutMembers\)/);
    const { out: explained } = await mainstay(world, ["explain", "openstackcluster/clusters/blue"]);
    expect(explained).toMatch(
      /What Mainstay would do now:\n {2}openstack-cluster:\n {4}az1:\n {6}would add 10\.0\.1\.11/,
    );
    expect(explained).toMatch(
      /\nZONE +HEALTH +MACHINES +ADDRESS +BALANCER\naz1 +in progress +none yet +203\.0\.113\.\d+ \(VIP 10\.0\.1\.\d+\) +ACTIVE, ONLINE \(\S+-az1-kubeapi, id \S+\)\n/,
    );
    expect(explained).toMatch(
      /HealthMonitorCreated.*Created health monitor \S+, every 10 s for zone az1\. Cause: A pool has no health monitor/,
    );
  });

  test("work for an APIEndpoint beside CAPO", async () => {
    await world.cluster("blue", { spec: { controlPlaneEndpoint: endpoint } });
    await world.patch("blue", { metadata: { annotations: { "cluster.x-k8s.io/managed-by": null } } });
    await makeApiEndpoint();
    const before = await mainstay(world, ["plan", "apiendpoint/clusters/blue"]);
    expect([before.code, before.out]).toEqual([
      0,
      expect.stringContaining("would add the finalizer to the object because FinalizerMissing"),
    ]);
    const { manager } = world.work();
    while (balancerNames(world).length < 3) await world.clock.advance(10);
    const { out } = await mainstay(world, ["explain", "apiendpoint/clusters/blue"]);
    expect(out).toMatch(
      /az1:\n {6}would create floating IP on the load balancer for zone az1 because FloatingIpMissing/,
    );
    await manager.stop();
  });
});
