// The engine as a whole on a real API server and the real clock: a feature converges, reports, survives a lost answer and cleans up.

import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { configMaps, customResourceDefinitions, events, namespaces, nodes } from "../../src/apis/kube/builtin-kinds.ts";
import type { KubeObject } from "../../src/apis/kube/kube-object.ts";
import { conditionsOf } from "../../src/core/conditions.ts";
import { allGuards } from "../../src/core/guards.ts";
import { isKubeError, KubeError } from "../../src/core/kube-error.ts";
import { kubeClient } from "../../src/drivers/kube/client.ts";
import { loadKubeconfig } from "../../src/drivers/kube/kubeconfig/kubeconfig.ts";
import { undiciTransport } from "../../src/drivers/kube/undici-transport.ts";
import { systemClock as clock } from "../../src/drivers/system/system-clock.ts";
import { systemRandom as random } from "../../src/drivers/system/system-random.ts";
import { Manager } from "../../src/engine/manager.ts";
import { AppliedShapes, applyStatus } from "../../src/engine/report/apply-status.ts";
import { createMetrics, recordRequest } from "../../src/engine/report/metrics.ts";
import type { Kube } from "../../src/ports/kube.ts";
import type { KubeTransport } from "../../src/ports/kube-transport.ts";
import { type Specimen, specimens as simSpecimens, specimenCrdIn } from "../../src/sim/specimen/specimen-kind.ts";
import { describeLab, labKube } from "../lab.ts";
import { quietLog } from "../support/quiet-log.ts";
import { SpecimenCloud, specimenFeatureOn } from "../support/specimen-cloud.ts";

interface WrittenEvent extends KubeObject {
  readonly reason?: string;
  readonly reportingController?: string;
  readonly series?: { readonly count: number };
}

describeLab("the engine on a real API server", labKube, ({ tokenKubeconfig }) => {
  const namespace = `engine-${random.uuid().slice(0, 8)}`;
  const ref = { name: "one", namespace };
  // Others may run this very test on the same server.
  const specimens = { ...simSpecimens, group: `${namespace}.mainstay.dev` };
  const crd = specimenCrdIn(specimens.group);
  const cloud = new SpecimenCloud(clock);
  const log = quietLog();
  const metrics = createMetrics();
  let kube: Kube;
  let transport: KubeTransport;
  let manager: Manager;
  let lost = 0;

  beforeAll(async () => {
    const connection = await loadKubeconfig({ path: tokenKubeconfig, environment: {}, home: "/", clock });
    transport = undiciTransport({ connection });
    kube = kubeClient({ transport, clock, onRequest: recordRequest(metrics) });
    await kube.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    await kube.create(customResourceDefinitions, crd);
    cloud.down.add("b");
    manager = new Manager({
      kube: losingFirstChild(kube),
      clock,
      random,
      log,
      metrics,
      features: [specimenFeatureOn(cloud, {}, specimens)],
      identity: `test_${random.uuid()}`,
      scope: { namespace },
      lease: {
        ref: { namespace, name: "engine" },
        // Nobody else wants it, and a busy machine shall not cost it.
        timings: { durationMs: 10_000, renewDeadlineMs: 8_000, retryMs: 300 },
      },
      guardOf: () => allGuards([]),
    });
    manager.start();
  });

  afterAll(async () => {
    await manager.stop();
    await kube.delete(namespaces, { name: namespace });
    await kube.delete(customResourceDefinitions, { name: crd.metadata.name });
    await transport.close();
  });

  /** The first child is made, and nobody hears of it. */
  function losingFirstChild(through: Kube): Kube {
    return {
      ...through,
      async create(kind, object, options) {
        const made = await through.create(kind, object, options);
        if (kind !== (configMaps as unknown) || lost > 0) return made;
        lost += 1;
        throw new KubeError({ code: "Timeout", message: "no answer" });
      },
    };
  }

  async function until(holds: () => Promise<boolean>): Promise<void> {
    while (!(await holds())) await delay(100);
  }

  const read = (): Promise<Specimen> => kube.get(specimens, ref);
  const conditionOf = async () => conditionsOf(await read())[0];
  const children = async (): Promise<readonly string[]> =>
    (await kube.list(configMaps, { namespace, labelSelector: "mainstay.dev/made-by=specimen" })).items.map(
      ({ metadata }) => metadata.name,
    );

  test("converges lane by lane, with status, conditions and events the server accepts", {
    timeout: 600_000,
  }, async () => {
    await until(async () => manager.readiness().ready);
    await until(async () =>
      kube
        .create<Specimen>(specimens, {
          apiVersion: `${specimens.group}/v1`,
          kind: "Specimen",
          metadata: ref,
          spec: { locations: ["a", "b"] },
        })
        .then(
          () => true,
          () => false,
        ),
    );
    await until(async () => (await read()).status?.readyLocations?.length === 1);
    expect(await children()).toEqual(["one-a"]);
    expect(await conditionOf()).toMatchObject({ type: "Ready", status: "False", observedGeneration: 1 });
    expect(lost).toBe(1);
    cloud.down.clear();
    await until(async () => (await conditionOf())?.status === "True");
    expect((await children()).toSorted()).toEqual(["one-a", "one-b"]);
    const { items } = await kube.list<WrittenEvent>(events, { namespace });
    expect(items.map(({ reason }) => reason)).toContain("ApiUnreachable");
    expect(items.find(({ reason }) => reason === "ApiUnreachable")?.series?.count).toBeGreaterThan(1);
    expect(items.every(({ reportingController }) => reportingController === "mainstay.dev/specimen")).toBe(true);
    expect(await metrics.text()).toContain(
      `mainstay_api_requests_total{verb="apply",kind="specimens.${specimens.group}",code="200"}`,
    );
  });

  test("is quiet once it has converged", { timeout: 600_000 }, async () => {
    const said = () => log.lines.filter(({ level }) => level !== "debug").length;
    await until(async () => {
      const before = said();
      await delay(1_000);
      return said() === before;
    });
    const { resourceVersion } = (await read()).metadata;
    const lines = said();
    await kube.patch(specimens, ref, { type: "merge", body: { metadata: { labels: { touched: "yes" } } } });
    await delay(1_500);
    expect(Number((await read()).metadata.resourceVersion)).toBeGreaterThan(Number(resourceVersion));
    expect((await read()).metadata.generation).toBe(1);
    expect(said()).toBe(lines);
  });

  test("cleans up before it lets go", { timeout: 600_000 }, async () => {
    await kube.delete(specimens, ref);
    await until(async () =>
      read().then(
        () => false,
        (error: unknown) => isKubeError(error, "NotFound"),
      ),
    );
    expect([...cloud.things.keys()]).toEqual([]);
    expect(await children()).toEqual([]);
  });

  describe("conditions in a list that has no keys on this server", () => {
    const name = `${namespace}-node`;
    test("are patched beside those of others", { timeout: 300_000 }, async () => {
      const made = await kube.create<KubeObject>(nodes, { apiVersion: "v1", kind: "Node", metadata: { name } });
      try {
        const theirs = [{ type: "Theirs", status: "True", reason: "Theirs", message: "" }];
        await kube.patch(
          nodes,
          { name },
          { type: "merge", body: { status: { conditions: theirs } } },
          { subresource: "status" },
        );
        const ours = { type: "Ours", status: "True" as const, reason: "AsExpected", message: "" };
        const report = {
          kind: nodes,
          ref: { name },
          observed: made,
          status: {},
          conditions: [ours],
          atomicConditionTypes: ["Ours"],
        };
        expect(await applyStatus(report, new AppliedShapes(), { kube, feature: "test", nowMs: clock.nowMs() })).toBe(
          true,
        );
        const types = conditionsOf(await kube.get<KubeObject>(nodes, { name })).map(({ type }) => type);
        expect(types).toEqual(expect.arrayContaining(["Theirs", "Ours"]));
        const observed = await kube.get<KubeObject>(nodes, { name });
        const silent = { ...report, observed, conditions: [] };
        await applyStatus(silent, new AppliedShapes(), { kube, feature: "test", nowMs: clock.nowMs() });
        const left = conditionsOf(await kube.get<KubeObject>(nodes, { name })).map(({ type }) => type);
        expect(left).toContain("Theirs");
        expect(left).not.toContain("Ours");
      } finally {
        await kube.delete(nodes, { name });
      }
    });
  });
});
