// Applying a declared topology: what ends up in the cluster, whatever was there and wherever it was interrupted.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { customResourceDefinitions } from "../../src/apis/kube/builtin-kinds.ts";
import { MainstayError } from "../../src/core/errors.ts";
import { type Infrastructure, infrastructures } from "../../src/jobs/topology/apis/infrastructure.ts";
import { infrastructureCrd } from "../../src/jobs/topology/apis/infrastructure-crd.ts";
import { applyTopology } from "../../src/jobs/topology/commands/apply-topology.ts";
import { manifestFor } from "../../src/jobs/topology/commands/manifest.ts";
import type { Declaration } from "../../src/jobs/topology/core/declaration.ts";
import type { Kube } from "../../src/ports/kube.ts";
import { cliWorld } from "../support/cli-world.ts";
import { interruptedKube, watchedKube } from "./interrupted-kube.ts";
import { cluster, eventually, gone, looseCrd, type TopologyWorld } from "./topology-world.ts";

const samples = join(import.meta.dirname, "..", "..", "deploy", "samples");

export const single: Declaration = {
  topology: { controlPlane: "SingleReplica", infrastructure: "SingleReplica" },
  source: "flags",
  rules: "two-modes",
  replicas: { controlPlane: 1, workers: [0], arbiters: 0 },
};

async function reasonOf(call: Promise<unknown>): Promise<string> {
  const outcome = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  return outcome instanceof MainstayError ? outcome.reason : `no refusal: ${String(outcome)}`;
}

export function applyContract(get: () => TopologyWorld): void {
  const empty: Infrastructure = {
    apiVersion: "config.openshift.io/v1",
    kind: "Infrastructure",
    metadata: { name: "cluster" },
    spec: { platformSpec: { type: "None" } },
  };

  it("creates, publishes and records, and finds nothing to do the second time", async () => {
    const { kube } = get();
    expect((await applyTopology(kube, single)).steps).toHaveLength(3);
    expect(await get().published()).toEqual(["SingleReplica", "SingleReplica"]);
    const before = await get().infrastructure();
    expect((await applyTopology(kube, single)).steps).toEqual([]);
    expect((await get().infrastructure()).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });

  it("fills an object that an older cluster left empty, and keeps the rest of it", async () => {
    await get().kube.create(infrastructures, empty);
    await applyTopology(get().kube, single);
    expect(await get().published()).toEqual(["SingleReplica", "SingleReplica"]);
    expect((await get().infrastructure()).spec).toEqual(empty.spec);
  });

  it("never overwrites values that are set", async () => {
    await get().kube.create(infrastructures, empty);
    await get().setStatus({ controlPlaneTopology: "HighlyAvailable", infrastructureTopology: "HighlyAvailable" });
    expect(await reasonOf(applyTopology(get().kube, single))).toBe("TopologyAlreadySet");
    expect(await get().published()).toEqual(["HighlyAvailable", "HighlyAvailable"]);
  });

  it("does not take a manifest's declaration for proof that the values of an old cluster are defaults", async () => {
    const { kube } = get();
    await kube.create(infrastructures, empty);
    await get().setStatus({ infrastructureName: "old" });
    const { metadata } = manifestFor(single);
    await kube.patch(infrastructures, cluster, {
      type: "merge",
      body: { metadata: { annotations: metadata.annotations } },
    });
    expect(await reasonOf(applyTopology(kube, single))).toBe("TopologyAlreadySet");
    expect(await get().published()).toEqual(["HighlyAvailable", "HighlyAvailable"]);
  });

  describe("a value that somebody sets in the very moment the field is seen empty is not taken for a default", () => {
    const disturbed = async (): Promise<Kube> => {
      await get().kube.create(infrastructures, empty);
      let chosen = false;
      return watchedKube(get().kube, async (verb, plural, subresource) => {
        if (verb !== "patch" || plural !== "infrastructures" || subresource !== undefined || chosen) return;
        chosen = true;
        await get().setStatus({ controlPlaneTopology: "HighlyAvailable", infrastructureTopology: "HighlyAvailable" });
      });
    };

    it("by the command", async () => {
      expect(await reasonOf(applyTopology(await disturbed(), single))).toBe("TopologyAlreadySet");
      expect(await get().published()).toEqual(["HighlyAvailable", "HighlyAvailable"]);
    });

    it("by the controller", async () => {
      await get().declareInstallConfig("controlPlane: {replicas: 1}\ncompute: [{replicas: 0}]\n");
      get().startManager({}, await disturbed());
      await eventually(async () => expect(await get().condition("Published")).toBe("True TopologyPublished"));
      expect(await get().published()).toEqual(["HighlyAvailable", "HighlyAvailable"]);
    });
  });

  it("does not apply a second, different declaration", async () => {
    await applyTopology(get().kube, single);
    const other: Declaration = {
      ...single,
      topology: { controlPlane: "HighlyAvailable", infrastructure: "HighlyAvailable" },
    };
    expect(await reasonOf(applyTopology(get().kube, other))).toBe("TopologyAlreadySet");
    expect(await get().published()).toEqual(["SingleReplica", "SingleReplica"]);
  });

  it("does not publish an earlier declaration that this run contradicts, and says how to remove it", async () => {
    const { kube } = get();
    await reasonOf(applyTopology(interruptedKube(kube, { afterWrites: 1, lastOneArrives: false }), single));
    const right: Declaration = { ...single, topology: { ...single.topology, infrastructure: "HighlyAvailable" } };
    await expect(applyTopology(kube, right)).rejects.toMatchObject({
      reason: "TopologyAlreadySet",
      hint: expect.stringContaining("kubectl annotate infrastructure cluster topology.mainstay.dev/declared-"),
    });
    expect(await get().published()).toEqual([undefined, undefined]);
    const annotations = { "topology.mainstay.dev/declared": null };
    await kube.patch(infrastructures, cluster, { type: "merge", body: { metadata: { annotations } } });
    await applyTopology(kube, right);
    expect(await get().published()).toEqual(["SingleReplica", "HighlyAvailable"]);
  });

  it("settles an edit that was meant, once it is declared, and changes no value", async () => {
    const { kube } = get();
    await applyTopology(kube, single);
    await get().setStatus({ infrastructureTopology: "HighlyAvailable" });
    get().startManager();
    await eventually(async () => expect(await get().condition("Unaltered")).toBe("False TopologyEdited"));
    const meant: Declaration = { ...single, topology: { ...single.topology, infrastructure: "HighlyAvailable" } };
    expect((await applyTopology(kube, meant)).steps).toEqual(["declared what is published"]);
    await eventually(async () => expect(await get().condition("Unaltered")).toBe("True AsExpected"));
    expect(await get().condition("Published")).toBe("True TopologyPublished");
    expect(await get().published()).toEqual(["SingleReplica", "HighlyAvailable"]);
    expect((await applyTopology(kube, meant)).steps).toEqual([]);
  });

  it("replaces a wrong declaration by one that agrees with the cluster", async () => {
    const { kube } = get();
    await kube.create(infrastructures, empty);
    await get().setStatus({ infrastructureName: "old" });
    const annotations = manifestFor(single).metadata.annotations;
    await kube.patch(infrastructures, cluster, { type: "merge", body: { metadata: { annotations } } });
    get().startManager();
    await eventually(async () => expect(await get().condition("Published")).toBe("False TopologyAlreadySet"));
    await applyTopology(kube, {
      ...single,
      topology: { controlPlane: "HighlyAvailable", infrastructure: "HighlyAvailable" },
    });
    await eventually(async () => expect(await get().condition("Published")).toBe("True TopologyPublished"));
  });

  it("says what to do about a declaration that cannot be understood", async () => {
    const { kube } = get();
    const annotations = { "topology.mainstay.dev/declared": "{}" };
    await kube.create(infrastructures, { ...empty, metadata: { name: "cluster", annotations } });
    await expect(applyTopology(kube, single)).rejects.toMatchObject({
      reason: "TopologySourceInvalid",
      hint: expect.stringContaining("kubectl annotate"),
    });
  });

  const sampleFiles = readdirSync(samples, { recursive: true, encoding: "utf8" }).filter((name) =>
    /(^|\/)topology-[^/]*\.yaml$/.test(name),
  );

  it.each(sampleFiles)("the sample %s can be applied", async (name) => {
    const { kube } = get();
    const text = readFileSync(join(samples, name), "utf8");
    const cli = cliWorld({ files: { [`/${name}`]: text }, kube });
    const apply = async (...source: readonly string[]) =>
      expect(await cli.run("topology", "derive", ...source, "--apply")).toMatchObject({ code: 0 });
    if (/^kind: Infrastructure$/m.test(text)) {
      await kube.create(infrastructures, parse(text) as Infrastructure);
      get().startManager();
    } else if (/^kind: ClusterProfile$/m.test(text)) await apply("--profile", `/${name}`);
    else await apply(`/${name}`);
    await eventually(async () => expect(await get().published()).toEqual(["SingleReplica", "SingleReplica"]));
  });

  describe("interrupted", () => {
    for (const afterWrites of [0, 1, 2]) {
      for (const lastOneArrives of [false, true]) {
        const where = `at write ${afterWrites + 1}, which ${lastOneArrives ? "arrives" : "is lost"}`;

        it(`is resumed by the next run (${where})`, async () => {
          const { kube } = get();
          expect(await reasonOf(applyTopology(interruptedKube(kube, { afterWrites, lastOneArrives }), single))).toBe(
            "ApiUnreachable",
          );
          await applyTopology(kube, single);
          expect(await get().published()).toEqual(["SingleReplica", "SingleReplica"]);
          expect((await applyTopology(kube, single)).steps).toEqual([]);
        });

        // A first write that is lost leaves nothing to resume.
        if (afterWrites === 0 && !lastOneArrives) continue;
        it(`is resumed by the controller, though another writer brought the defaults meanwhile (${where})`, async () => {
          const { kube } = get();
          await reasonOf(applyTopology(interruptedKube(kube, { afterWrites, lastOneArrives }), single));
          await get().setStatus({ infrastructureName: "lab" });
          get().startManager();
          await eventually(async () => expect(await get().published()).toEqual(["SingleReplica", "SingleReplica"]));
          await eventually(async () => expect(await get().condition("Published")).toBe("True TopologyPublished"));
        });
      }
    }
  });

  describe("on a definition of an older cluster, which has no topology fields", () => {
    it("says so instead of claiming success", async () => {
      const { kube } = get();
      await gone(kube, customResourceDefinitions, infrastructureCrd.metadata);
      const [version] = looseCrd("config.openshift.io", "v1", "Infrastructure", "infrastructures", "Cluster").spec
        .versions;
      if (version === undefined) throw new Error("a definition has a version");
      const properties = {
        spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        status: { type: "object", properties: { infrastructureName: { type: "string" } } },
      };
      const old = {
        ...infrastructureCrd,
        metadata: { name: infrastructureCrd.metadata.name },
        spec: {
          ...infrastructureCrd.spec,
          versions: [{ ...version, schema: { openAPIV3Schema: { type: "object", properties } } }],
        },
      };
      try {
        await get().installDefinitions([old]);
        expect(await reasonOf(applyTopology(kube, single))).toBe("TopologyFieldsUnsupported");
        get().startManager();
        await eventually(async () =>
          expect(await get().condition("Published")).toBe("False TopologyFieldsUnsupported"),
        );
      } finally {
        await get().clear();
        await gone(kube, customResourceDefinitions, infrastructureCrd.metadata);
        await get().installDefinitions();
      }
    });
  });
}
