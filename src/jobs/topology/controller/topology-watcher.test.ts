import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../../../test/support/virtual-clock.ts";
import { installCrds } from "../../../cli/install-crds.ts";
import { KubeError } from "../../../core/kube-error.ts";
import { kubeClient } from "../../../drivers/kube/client.ts";
import type { KubeReader } from "../../../ports/kube.ts";
import type { Log } from "../../../ports/log.ts";
import { adminToken, createFakeKubeApi } from "../../../sim/fakes/kube/api-server.ts";
import { seededRandom } from "../../../sim/time/seeded-random.ts";
import { type Infrastructure, infrastructures } from "../apis/infrastructure.ts";
import { topologyDouble } from "../core/every-topology.ts";
import { topologyJob } from "../job.ts";
import { TopologyDouble, TopologyWatcher } from "./topology-watcher.ts";

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, with: () => silent };
const cluster = { name: "cluster" };

async function world() {
  const clock = new VirtualClock();
  const random = seededRandom(7);
  const api = createFakeKubeApi({ clock, random });
  const kube = kubeClient({ transport: api.transport(adminToken), clock });
  const line = { cut: false };
  const checkLine = () => {
    if (line.cut) throw new KubeError({ code: "Unreachable", message: "the line is cut" });
  };
  const reader: KubeReader = {
    get: async (kind, ref, options) => (checkLine(), kube.get(kind, ref, options)),
    list: async (kind, query, options) => (checkLine(), kube.list(kind, query, options)),
    watch: (kind, query, options) => (checkLine(), kube.watch(kind, query, options)),
  };
  const watcher = new TopologyWatcher({ kube: reader, clock, random, log: silent });
  const publish = async (status: Readonly<Record<string, string>>) => {
    await kube.patch(infrastructures, cluster, { type: "merge", body: { status } }, { subresource: "status" });
  };
  const cutLine = async () => {
    line.cut = true;
    api.closeWatches();
    await clock.advance(60_000);
  };
  return { clock, api, kube, line, watcher, publish, cutLine };
}

const empty: Infrastructure = { apiVersion: "config.openshift.io/v1", kind: "Infrastructure", metadata: cluster };

async function publishedWorld() {
  const made = await world();
  await installCrds(made.kube, made.clock, topologyJob.definitions);
  await made.kube.create(infrastructures, empty);
  await made.publish({ controlPlaneTopology: "SingleReplica", infrastructureTopology: "SingleReplica" });
  made.watcher.start();
  await made.clock.advance(0);
  return made;
}

describe("a topology watcher", () => {
  test("has an answer before the first one came, and keeps the promise open until then", async () => {
    const { clock, watcher, line } = await world();
    line.cut = true;
    watcher.start();
    let settled = false;
    void watcher.synced.then(() => {
      settled = true;
    });
    await clock.advance(5_000);
    expect(settled).toBe(false);
    expect(watcher.current()).toMatchObject({
      controlPlane: "HighlyAvailable",
      infrastructure: "HighlyAvailable",
      known: false,
    });
    expect(watcher.current().warnings).toEqual(["the API server does not answer"]);
    await watcher.stop();
  });

  test("is content on a cluster that has no such kind", async () => {
    const { clock, watcher } = await world();
    watcher.start();
    await clock.advance(1_000);
    expect(await watcher.synced).toMatchObject({ controlPlane: "HighlyAvailable", source: "default", warnings: [] });
    await watcher.stop();
  });

  test("keeps the last known value while the API server does not answer, and goes on when it does", async () => {
    const { clock, watcher, line, publish, cutLine } = await publishedWorld();
    expect(await watcher.synced).toMatchObject({ controlPlane: "SingleReplica", source: "status" });
    const seen: string[] = [];
    watcher.onChange((now) => seen.push(now.controlPlane));
    await cutLine();
    expect(watcher.current()).toMatchObject({
      controlPlane: "SingleReplica",
      infrastructure: "SingleReplica",
      known: true,
      source: "last-known",
    });
    await publish({ controlPlaneTopology: "HighlyAvailable" });
    expect(seen).toEqual([]);
    line.cut = false;
    await clock.advance(120_000);
    expect(watcher.current()).toMatchObject({ controlPlane: "HighlyAvailable", source: "status", warnings: [] });
    expect(seen).toEqual(["HighlyAvailable"]);
    await watcher.stop();
  });

  test("is not stopped by a listener that throws, and forgets one that left", async () => {
    const { clock, watcher, publish } = await publishedWorld();
    const seen: string[] = [];
    watcher.onChange(() => {
      throw new Error("not my day");
    });
    const leave = watcher.onChange(() => seen.push("left"));
    watcher.onChange((now, before) => seen.push(`${before.infrastructure} → ${now.infrastructure}`));
    leave();
    await publish({ infrastructureTopology: "HighlyAvailable" });
    await clock.advance(0);
    expect(seen).toEqual(["SingleReplica → HighlyAvailable"]);
    await watcher.stop();
  });

  test("says nothing about changes that are none", async () => {
    const { clock, watcher, publish } = await publishedWorld();
    const seen: string[] = [];
    watcher.onChange(() => seen.push("changed"));
    await publish({ infrastructureName: "lab" });
    await clock.advance(0);
    expect(seen).toEqual([]);
    await watcher.stop();
  });
});

describe("its double", () => {
  test("tells listeners of what a test sets, and of nothing else", async () => {
    const double = new TopologyDouble(topologyDouble("SingleReplica", "SingleReplica"));
    const seen: string[] = [];
    double.onChange((now) => seen.push(now.controlPlane));
    double.set(topologyDouble("SingleReplica", "SingleReplica"));
    double.set(topologyDouble("HighlyAvailable", "SingleReplica"));
    expect(seen).toEqual(["HighlyAvailable"]);
    expect(await double.synced).toMatchObject({ controlPlane: "SingleReplica" });
    expect(double.current().controlPlane).toBe("HighlyAvailable");
  });
});
