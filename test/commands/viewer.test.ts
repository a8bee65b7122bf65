// What somebody with the role `view` sees of a healthy cluster: all of it, by aggregation of mainstay-viewer. What they may not read is
// called a missing right, and is no fault of the object or of the manager.

import { beforeAll, expect, test } from "vitest";
import { dnsEndpoints } from "../../src/apis/external-dns/dns-endpoint.ts";
import type { KubeObject } from "../../src/apis/kube/kube-object.ts";
import { openStackClusterIdentities } from "../../src/apis/openstack/openstack-cluster-identity.ts";
import { kubeClient } from "../../src/drivers/kube/client.ts";
import { topologyCrds } from "../../src/jobs/topology/sim/topology-objects.ts";
import type { Kube } from "../../src/ports/kube.ts";
import { adminToken } from "../../src/sim/fakes/kube/api-server.ts";
import { openCrd } from "../../src/sim/fakes/kube/open-crd.ts";
import { mainstay } from "../api-endpoint/world/endpoint-commands.ts";
import { EndpointWorld, namespace } from "../api-endpoint/world/endpoint-world.ts";
import { applyRights, bindingKind } from "../support/rights-manifests.ts";

const viewer = "vera";

let world: EndpointWorld;
beforeAll(async () => {
  world = new EndpointWorld();
  await world.furnish();
  await world.define(...topologyCrds(true), openCrd(dnsEndpoints), openCrd(openStackClusterIdentities));
  await applyRights(world.kube);
  const host = { controlPlaneEndpoint: { host: "api.blue.example.com", port: 6443 } };
  await world.cluster("blue", { spec: { apiServerLoadBalancer: world.zones(), ...host } });
  for (const zone of ["az1", "az2", "az3"]) await world.machine("blue", zone);
  const { manager } = world.work();
  await world.clock.advance(300_000);
  await manager.stop();
  await world.kube.create(bindingKind, bindingOfView());
}, 600_000);

test("status and explain show the object as the manager reports it", async () => {
  const status = await asViewer("status");
  expect(status.out).toMatch(/^OpenStackCluster\/clusters\/blue +healthy /m);
  // A kind that this server does not have is no missing right.
  const notes = status.err.split("\n").filter((line) => line !== "" && !line.includes("the cluster does not serve it"));
  expect([status.code, notes]).toEqual([0, []]);
  const { out, code } = await asViewer("explain", `osc/${namespace}/blue`);
  expect(code).toBe(0);
  expect(out).toContain("It is healthy.");
  expect(out).toMatch(/^az3 +healthy +1 of 1 answers/m);
  expect(out).toMatch(/^EVENT +COUNT/m);
});

test("what a plan would need is named as a right that they lack, not as a reason of the object's", async () => {
  const { out, code } = await asViewer("plan", `osc/${namespace}/blue`);
  expect(code).toBe(3);
  expect(out).toMatch(/^openstack-cluster: cannot plan with your rights\.\n {2}- .*cannot get resource "secrets"/);
  expect(out).not.toContain("PermissionDenied");
  expect((await asViewer("explain", `osc/${namespace}/blue`)).out).not.toContain("PermissionDenied");
});

function asViewer(...args: readonly string[]) {
  return mainstay({ clock: world.clock, lab: world.lab, kube: viewersKube() }, args);
}

function viewersKube(): Kube {
  const transport = world.api.transport(adminToken);
  const who = { "impersonate-user": viewer, "impersonate-group": "system:authenticated" };
  return kubeClient({
    clock: world.clock,
    transport: {
      send: (request, options) => transport.send({ ...request, headers: { ...request.headers, ...who } }, options),
      close: () => Promise.resolve(),
    },
  });
}

function bindingOfView(): KubeObject {
  const { group: apiGroup } = bindingKind;
  return {
    apiVersion: `${apiGroup}/v1`,
    kind: bindingKind.kind,
    metadata: { name: "viewers" },
    roleRef: { apiGroup, kind: "ClusterRole", name: "view" },
    subjects: [{ apiGroup, kind: "User", name: viewer }],
  } as KubeObject;
}
