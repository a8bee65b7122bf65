// One stored OpenStackCluster seen and written through two versions: nothing is lost, and who wrote last is right.

import { beforeAll, expect, it } from "vitest";
import type { Kind } from "../../../src/apis/kube/kube-object.ts";
import { toV1beta2 } from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster-conversion.ts";
import {
  type ApiTarget,
  at,
  block,
  clusters,
  endpoint,
  freshNamespace,
  identityRef,
  ids,
  type Loose,
  later,
  make,
  zone,
  zonesSpec,
} from "./api-world.ts";

export function conversionContract(get: () => ApiTarget): void {
  let namespace: string;
  beforeAll(async () => {
    namespace = await freshNamespace(get().session);
  });

  it("shows a cluster written in v1beta1 regrouped in v1beta2, in reads and lists", async () => {
    const { admin } = get().session;
    const spec = { ...zonesSpec, apiServerPort: 6443, disableAPIServerFloatingIP: true, networkMTU: 1400 };
    const created = await admin.create<Loose>(clusters, make(clusters, namespace, spec));
    const seen = await admin.get<Loose>(later, created.metadata);
    expect(seen.apiVersion).toBe(`${clusters.group}/v1beta2`);
    expect(seen.metadata.uid).toBe(created.metadata.uid);
    expect(seen.spec).toEqual(toV1beta2(created as never).spec);
    expect(at(seen, "spec.apiServer")).toMatchObject({
      enableFloatingIP: false,
      port: 6443,
      managedLoadBalancer: block,
    });
    const { items } = await admin.list<Loose>(later, { namespace });
    expect(items.find(({ metadata }) => metadata.name === created.metadata.name)?.spec).toEqual(seen.spec);
  });

  it("stores a cluster written in v1beta2 as v1beta1 and gives it back unchanged", async () => {
    const { admin } = get().session;
    const apiServer = { managedLoadBalancer: block, enableFloatingIP: false, future: { deep: [1] } };
    const created = await admin.create<Loose>(
      later,
      make(later, namespace, { identityRef, controlPlaneEndpoint: endpoint, apiServer }),
    );
    expect(at(created, "spec.apiServer.future")).toEqual({ deep: [1] });
    const stored = await admin.get<Loose>(clusters, created.metadata);
    expect(stored.spec).toMatchObject({ apiServerLoadBalancer: block, disableAPIServerFloatingIP: true });
    expect((await admin.get<Loose>(later, created.metadata)).spec).toEqual(created.spec);
  });

  it("lets the last writer win, whichever version it wrote", async () => {
    const { admin } = get().session;
    const { metadata } = await admin.create<Loose>(
      later,
      make(later, namespace, {
        identityRef,
        controlPlaneEndpoint: endpoint,
        apiServer: { managedLoadBalancer: { ...block, allowedCIDRs: ["192.0.2.0/24"] } },
      }),
    );
    await admin.patch<Loose>(clusters, metadata, {
      type: "merge",
      body: { metadata: { annotations: { touched: "yes" } } },
    });
    const cidrs = (allowedCIDRs: readonly string[]) => ({
      spec: { apiServer: { managedLoadBalancer: { allowedCIDRs } } },
    });
    await admin.patch<Loose>(later, metadata, { type: "merge", body: cidrs(["198.51.100.0/24"]) });
    await admin.patch<Loose>(clusters, metadata, {
      type: "merge",
      body: { metadata: { annotations: { touched: "again" } } },
    });
    const [first, second] = [await admin.get<Loose>(clusters, metadata), await admin.get<Loose>(later, metadata)];
    expect(at(first, "spec.apiServerLoadBalancer.allowedCIDRs")).toEqual(["198.51.100.0/24"]);
    expect(at(second, "spec.apiServer.managedLoadBalancer.allowedCIDRs")).toEqual(["198.51.100.0/24"]);
    await admin.patch<Loose>(clusters, metadata, {
      type: "merge",
      body: { spec: { apiServerLoadBalancer: { allowedCIDRs: [] } } },
    });
    expect(at(await admin.get<Loose>(later, metadata), "spec.apiServer.managedLoadBalancer.allowedCIDRs")).toEqual([]);
  });

  it("shows what the controller reports in v1beta1 to Cluster API in v1beta2", async () => {
    const { admin } = get().session;
    const { metadata } = await admin.create<Loose>(
      later,
      make(later, namespace, {
        identityRef,
        controlPlaneEndpoint: endpoint,
        apiServer: { managedLoadBalancer: block },
      }),
    );
    const condition = {
      type: "Ready",
      status: "True",
      reason: "AsExpected",
      message: "",
      lastTransitionTime: "2026-01-01T00:00:00Z",
    };
    const status = {
      ready: true,
      initialization: { provisioned: true },
      apiServerLoadBalancers: [{ availabilityZone: "az1", id: ids.three }],
      apiServerLoadBalancer: { id: ids.three },
      failureDomains: { az1: { controlPlane: true }, az2: { controlPlane: false } },
      conditions: [condition],
    };
    const object = {
      apiVersion: `${clusters.group}/v1beta1`,
      kind: "OpenStackCluster",
      metadata: { name: metadata.name, namespace },
      status,
    } as Loose;
    await admin.apply<Loose>(clusters, object, {
      fieldManager: "mainstay-api-endpoint",
      force: true,
      subresource: "status",
    });
    const seen = await admin.get<Loose>(later, metadata);
    expect(seen.status).toEqual({
      initialization: { provisioned: true },
      apiServerManagedLoadBalancers: [{ availabilityZone: "az1", id: ids.three }],
      apiServerManagedLoadBalancer: { id: ids.three },
      failureDomains: [
        { name: "az1", controlPlane: true },
        { name: "az2", controlPlane: false },
      ],
      conditions: [condition],
    });
  });

  it("tells appliers of both versions apart by field, and a conflict is one in either", async () => {
    const { admin } = get().session;
    const shell = make(later, namespace, {});
    const applied = (kind: Kind<Loose>, spec: object) =>
      ({ ...shell, apiVersion: `${kind.group}/${kind.version}`, spec }) as Loose;
    await admin.apply<Loose>(
      later,
      applied(later, { identityRef, controlPlaneEndpoint: endpoint, apiServer: { managedLoadBalancer: block } }),
      { fieldManager: "alice" },
    );
    const added = { apiServerLoadBalancer: { availabilityZoneSubnets: [zone("az3", ids.three)] }, apiServerPort: 6443 };
    const both = await admin.apply<Loose>(clusters, applied(clusters, added), { fieldManager: "bob" });
    expect(at(both, "spec.apiServerLoadBalancer.availabilityZoneSubnets")).toMatchObject(
      ["az1", "az2", "az3"].map((availabilityZone) => ({ availabilityZone })),
    );
    const change = applied(clusters, { ...added, apiServerLoadBalancer: { network: { id: ids.three } } });
    await expect(admin.apply<Loose>(clusters, change, { fieldManager: "bob" })).rejects.toMatchObject({
      code: "Conflict",
      causes: [{ message: expect.stringContaining("alice") }],
    });
    // Alice gives up the first zone: nobody else wanted it, so it goes; Bob's stays.
    const less = { ...block, availabilityZoneSubnets: [zone("az2", ids.two)] };
    const left = await admin.apply<Loose>(
      later,
      applied(later, { identityRef, controlPlaneEndpoint: endpoint, apiServer: { managedLoadBalancer: less } }),
      { fieldManager: "alice" },
    );
    expect(at(left, "spec.apiServer.managedLoadBalancer.availabilityZoneSubnets")).toEqual([
      zone("az2", ids.two),
      zone("az3", ids.three),
    ]);
  });

  it("shows watchers of one version what was written in the other", async () => {
    const { admin } = get().session;
    const { metadata } = await admin.create<Loose>(clusters, make(clusters, namespace, zonesSpec));
    const controller = new AbortController();
    const seen: unknown[] = [];
    const watching = (async () => {
      const options = { namespace, resourceVersion: metadata.resourceVersion ?? "", signal: controller.signal };
      for await (const event of admin.watch<Loose>(later, options)) {
        if (event.type === "MODIFIED") seen.push(at(event.object, "spec.apiServer.port"));
        if (seen.length > 0) return;
      }
    })();
    await admin.patch(clusters, metadata, { type: "merge", body: { spec: { apiServerPort: 8443 } } });
    await watching;
    controller.abort();
    expect(seen).toEqual([8443]);
  });
}
