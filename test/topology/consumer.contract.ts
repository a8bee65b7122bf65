// What an operator gets that is allowed to read the topology and nothing else: the watcher, with a restricted token.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { nodes } from "../../src/apis/builtin-kinds.ts";
import { infrastructures } from "../../src/apis/infrastructure.ts";
import type { Kind, KubeObject } from "../../src/apis/kube-object.ts";
import { applyTopology } from "../../src/cli/topology/apply-topology.ts";
import { TopologyWatcher } from "../../src/controllers/topology-watcher.ts";
import { isKubeError } from "../../src/core/kube-error.ts";
import { systemClock } from "../../src/drivers/system/system-clock.ts";
import { systemRandom } from "../../src/drivers/system/system-random.ts";
import type { Kube } from "../../src/ports/kube.ts";
import { quietLog } from "../support/quiet-log.ts";
import { single } from "./apply.contract.ts";
import { cluster, eventually, type TopologyWorld } from "./world.ts";

const group = "rbac.authorization.k8s.io";
const kindOf = (kind: string, plural: string, namespaced: boolean): Kind => ({
  group,
  version: "v1",
  kind,
  plural,
  namespaced,
});
const kinds: Readonly<Record<string, Kind>> = {
  ClusterRole: kindOf("ClusterRole", "clusterroles", false),
  Role: kindOf("Role", "roles", true),
  ClusterRoleBinding: kindOf("ClusterRoleBinding", "clusterrolebindings", false),
  RoleBinding: kindOf("RoleBinding", "rolebindings", true),
};

/** Creates the roles of a file and binds them to the user `controller`. */
async function bindRoles(world: TopologyWorld, file: string): Promise<void> {
  const text = readFileSync(join(import.meta.dirname, "..", "..", "deploy", "rbac", file), "utf8");
  for (const document of parseAllDocuments(text)) {
    const role = parse(document.toString()) as KubeObject;
    const bindingKind = `${role.kind}Binding`;
    const binding = {
      apiVersion: `${group}/v1`,
      kind: bindingKind,
      metadata: { ...role.metadata, labels: {} },
      subjects: [{ apiGroup: group, kind: "User", name: "controller" }],
      roleRef: { apiGroup: group, kind: role.kind, name: role.metadata.name },
    };
    const [roleOf, bindingOf] = [kinds[role.kind], kinds[bindingKind]];
    if (roleOf === undefined || bindingOf === undefined) throw new Error(`${file}: ${role.kind} is not a role`);
    await world.create(roleOf, role);
    await world.create(bindingOf, binding);
  }
}

export function consumerContract(get: () => TopologyWorld): void {
  const watchers: TopologyWatcher[] = [];
  const watch = (kube: Kube) => {
    const watcher = new TopologyWatcher({ kube, clock: systemClock, random: systemRandom, log: quietLog() }).start();
    watchers.push(watcher);
    return watcher;
  };
  afterEach(async () => {
    for (const watcher of watchers.splice(0)) await watcher.stop();
  });

  it("reads and watches the topology with the reader role, and nothing more", async () => {
    await bindRoles(get(), "topology-reader.yaml");
    const { restricted } = get().session;
    await eventually(async () => void (await restricted.list(infrastructures)));
    await applyTopology(get().kube, single);
    const watcher = watch(restricted);
    expect(await watcher.synced).toMatchObject({
      controlPlane: "SingleReplica",
      infrastructure: "SingleReplica",
      known: true,
      source: "status",
    });
    const seen: string[] = [];
    watcher.onChange((now, before) => seen.push(`${before.controlPlane} → ${now.controlPlane}`));
    await get().setStatus({ controlPlaneTopology: "HighlyAvailable" });
    await eventually(async () => expect(seen).toEqual(["SingleReplica → HighlyAvailable"]));
    for (const call of [
      () => restricted.list(nodes),
      () => restricted.patch(infrastructures, cluster, { type: "merge", body: { spec: {} } }),
    ]) {
      const refused = await call().then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(isKubeError(refused, "Forbidden")).toBe(true);
    }
  });

  it("acts as for HighlyAvailable, with a warning, where it may not read", async () => {
    await applyTopology(get().kube, single);
    const reading = await watch(get().session.restricted).synced;
    expect(reading).toMatchObject({ controlPlane: "HighlyAvailable", infrastructure: "HighlyAvailable", known: false });
    expect(reading.warnings).toEqual([expect.stringContaining("mainstay-topology-reader")]);
  });

  it("acts as for HighlyAvailable on an old cluster without the object, and learns of it when it comes", async () => {
    const watcher = watch(get().kube);
    expect(await watcher.synced).toMatchObject({
      controlPlane: "HighlyAvailable",
      known: false,
      source: "default",
      warnings: [],
    });
    await applyTopology(get().kube, single);
    await eventually(async () =>
      expect(watcher.current()).toMatchObject({ controlPlane: "SingleReplica", known: true }),
    );
  });

  it("keeps the last known value when the object vanishes, and says so", async () => {
    await applyTopology(get().kube, single);
    const watcher = watch(get().kube);
    await watcher.synced;
    await get().kube.delete(infrastructures, cluster);
    await eventually(async () =>
      expect(watcher.current()).toMatchObject({ controlPlane: "SingleReplica", source: "last-known" }),
    );
    expect(watcher.current().warnings).toHaveLength(1);
  });

  it("the controller works with its own role", async () => {
    await bindRoles(get(), "topology-controller.yaml");
    const { restricted } = get().session;
    await eventually(async () => void (await restricted.list(infrastructures)));
    await get().declareInstallConfig("controlPlane: {replicas: 1}\ncompute: [{replicas: 0}]\n");
    await get().kube.create(infrastructures, {
      apiVersion: "config.openshift.io/v1",
      kind: "Infrastructure",
      metadata: { name: "cluster" },
    });
    get().startManager({}, restricted);
    await eventually(async () => expect(await get().condition("Published")).toBe("True TopologyPublished"));
    expect(await get().published()).toEqual(["SingleReplica", "SingleReplica"]);
  });
}
