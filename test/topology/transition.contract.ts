// The mutable mode: a request reaches status only on a settled cluster, and every other ending has a reason.

import { beforeEach, expect, it } from "vitest";
import { KubeError } from "../../src/core/kube-error.ts";
import { clusterVersions } from "../../src/jobs/topology/apis/cluster-version.ts";
import { applyTopology } from "../../src/jobs/topology/commands/apply-topology.ts";
import type { Kube } from "../../src/ports/kube.ts";
import { single } from "./apply.contract.ts";
import { watchedKube } from "./interrupted-kube.ts";
import { clusterVersionCrd, eventually, type TopologyWorld } from "./topology-world.ts";

export function transitionContract(get: () => TopologyWorld): void {
  const mutable = { mutable: true };
  const version = { apiVersion: "config.openshift.io/v1", kind: "ClusterVersion", metadata: { name: "version" } };
  const settled = async (reason: string) =>
    eventually(async () => expect(await get().condition("Settled")).toBe(reason));

  beforeEach(async () => {
    await get().installDefinitions([clusterVersionCrd]);
    await applyTopology(get().kube, single);
    await get().addNodes("control-plane", 3);
  });

  it("grants a request on a settled cluster and takes the change for its own", async () => {
    await get().create(clusterVersions, version);
    await get().setClusterVersion("False");
    await get().request("HighlyAvailable");
    get().startManager(mutable);
    await settled("True TransitionComplete");
    expect(await get().published()).toEqual(["HighlyAvailable", "HighlyAvailable"]);
    await eventually(async () => expect(await get().condition("Unaltered")).toBe("True AsExpected"));
  });

  it("waits for the end of an upgrade, and then goes on by itself", async () => {
    await get().create(clusterVersions, version);
    await get().setClusterVersion("True");
    await get().request("HighlyAvailable");
    get().startManager(mutable);
    await settled("False ClusterVersionProgressing");
    expect(await get().published()).toEqual(["SingleReplica", "SingleReplica"]);
    await get().setClusterVersion("Unknown");
    await settled("False ClusterVersionUnknown");
    await get().setClusterVersion("False");
    await settled("True TransitionComplete");
    expect(await get().published()).toEqual(["HighlyAvailable", "HighlyAvailable"]);
  });

  it("waits where there is no ClusterVersion, unless the operator said that nobody upgrades here", async () => {
    await get().request("HighlyAvailable");
    const first = get().startManager(mutable);
    await settled("False ClusterVersionUnknown");
    await first.stop();
    get().startManager({ ...mutable, upgradeGate: "none" });
    await settled("True TransitionComplete");
  });

  it("reads again right before it writes: an upgrade that begins in that moment wins", async () => {
    await get().create(clusterVersions, version);
    await get().setClusterVersion("False");
    await get().request("HighlyAvailable");
    let began = 0;
    const kube = watchedKube(get().kube, async (verb, plural) => {
      if (verb !== "get" || plural !== "clusterversions" || began > 0) return;
      began += 1;
      await get().setClusterVersion("True");
    });
    get().startManager(mutable, kube);
    await settled("False ClusterVersionProgressing");
    expect(began).toBe(1);
    expect(await get().published()).toEqual(["SingleReplica", "SingleReplica"]);
  });

  it("finishes after a restart in the middle", async () => {
    await get().create(clusterVersions, version);
    await get().setClusterVersion("False");
    await get().request("HighlyAvailable");
    await get().setStatus({ controlPlaneTopology: "HighlyAvailable", infrastructureTopology: "HighlyAvailable" });
    get().startManager(mutable);
    await eventually(async () => expect(await get().condition("Unaltered")).toBe("True AsExpected"));
    await settled("True TransitionComplete");
  });

  it("finishes after the process died between its write and the answer", async () => {
    await get().create(clusterVersions, version);
    await get().setClusterVersion("False");
    await get().request("HighlyAvailable");
    let lost = 0;
    const kube: Kube = {
      ...watchedKube(get().kube, async () => {}),
      patch: async (kind, ref, patch, options) => {
        const answer = await get().kube.patch(kind, ref, patch, options);
        if (kind.plural !== "infrastructures") return answer;
        lost += 1;
        throw new KubeError({ code: "Unreachable", message: "the line was cut" });
      },
    };
    const first = get().startManager(mutable, kube);
    await eventually(async () => expect(lost).toBeGreaterThan(0));
    await first.stop();
    expect(await get().published()).toEqual(["HighlyAvailable", "HighlyAvailable"]);
    get().startManager(mutable);
    await eventually(async () => expect(await get().condition("Unaltered")).toBe("True AsExpected"));
    await settled("True TransitionComplete");
  });

  it("reads again when somebody else wrote first", async () => {
    await get().create(clusterVersions, version);
    await get().setClusterVersion("False");
    await get().request("HighlyAvailable");
    let disturbed = 0;
    const kube = watchedKube(get().kube, async (verb, plural, subresource) => {
      if (verb !== "patch" || plural !== "infrastructures" || subresource !== "status" || disturbed > 0) return;
      disturbed += 1;
      await get().request(null);
    });
    get().startManager(mutable, kube);
    await settled("True AsExpected");
    expect(disturbed).toBe(1);
    expect(await get().published()).toEqual(["SingleReplica", "SingleReplica"]);
  });

  it("lets a change stand when the request is withdrawn after it", async () => {
    await get().create(clusterVersions, version);
    await get().setClusterVersion("False");
    await get().request("HighlyAvailable");
    get().startManager(mutable);
    await settled("True TransitionComplete");
    await eventually(async () => expect(await get().condition("Unaltered")).toBe("True AsExpected"));
    await get().request(null);
    await settled("True AsExpected");
    expect(await get().published()).toEqual(["HighlyAvailable", "HighlyAvailable"]);
    expect(await get().condition("Unaltered")).toBe("True AsExpected");
  });

  it("does nothing when the request is withdrawn before it could be granted", async () => {
    await get().create(clusterVersions, version);
    await get().setClusterVersion("True");
    await get().request("HighlyAvailable");
    get().startManager(mutable);
    await settled("False ClusterVersionProgressing");
    await get().request(null);
    await settled("True AsExpected");
    await get().setClusterVersion("False");
    await eventually(async () => expect(await get().condition("Settled")).toBe("True AsExpected"));
    expect(await get().published()).toEqual(["SingleReplica", "SingleReplica"]);
  });

  it("names a precondition that does not hold", async () => {
    await get().create(clusterVersions, version);
    await get().setClusterVersion("False");
    await get().request("HighlyAvailable");
    get().startManager({ ...mutable, preconditions: [{ name: "Never", missing: () => "not today" }] });
    await settled("False TransitionPreconditionFailed");
    const conditions = (await get().report()).status?.conditions ?? [];
    expect(conditions.find(({ type }) => type === "Settled")?.message).toContain("Never: not today");
  });
}
