// APIEndpoint beside a CAPO that nobody told about it: CAPO's webhook refuses what facts say it refuses, and its own balancer stays
// its own.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { KubeObject } from "../../../src/apis/kube/kube-object.ts";
import { validatingWebhookConfigurations } from "../../../src/apis/kube/webhook-configuration.ts";
import { type ApiEndpointSpec, apiEndpoints } from "../../../src/jobs/api-endpoint/apis/api-endpoint/api-endpoint.ts";
import { openStackClusters } from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import { inProcessWebhooks } from "../../../src/sim/fakes/kube/admission/in-process-webhooks.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { capoBalancer } from "../world/capo-balancer.ts";
import { balancerNamed, balancerNames, countsByKind, membersOf } from "../world/cloud-contents.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

const endpoint = { host: "api.blue.example.com", port: 6443 };
const ref = { name: "blue", namespace };
const gated = { disableAPIServerFloatingIP: true, apiServerLoadBalancer: { enabled: false } };
let world: EndpointWorld;
let running: TestManager;

interface Review {
  readonly request: { readonly uid: string; readonly object: KubeObject; readonly oldObject: KubeObject | null };
}

/** As CAPO answers an update: the endpoint may be set while its host is empty, allowedCIDRs and monitor may change, nothing else. */
function capoSays(review: unknown): object {
  const { uid, object, oldObject } = (review as Review).request;
  const shown = (of: KubeObject | null) => {
    const { spec = {} } = (of ?? {}) as { spec?: Record<string, unknown> };
    const { controlPlaneEndpoint, ...rest } = structuredClone(spec) as Record<string, Record<string, unknown>>;
    for (const name of ["allowedCIDRs", "monitor"]) delete rest["apiServerLoadBalancer"]?.[name];
    return { host: controlPlaneEndpoint?.["host"] ?? "", endpoint: controlPlaneEndpoint, rest };
  };
  const [before, after] = [shown(oldObject), shown(object)];
  const moved = before.host !== "" && JSON.stringify(before.endpoint) !== JSON.stringify(after.endpoint);
  const allowed = oldObject === null || (!moved && JSON.stringify(before.rest) === JSON.stringify(after.rest));
  const refusal = {
    allowed,
    ...(allowed ? {} : { status: { code: 422, reason: "Invalid", message: "spec: Forbidden: cannot be modified" } }),
  };
  return { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response: { uid, ...refusal } };
}

async function installCapo(): Promise<void> {
  await world.kube.create(validatingWebhookConfigurations, {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "capo" },
    webhooks: [
      {
        name: "validation.openstackcluster.infrastructure.cluster.x-k8s.io",
        clientConfig: { url: "https://capo.test/capo" },
        rules: [
          {
            apiGroups: ["infrastructure.cluster.x-k8s.io"],
            apiVersions: ["v1beta1"],
            resources: ["openstackclusters"],
            operations: ["CREATE", "UPDATE"],
            scope: "*",
          },
        ],
        failurePolicy: "Fail",
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
      },
    ],
  } as KubeObject);
}

beforeEach(async () => {
  world = new EndpointWorld({ callWebhook: inProcessWebhooks({ "/capo": capoSays }) });
  await world.furnish();
  await installCapo();
  running = world.work();
});

afterEach(async () => {
  await running.manager.stop();
});

async function capoCluster(spec: object): Promise<void> {
  await world.cluster("blue", { spec });
  await world.patch("blue", { metadata: { annotations: { "cluster.x-k8s.io/managed-by": null } } });
}

async function apiEndpoint(spec: ApiEndpointSpec = {}): Promise<void> {
  await world.kube.create(apiEndpoints, world.apiEndpoint("blue", { controlPlaneEndpoint: endpoint, ...spec }));
  await world.clock.advance(60_000);
}

const read = async () => await world.kube.get(apiEndpoints, ref);

describe("an APIEndpoint", () => {
  test("brings the same balancers, members and status as an OpenStackCluster would", async () => {
    await capoCluster({ ...gated, controlPlaneEndpoint: endpoint });
    await apiEndpoint();
    const address = await world.machine("blue", "az2");
    await world.clock.advance(60_000);
    expect(balancerNames(world)).toEqual(
      ["az1", "az2", "az3"].map((zone) => `k8s-clusterapi-cluster-clusters-blue-${zone}-kubeapi`),
    );
    expect(membersOf(world, "az2")).toEqual([address]);
    const { status } = await read();
    expect(status?.initialization?.provisioned).toBe(true);
    expect(status?.apiServerLoadBalancers?.map(({ availabilityZone, id }) => [availabilityZone, id])).toEqual(
      ["az1", "az2", "az3"].map((zone) => [zone, balancerNamed(world, zone).id]),
    );
    expect(status?.apiServerLoadBalancer?.id).toBe(balancerNamed(world, "az1").id);
  });

  test("opens CAPO's gate when the balancers are whole and not before, host and port together", async () => {
    await capoCluster(gated);
    world.lab.fake.faults.darkenZone("az3", "stuck");
    await apiEndpoint({ openGate: true });
    expect((await world.read("blue")).spec?.controlPlaneEndpoint).toBeUndefined();
    world.lab.fake.faults.lightenZone("az3");
    await world.clock.advance(60_000);
    expect((await world.read("blue")).spec?.controlPlaneEndpoint).toEqual(endpoint);
    expect((await read()).status?.conditions?.find(({ type }) => type === "Ready")?.status).toBe("True");
  });

  test("takes a gate without a port for closed: where nobody forbids it, the port is filled in beside the host", async () => {
    await world.kube.delete(validatingWebhookConfigurations, { name: "capo" });
    await capoCluster({ ...gated, controlPlaneEndpoint: { host: endpoint.host, port: 0 } });
    await apiEndpoint({ openGate: true });
    await world.clock.advance(60_000);
    expect((await world.read("blue")).spec?.controlPlaneEndpoint).toEqual(endpoint);
  });

  test("leaves the gate alone unless it is asked to open it, and an endpoint that is set as it is", async () => {
    await capoCluster(gated);
    await apiEndpoint();
    expect((await world.read("blue")).spec?.controlPlaneEndpoint).toBeUndefined();
    await world.patch("blue", { spec: { controlPlaneEndpoint: { host: "203.0.113.99", port: 6443 } } });
    await world.kube.patch(apiEndpoints, ref, { type: "merge", body: { spec: { openGate: true } } });
    await world.clock.advance(60_000);
    expect((await world.read("blue")).spec?.controlPlaneEndpoint?.host).toBe("203.0.113.99");
  });

  test("never adopts, renames or deletes CAPO's own balancer", async () => {
    const theirs = await capoBalancer(world, "blue");
    const untouched = world.lab.fake.cloud.tables.loadbalancers.get(theirs.id);
    await capoCluster({ ...gated, controlPlaneEndpoint: endpoint });
    await apiEndpoint();
    await world.kube.delete(apiEndpoints, ref);
    await world.clock.advance(60_000);
    const { updatedAt: _, ...now } = world.lab.fake.cloud.tables.loadbalancers.get(theirs.id) ?? {};
    expect(untouched).toMatchObject(now);
    expect(countsByKind(world)).toMatchObject({ loadbalancers: 1, floatingips: 1, listeners: 1 });
  });

  test("deleted, takes its balancers along although the cluster's machines live on", async () => {
    await capoCluster({ ...gated, controlPlaneEndpoint: endpoint });
    await apiEndpoint();
    await world.machine("blue", "az1");
    await world.clock.advance(30_000);
    await world.kube.delete(apiEndpoints, ref);
    await world.clock.advance(60_000);
    await expect(read()).rejects.toMatchObject({ code: "NotFound" });
    expect(Object.values(countsByKind(world)).every((count) => count === 0)).toBe(true);
  });

  test("whose Cluster is not there asks the cloud nothing, and begins when it comes", async () => {
    await apiEndpoint();
    expect([...world.lab.fake.counts()]).toEqual([]);
    await capoCluster({ ...gated, controlPlaneEndpoint: endpoint });
    await world.clock.advance(60_000);
    expect(balancerNames(world)).toHaveLength(3);
  });
});

test("the webhook of this test refuses what CAPO's refuses", async () => {
  await capoCluster({ ...gated, controlPlaneEndpoint: { host: "api.blue.example.com", port: 0 } });
  const refused = /spec: Forbidden: cannot be modified/;
  const patch = (spec: object) => world.kube.patch(openStackClusters, ref, { type: "merge", body: { spec } });
  await expect(patch({ controlPlaneEndpoint: { port: 6443 } })).rejects.toThrow(refused);
  await expect(patch({ apiServerLoadBalancer: { enabled: true } })).rejects.toThrow(refused);
  await expect(patch({ apiServerLoadBalancer: { additionalPorts: [9345] } })).rejects.toThrow(refused);
  await expect(patch({ apiServerLoadBalancer: { allowedCIDRs: ["192.0.2.0/24"] } })).resolves.toBeDefined();
});
