// What `kubectl apply -f deploy/rbac/` gives the manager's service account is all that the manager needs: it leads, publishes
// and writes Events, with these rights and nothing more.

import { afterEach, expect, it } from "vitest";
import { configMaps, events, leases, namespaces, nodes } from "../../src/apis/kube/builtin-kinds.ts";
import type { Kind, KubeObject } from "../../src/apis/kube/kube-object.ts";
import { isKubeError } from "../../src/core/kube-error.ts";
import { kubeClient } from "../../src/drivers/kube/client.ts";
import { systemClock } from "../../src/drivers/system/system-clock.ts";
import { systemRandom } from "../../src/drivers/system/system-random.ts";
import type { Manager } from "../../src/engine/manager.ts";
import { infrastructures } from "../../src/jobs/topology/apis/infrastructure.ts";
import { topologyFeature } from "../../src/jobs/topology/controller/feature.ts";
import type { Kube } from "../../src/ports/kube.ts";
import type { KubeTransport } from "../../src/ports/kube-transport.ts";
import { rightsManifests } from "../support/rights-manifests.ts";
import { startTestManager } from "../support/test-manager.ts";
import { eventually, type TopologyWorld } from "./topology-world.ts";

const lease = { namespace: "mainstay-system", name: "mainstay" };

export function managerRightsContract(get: () => TopologyWorld): void {
  let manager: Manager | undefined;
  afterEach(async () => await manager?.stop());

  it("leads, publishes and writes Events with the manifests of deploy/rbac", async () => {
    await applyManagerRights(get());
    const kube = serviceAccount(get().session.transport);
    await eventually(async () => void (await kube.list(infrastructures)));
    await get().declareInstallConfig("controlPlane: {replicas: 1}\ncompute: [{replicas: 0}]\n");
    await get().kube.create(infrastructures, {
      apiVersion: "config.openshift.io/v1",
      kind: "Infrastructure",
      metadata: { name: "cluster" },
    });
    const timings = { durationMs: 2_000, renewDeadlineMs: 1_500, retryMs: 200 };
    const running = startTestManager({
      kube,
      clock: systemClock,
      random: systemRandom,
      features: [topologyFeature({})],
      identity: "rights-test",
      lease: { ref: lease, timings, kube },
    });
    manager = running.manager;
    await eventually(async () => expect(await get().condition("Published")).toBe("True TopologyPublished"));
    expect(await get().kube.get(leases, lease)).toMatchObject({ spec: { holderIdentity: "rights-test" } });
    await eventually(async () => expect(await reasonsOfEvents(get().kube)).toContain("TopologyStatusSet"));
    await running.manager.stop();
    expect(await get().kube.get(leases, lease)).not.toMatchObject({ spec: { holderIdentity: "rights-test" } });
  });

  it("lets the manager do nothing else", async () => {
    await applyManagerRights(get());
    const kube = serviceAccount(get().session.transport);
    await eventually(async () => void (await kube.list(infrastructures)));
    const secrets: Kind = { group: "", version: "v1", kind: "Secret", plural: "secrets", namespaced: true };
    for (const call of [
      () => kube.list(secrets, { namespace: "kube-system" }),
      () => kube.list(configMaps, { namespace: "kube-system" }),
      () => kube.delete(infrastructures, { name: "cluster" }),
      () => kube.delete(leases, lease),
      () => kube.patch(nodes, { name: "any" }, { type: "merge", body: {} }),
      () => kube.get(leases, { ...lease, namespace: "kube-system" }),
    ]) {
      const refused = await call().then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(isKubeError(refused, "Forbidden")).toBe(true);
    }
  });
}

/**
 * As `kubectl apply -f deploy/rbac/` would, with the rights of the topology controller alone: what other jobs may do is theirs to test. The
 * namespace stays: it ends only where controllers run.
 */
export async function applyManagerRights(world: TopologyWorld): Promise<void> {
  const ofOthers = (name: string) => name.endsWith("-controller.yaml") && name !== "topology-controller.yaml";
  for (const { file, kind, object } of rightsManifests()) {
    if (ofOthers(file)) continue;
    if (kind === namespaces) await world.ensureNamespace(object.metadata.name ?? "");
    else await world.create(kind, object);
  }
}

function serviceAccount(transport: KubeTransport): Kube {
  const user = { "impersonate-user": "system:serviceaccount:mainstay-system:mainstay" };
  return kubeClient({
    clock: systemClock,
    transport: {
      send: (request, options) => transport.send({ ...request, headers: { ...request.headers, ...user } }, options),
      close: () => Promise.resolve(),
    },
  });
}

async function reasonsOfEvents(kube: Kube): Promise<readonly unknown[]> {
  const { items } = await kube.list<KubeObject & { readonly reason?: string }>(events);
  return items.map(({ reason }) => reason);
}
