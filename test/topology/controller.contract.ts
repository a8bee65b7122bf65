// The controller in its immutable mode: it fills what is empty, reports everything else, and reverts nothing.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { kubeadmControlPlanes, machineDeployments } from "../../src/apis/cluster-api/cluster-api-kinds.ts";
import { events } from "../../src/apis/kube/builtin-kinds.ts";
import { isKubeError, KubeError } from "../../src/core/kube-error.ts";
import { type Infrastructure, infrastructures } from "../../src/jobs/topology/apis/infrastructure.ts";
import { topologyReports } from "../../src/jobs/topology/apis/topology-report.ts";
import { applyTopology } from "../../src/jobs/topology/commands/apply-topology.ts";
import { readDeclaredReplicas } from "../../src/jobs/topology/controller/sources.ts";
import type { Kube } from "../../src/ports/kube.ts";
import { cliWorld } from "../support/cli-world.ts";
import { quietLog } from "../support/quiet-log.ts";
import { single } from "./apply.contract.ts";
import { watchedKube } from "./interrupted-kube.ts";
import { cluster, eventually, looseCrd, type TopologyWorld } from "./topology-world.ts";

const samples = join(import.meta.dirname, "..", "..", "deploy", "samples");
const empty: Infrastructure = {
  apiVersion: "config.openshift.io/v1",
  kind: "Infrastructure",
  metadata: cluster,
  spec: {},
};
const oneNode = "controlPlane: {replicas: 1}\ncompute: [{name: worker, replicas: 0}]\n";

export function controllerContract(get: () => TopologyWorld): void {
  it("fills an empty object from what the installer declared", async () => {
    await get().declareInstallConfig(oneNode);
    await get().kube.create(infrastructures, empty);
    get().startManager();
    await eventually(async () => expect(await get().published()).toEqual(["SingleReplica", "SingleReplica"]));
    await eventually(async () => expect(await get().condition("Published")).toBe("True TopologyPublished"));
    expect((await get().report()).status?.declared).toMatchObject({ source: "cluster-config-v1", rules: "two-modes" });
  });

  it("fills an object made from a manifest, whose status the server dropped", async () => {
    const sample = readFileSync(join(samples, "topology-infrastructure.yaml"), "utf8");
    const created = await get().kube.create(infrastructures, parse(sample) as Infrastructure);
    expect(created).not.toHaveProperty("status");
    get().startManager();
    await eventually(async () => expect(await get().published()).toEqual(["SingleReplica", "SingleReplica"]));
    await eventually(async () => expect(await get().condition("Published")).toBe("True TopologyPublished"));
  });

  it("leaves an old cluster that declares nothing alone, and says so", async () => {
    const created = await get().kube.create(infrastructures, empty);
    get().startManager();
    await eventually(async () => expect(await get().condition("Published")).toBe("False TopologyUndeclared"));
    expect((await get().infrastructure()).metadata.resourceVersion).toBe(created.metadata.resourceVersion);
  });

  it("says what is wrong with a declaration it cannot use", async () => {
    await get().declareInstallConfig("controlPlane: {replicas: many}\n");
    await get().kube.create(infrastructures, empty);
    get().startManager();
    await eventually(async () => expect(await get().condition("Published")).toBe("False TopologySourceInvalid"));
    expect(await get().published()).toEqual([undefined, undefined]);
  });

  it("reports a foreign edit with a condition, an event and a metric, and does not revert it", async () => {
    await applyTopology(get().kube, single);
    const { metrics } = get().startManager();
    await eventually(async () => expect(await get().condition("Unaltered")).toBe("True AsExpected"));
    await get().setStatus({ controlPlaneTopology: "HighlyAvailable" });
    await eventually(async () => expect(await get().condition("Unaltered")).toBe("False TopologyEdited"));
    await eventually(async () => {
      const { items } = await get().kube.list(events, { namespace: "default" });
      expect(items).toContainEqual(
        expect.objectContaining({ reason: "TopologyEdited", reportingController: "mainstay.dev/topology" }),
      );
    });
    expect(await metrics.text()).toMatch(/mainstay_reasons_total\{[^}]*reason="TopologyEdited"[^}]*\} [1-9]/);
    expect(await get().published()).toEqual(["HighlyAvailable", "SingleReplica"]);
  });

  it("a cluster that gains workers changes nothing for the control plane's operands", async () => {
    await applyTopology(get().kube, single);
    await get().addNodes("control-plane", 1);
    const { metrics } = get().startManager();
    await eventually(async () => expect(await get().condition("MatchesCluster")).toBe("True AsExpected"));
    const before = await get().infrastructure();
    await get().addNodes("worker", 3);
    await eventually(async () => expect((await get().report()).status?.seen?.workerNodes).toBe(3));
    await eventually(async () => expect(await get().condition("MatchesCluster")).toBe("False TopologyDrift"));
    await eventually(async () => {
      const { items } = await get().kube.list(events, { namespace: "default" });
      expect(items).toContainEqual(expect.objectContaining({ reason: "TopologyDrift", type: "Warning" }));
    });
    expect(await metrics.text()).toMatch(/mainstay_reasons_total\{[^}]*reason="TopologyDrift"[^}]*\} [1-9]/);
    expect(await get().infrastructure()).toEqual(before);
    expect(await get().published()).toEqual(["SingleReplica", "SingleReplica"]);
  });

  it("keeps the name of a profile out of every object, event, log line and metric", async () => {
    const files = { "/p.yaml": readFileSync(join(samples, "files", "topology-profile.yaml"), "utf8") };
    expect(files["/p.yaml"]).toContain("name: single-node-edge");
    const log = quietLog();
    const said: unknown[] = [log.lines];
    const { metrics } = get().startManager({}, get().kube, log);
    const cli = cliWorld({ files, kube: get().kube });
    for (const output of ["text", "yaml", "json"])
      said.push(await cli.run("topology", "derive", "--profile", "/p.yaml", "--apply", "-o", output));
    await eventually(async () => expect(await get().condition("Published")).toBe("True TopologyPublished"));
    await get().setStatus({ controlPlaneTopology: "HighlyAvailable" });
    await eventually(async () => expect(await get().condition("Unaltered")).toBe("False TopologyEdited"));
    said.push(await cli.run("topology", "check"), await cli.run("topology", "show", "-o", "json"));
    said.push(await get().infrastructure(), await get().report(), await get().kube.list(events), await metrics.text());
    expect(JSON.stringify(said)).toContain("SingleReplica");
    expect(JSON.stringify(said)).not.toContain("single-node-edge");
  });

  it("is silent on a cluster that has settled", async () => {
    await applyTopology(get().kube, single);
    const { metrics } = get().startManager();
    await eventually(async () => expect(await get().condition("Published")).toBe("True TopologyPublished"));
    const [before, report] = [await get().infrastructure(), await get().report()];
    await get().addNodes("control-plane", 1);
    await eventually(async () => expect((await get().report()).status?.seen?.controlPlaneNodes).toBe(1));
    expect((await get().infrastructure()).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    expect(await metrics.text()).toMatch(
      /mainstay_actions_total\{[^}]*action="create-report"[^}]*result="done"[^}]*\} 1/,
    );
    expect((await get().report()).metadata.uid).toBe(report.metadata.uid);
  });

  it("takes its report away with the object it speaks of", async () => {
    await applyTopology(get().kube, single);
    get().startManager();
    await eventually(async () => expect(await get().condition("Published")).toBe("True TopologyPublished"));
    await get().kube.delete(infrastructures, cluster);
    await eventually(async () => {
      const found = await get()
        .kube.get(topologyReports, cluster)
        .catch((error: unknown) => (isKubeError(error, "NotFound") ? "gone" : error));
      expect(found).toBe("gone");
    });
  });

  it("survives a write that comes between its read and its own write", async () => {
    await get().declareInstallConfig(oneNode);
    await get().kube.create(infrastructures, empty);
    let disturbed = 0;
    const kube = watchedKube(get().kube, async (verb, plural, subresource) => {
      if (verb !== "patch" || plural !== "infrastructures" || subresource !== "status" || disturbed > 0) return;
      disturbed += 1;
      await get().kube.patch(infrastructures, cluster, {
        type: "merge",
        body: { metadata: { labels: { somebody: "else" } } },
      });
    });
    get().startManager({}, kube);
    await eventually(async () => expect(await get().condition("Published")).toBe("True TopologyPublished"));
    expect(disturbed).toBe(1);
    expect(await get().published()).toEqual(["SingleReplica", "SingleReplica"]);
  });

  it("makes of a request nothing but a report while the gate is off", async () => {
    await applyTopology(get().kube, single);
    await get().request("HighlyAvailable");
    get().startManager();
    await eventually(async () => expect(await get().condition("Settled")).toBe("False TopologyImmutable"));
    expect(await get().published()).toEqual(["SingleReplica", "SingleReplica"]);
  });

  describe("with Cluster API's objects", () => {
    const kinds = [
      looseCrd("controlplane.cluster.x-k8s.io", "v1beta1", "KubeadmControlPlane", "kubeadmcontrolplanes", "Namespaced"),
      looseCrd("cluster.x-k8s.io", "v1beta2", "MachineDeployment", "machinedeployments", "Namespaced"),
    ];
    const owner = (kind: string, apiVersion: string, name: string, clusterName: string, replicas?: number) => ({
      apiVersion,
      kind,
      metadata: { namespace: "topology-capi", name, labels: { "cluster.x-k8s.io/cluster-name": clusterName } },
      spec: replicas === undefined ? {} : { replicas },
    });

    it("reads declared replicas of the cluster that is meant, in whichever version is served", async () => {
      const world = get();
      const [controlPlanes, deployments] = [kubeadmControlPlanes[1], machineDeployments[0]];
      if (controlPlanes === undefined || deployments === undefined) throw new Error("the kinds exist");
      await world.installDefinitions(kinds);
      await world.ensureNamespace("topology-capi");
      const versions = ["controlplane.cluster.x-k8s.io/v1beta1", "cluster.x-k8s.io/v1beta2"] as const;
      await world.create(controlPlanes, owner("KubeadmControlPlane", versions[0], "prod-cp", "prod", 3));
      await world.create(deployments, owner("MachineDeployment", versions[1], "prod-a", "prod", 1));
      await world.create(deployments, owner("MachineDeployment", versions[1], "prod-b", "prod"));
      await world.create(deployments, owner("MachineDeployment", versions[1], "other-a", "other", 9));
      expect(await readDeclaredReplicas(world.kube)).toMatchObject({
        found: "declared",
        declared: {
          source: "cluster-api",
          replicas: { controlPlane: 3, workers: [1, 1], arbiters: 0 },
          notes: [expect.stringContaining("prod-b")],
        },
      });
      await world.create(controlPlanes, owner("KubeadmControlPlane", versions[0], "other-cp", "other", 1));
      expect(await readDeclaredReplicas(world.kube)).toMatchObject({ found: "invalid" });
      const meant = { cluster: { namespace: "topology-capi", name: "other" } };
      expect(await readDeclaredReplicas(world.kube, meant)).toMatchObject({
        declared: { replicas: { controlPlane: 1, workers: [9] } },
      });
      await world.kube.create(infrastructures, empty);
      world.startManager(meant);
      await eventually(async () => expect(await world.published()).toEqual(["SingleReplica", "HighlyAvailable"]));
      await world.addNodes("control-plane", 1);
      await world.addNodes("worker", 2);
      await eventually(async () => expect(await world.condition("MatchesCluster")).toBe("True AsExpected"));
      const scaled = { namespace: "topology-capi", name: "other-cp" };
      await world.kube.patch(controlPlanes, scaled, { type: "merge", body: { spec: { replicas: 3 } } });
      await eventually(async () => expect(await world.condition("MatchesCluster")).toBe("False TopologyDrift"));
      expect(await world.published()).toEqual(["SingleReplica", "HighlyAvailable"]);
    });

    it("does not take their word before it is certain that the installer left none", async () => {
      const world = get();
      const [controlPlanes] = kubeadmControlPlanes.slice(1);
      if (controlPlanes === undefined) throw new Error("the kind exists");
      await world.installDefinitions(kinds);
      await world.ensureNamespace("topology-capi");
      const version = "controlplane.cluster.x-k8s.io/v1beta1";
      await world.create(controlPlanes, owner("KubeadmControlPlane", version, "prod-cp", "prod", 3));
      await world.declareInstallConfig(oneNode);
      await world.kube.create(infrastructures, empty);
      const readable = <T extends { readonly plural: string }>(kind: T): T => {
        if (kind.plural !== "configmaps") return kind;
        throw new KubeError({ code: "Forbidden", message: "configmaps is forbidden" });
      };
      const kube = watchedKube(world.kube, async () => {});
      const blind: Kube = {
        ...kube,
        list: async (kind, query, options) => kube.list(readable(kind), query, options),
        async *watch(kind, query, options) {
          yield* kube.watch(readable(kind), query, options);
        },
      };
      world.startManager({ cluster: { namespace: "topology-capi", name: "prod" } }, blind);
      await eventually(async () => expect(await world.condition("Published")).toBe("Unknown TopologyUndeclared"));
      expect(await world.published()).toEqual([undefined, undefined]);
    });
  });
}
