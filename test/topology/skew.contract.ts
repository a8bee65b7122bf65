// Versions apart: a definition that knows more values than this program, and the way back to one that knows fewer.

import { afterEach, beforeEach, expect, it } from "vitest";
import { customResourceDefinitions } from "../../src/apis/kube/builtin-kinds.ts";
import { systemClock } from "../../src/drivers/system/system-clock.ts";
import { systemRandom } from "../../src/drivers/system/system-random.ts";
import { infrastructures } from "../../src/jobs/topology/apis/infrastructure.ts";
import { infrastructureCrd } from "../../src/jobs/topology/apis/infrastructure-crd.ts";
import { applyTopology } from "../../src/jobs/topology/commands/apply-topology.ts";
import { TopologyWatcher } from "../../src/jobs/topology/controller/topology-watcher.ts";
import { cliWorld } from "../support/cli-world.ts";
import { quietLog } from "../support/quiet-log.ts";
import { single } from "./apply.contract.ts";
import { cluster, eventually, type TopologyWorld } from "./topology-world.ts";

/** Tomorrow's value, which nobody here has heard of. */
const later = "ActivePassive";

function laterVersions(): unknown {
  const text = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const values = ["HighlyAvailable", "SingleReplica", later];
  const withField = { ...text, properties: { controlPlaneTopology: { type: "string", enum: values } } };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec: withField, status: withField } } };
  return infrastructureCrd.spec.versions.map((version) => ({ ...version, schema }));
}

export function skewContract(get: () => TopologyWorld): void {
  const define = async (versions: unknown) => {
    const body = { spec: { versions } };
    await get().kube.patch(customResourceDefinitions, infrastructureCrd.metadata, { type: "merge", body });
  };

  beforeEach(async () => {
    await applyTopology(get().kube, single);
    await define(laterVersions());
    // The new definition is in force as soon as its value is taken.
    await eventually(async () => void (await get().setStatus({ controlPlaneTopology: later })));
  });
  afterEach(() => define(infrastructureCrd.spec.versions));

  it("leaves a value from a later version alone, says so, and lets consumers act as for HighlyAvailable", async () => {
    const { kube } = get();
    const watcher = new TopologyWatcher({ kube, clock: systemClock, random: systemRandom, log: quietLog() }).start();
    get().startManager();
    await eventually(async () => expect(await get().condition("Published")).toBe("False TopologyUnknownValue"));
    expect(await watcher.synced).toMatchObject({ controlPlane: "HighlyAvailable", known: false });
    expect(watcher.current().warnings).toEqual([expect.stringContaining(later)]);
    await watcher.stop();
    expect(await get().published()).toEqual([later, "SingleReplica"]);
    expect(await cliWorld({ kube }).run("topology", "check")).toMatchObject({
      code: 1,
      out: expect.stringContaining("TopologyUnknownValue"),
    });
  });

  it("never copies a requested value that it does not know", async () => {
    await get().setStatus({ controlPlaneTopology: "SingleReplica" });
    await get().request(later);
    get().startManager({ mutable: true, upgradeGate: "none", preconditions: [] });
    await eventually(async () => expect(await get().condition("Settled")).toBe("False TopologyUnknownValue"));
    expect(await get().published()).toEqual(["SingleReplica", "SingleReplica"]);
  });

  it("after a downgrade keeps the value until the administrator sets one that is known", async () => {
    const { kube } = get();
    await define(infrastructureCrd.spec.versions);
    // The older definition is in force as soon as it refuses the value for a new object.
    await eventually(async () => {
      const answer = kube.create(
        infrastructures,
        { ...(await get().infrastructure()), metadata: { name: "probe" }, spec: { controlPlaneTopology: later } },
        { dryRun: true },
      );
      await expect(answer).rejects.toMatchObject({ code: "Invalid" });
    });
    get().startManager();
    await eventually(async () => expect(await get().condition("Published")).toBe("False TopologyUnknownValue"));
    expect(await get().published()).toEqual([later, "SingleReplica"]);
    await get().setStatus({ controlPlaneTopology: "SingleReplica" });
    await eventually(async () => expect(await get().condition("Published")).toBe("True TopologyPublished"));
    expect(await get().kube.get(infrastructures, cluster)).toMatchObject({
      status: { controlPlaneTopology: "SingleReplica", infrastructureTopology: "SingleReplica" },
    });
  });
}
