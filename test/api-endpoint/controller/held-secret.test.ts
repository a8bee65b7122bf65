// The Secret with the credentials is needed to clean up: it bears our finalizer while an object of ours uses it, so that a namespace can be
// deleted in any order; and it is let go as soon as nobody needs it, so that nothing else waits for it.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { clusters } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import { namespaces, secrets } from "../../../src/apis/kube/builtin-kinds.ts";
import type { Kind, KubeObject, ObjectRef } from "../../../src/apis/kube/kube-object.ts";
import { KubeError } from "../../../src/core/kube-error.ts";
import { heldSecretAnnotation } from "../../../src/jobs/api-endpoint/apis/annotations.ts";
import { apiEndpoints } from "../../../src/jobs/api-endpoint/apis/api-endpoint/api-endpoint.ts";
import { openStackClusters } from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import type { Kube } from "../../../src/ports/kube.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { balancerNames, countsByKind } from "../world/cloud-contents.ts";
import { cloudsYaml, EndpointWorld, namespace } from "../world/endpoint-world.ts";

const ref = { name: "blue", namespace };
const secretRef = { name: "cloud", namespace };
const nothing = { loadbalancers: 0, listeners: 0, pools: 0, members: 0, healthmonitors: 0, floatingips: 0 };
let world: EndpointWorld;
let running: TestManager;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
  running = world.work();
});
afterEach(() => running.manager.stop());

type Door = "OpenStackCluster" | "APIEndpoint";
const kindOf = (door: Door): Kind => (door === "OpenStackCluster" ? openStackClusters : apiEndpoints);
const finalizerOf = (door: Door) =>
  `mainstay.dev/${door === "OpenStackCluster" ? "openstack-cluster" : "api-endpoint"}`;

async function begin(door: Door, name = "blue"): Promise<void> {
  const controlPlaneEndpoint = { host: `api.${name}.example.com`, port: 6443 };
  const spec = { controlPlaneEndpoint, apiServerLoadBalancer: world.zones(["az1"]) };
  if (door === "OpenStackCluster") await world.cluster(name, { spec });
  else {
    await world.put(clusters, name, {});
    await world.kube.create(apiEndpoints, world.apiEndpoint(name, spec));
  }
  await world.clock.advance(120_000);
}

async function find(kind: Kind, at: ObjectRef): Promise<KubeObject | undefined> {
  return await world.kube.get(kind, at).catch((error: unknown) => {
    if (error instanceof KubeError && error.code === "NotFound") return undefined;
    throw error;
  });
}

const finalizers = async (name = "cloud") => (await find(secrets, { name, namespace }))?.metadata.finalizers ?? [];

describe.each(["OpenStackCluster", "APIEndpoint"] as const)("for an %s", (door) => {
  test.each(["Secret first", "object first", "as it comes"])(
    "a namespace is deleted with all it had in the cloud: %s",
    async (order) => {
      await begin(door);
      expect(await finalizers()).toEqual([finalizerOf(door)]);
      if (order === "Secret first") await world.kube.delete(secrets, secretRef);
      if (order === "object first") await world.kube.delete(kindOf(door), ref);
      await world.kube.delete(namespaces, { name: namespace });
      await world.clock.advance(180_000);
      expect(countsByKind(world)).toEqual(nothing);
      expect(await find(namespaces, { name: namespace })).toBeUndefined();
    },
  );

  test("a namespace is deleted although no manager ran at first", async () => {
    await begin(door);
    await running.manager.stop();
    await world.kube.delete(namespaces, { name: namespace });
    await world.clock.advance(10_000);
    running = world.work();
    await world.clock.advance(180_000);
    expect(countsByKind(world)).toEqual(nothing);
    expect(await find(namespaces, { name: namespace })).toBeUndefined();
  });

  test("it is let go with the last object that uses it, and not before", async () => {
    await begin(door);
    await begin(door, "green");
    await world.kube.delete(kindOf(door), ref);
    await world.clock.advance(120_000);
    expect(await find(kindOf(door), ref)).toBeUndefined();
    expect(await finalizers()).toEqual([finalizerOf(door)]);
    await world.kube.delete(kindOf(door), { ...ref, name: "green" });
    await world.clock.advance(120_000);
    expect(await finalizers()).toEqual([]);
    expect(countsByKind(world)).toEqual(nothing);
  });

  test("whoever replaces it by deleting it waits for nobody", async () => {
    await begin(door);
    await world.kube.delete(secrets, secretRef);
    await world.clock.advance(60_000);
    expect(await find(secrets, secretRef)).toBeUndefined();
    await world.putCredentials(cloudsYaml(world.lab));
    await world.clock.advance(60_000);
    expect(await finalizers()).toEqual([finalizerOf(door)]);
    expect(balancerNames(world)).toHaveLength(1);
  });

  test("another one takes its place when the object names another", async () => {
    await begin(door);
    const { data = {} } = await world.kube.get(secrets, secretRef);
    const copy = { apiVersion: "v1", kind: "Secret", metadata: { name: "cloud-2", namespace }, data };
    await world.kube.create(secrets, copy);
    const body = { spec: { identityRef: { name: "cloud-2" } } };
    await world.kube.patch(kindOf(door), ref, { type: "merge", body });
    await world.clock.advance(60_000);
    expect([await finalizers("cloud"), await finalizers("cloud-2")]).toEqual([[], [finalizerOf(door)]]);
    expect((await world.kube.get(kindOf(door), ref)).metadata.annotations?.[heldSecretAnnotation]).toBe("cloud-2");
  });

  test("who may not change Secrets makes and removes everything all the same, and tries ever less often", async () => {
    await running.manager.stop();
    let asked = 0;
    const through = (kube: Kube): Kube => ({
      ...kube,
      patch: async (kind, at, patch, options) => {
        if (kind.plural !== "secrets") return await kube.patch(kind, at, patch, options);
        asked += 1;
        throw new KubeError({ code: "Forbidden", message: "secrets: patch is forbidden", hint: "" });
      },
    });
    running = world.manager({ through });
    await begin(door);
    expect(balancerNames(world)).toHaveLength(1);
    const ready = (
      await world.kube.get<KubeObject & { readonly status?: { readonly conditions?: unknown } }>(kindOf(door), ref)
    ).status?.conditions;
    expect(ready).toContainEqual(expect.objectContaining({ type: "Ready", status: "True" }));
    // That the guard against a lost Secret is missing is said, and what to do about it.
    const unheld = "add the finalizer to Secret cloud: secrets: patch is forbidden; until then nothing keeps it";
    expect(ready).toContainEqual(
      expect.objectContaining({
        type: "OpenStackAuthenticationSucceeded",
        status: "True",
        reason: "PermissionDenied",
        message: expect.stringContaining(unheld),
      }),
    );
    asked = 0;
    await world.clock.advance(3_600_000);
    expect(asked).toBeLessThan(30);
    await world.kube.delete(kindOf(door), ref);
    await world.clock.advance(120_000);
    expect(await find(kindOf(door), ref)).toBeUndefined();
  });

  test.each([1, 2, 3])(
    "a crash before any write of the last steps forgets neither Secret nor object: %i",
    async (nth) => {
      await begin(door);
      await running.manager.stop();
      let left = nth;
      const through = (kube: Kube): Kube => ({
        ...kube,
        patch: async (kind, at, patch, options) => {
          const isLast = options?.subresource === undefined && ["secrets", kindOf(door).plural].includes(kind.plural);
          if (isLast && (left -= 1) <= 0) throw new KubeError({ code: "Unreachable", message: "crash", hint: "" });
          return await kube.patch(kind, at, patch, options);
        },
      });
      running = world.manager({ through });
      await world.kube.delete(kindOf(door), ref);
      await world.kube.delete(secrets, secretRef);
      await world.clock.advance(60_000);
      await running.manager.stop();
      running = world.work();
      await world.clock.advance(180_000);
      expect([await find(kindOf(door), ref), await find(secrets, secretRef)]).toEqual([undefined, undefined]);
      expect(countsByKind(world)).toEqual(nothing);
    },
  );
});
