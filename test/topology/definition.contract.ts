// What the definition of Infrastructure promises to whoever writes to it: the matrix of requests, the defaults, and that
// fields of others survive.

import { beforeEach, describe, expect, it } from "vitest";
import { customResourceDefinitions } from "../../src/apis/kube/builtin-kinds.ts";
import { ownedCrdMetadata } from "../../src/apis/kube/crd.ts";
import type { KubeObject } from "../../src/apis/kube/kube-object.ts";
import { installCrds } from "../../src/cli/install-crds.ts";
import { isKubeError, type KubeError } from "../../src/core/kube-error.ts";
import { systemClock } from "../../src/drivers/system/system-clock.ts";
import { infrastructures } from "../../src/jobs/topology/apis/infrastructure.ts";
import { infrastructureCrd } from "../../src/jobs/topology/apis/infrastructure-crd.ts";
import { cluster, gone, looseCrd, type TopologyWorld } from "./topology-world.ts";

function object(spec: Readonly<Record<string, unknown>>, more: Readonly<Record<string, unknown>> = {}): KubeObject {
  return {
    apiVersion: "config.openshift.io/v1",
    kind: "Infrastructure",
    metadata: cluster,
    spec,
    ...more,
  } as KubeObject;
}

async function refusal(call: Promise<unknown>): Promise<KubeError> {
  const outcome = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (isKubeError(outcome)) return outcome;
  throw new Error(`not refused: ${String(outcome)}`);
}

export function definitionContract(get: () => TopologyWorld): void {
  describe("creating", () => {
    it.each([{}, { controlPlaneTopology: "HighlyAvailable" }, { controlPlaneTopology: "SingleReplica" }])(
      "takes the spec %j",
      async (spec) => {
        const created = await get().kube.create(infrastructures, object(spec));
        expect(created).toMatchObject({ spec });
      },
    );

    it.each(["InvalidValue", "External", "DualReplica", "HighlyAvailableArbiter"])(
      "refuses a request for %s",
      async (value) => {
        const error = await refusal(get().kube.create(infrastructures, object({ controlPlaneTopology: value })));
        expect(error.code).toBe("Invalid");
        expect(error.causes.map(({ field }) => field)).toContain("spec.controlPlaneTopology");
      },
    );

    it("drops the status, so that no default looks like a choice", async () => {
      const { kube } = get();
      await kube.create(infrastructures, object({}, { status: { controlPlaneTopology: "SingleReplica" } }));
      expect(await kube.get(infrastructures, cluster)).not.toHaveProperty("status");
    });
  });

  describe("updating a request", () => {
    const start = async (spec: Readonly<Record<string, unknown>>, published: string) => {
      const world = get();
      await world.kube.create(infrastructures, object(spec));
      await world.setStatus({ controlPlaneTopology: published, infrastructureTopology: "HighlyAvailable" });
      return world;
    };

    it.each([
      ["HighlyAvailable", { controlPlaneTopology: "SingleReplica" }, "SingleReplica"],
      ["HighlyAvailable", {}, "SingleReplica"],
      ["HighlyAvailable", {}, "HighlyAvailable"],
      ["SingleReplica", {}, "SingleReplica"],
      ["HighlyAvailable", { controlPlaneTopology: "HighlyAvailable" }, "SingleReplica"],
    ])("allows %s after the spec %j while %s is published", async (value, spec, published) => {
      const world = await start(spec, published);
      expect((await world.request(value)).spec?.controlPlaneTopology).toBe(value);
    });

    it("allows to withdraw it", async () => {
      const world = await start({ controlPlaneTopology: "HighlyAvailable" }, "SingleReplica");
      expect((await world.request(null)).spec).not.toHaveProperty("controlPlaneTopology");
    });

    it("refuses to ask for less than is published", async () => {
      const world = await start({}, "HighlyAvailable");
      expect((await refusal(world.request("SingleReplica"))).code).toBe("Invalid");
    });

    it("refuses a value that is none", async () => {
      const world = await start({ controlPlaneTopology: "HighlyAvailable" }, "SingleReplica");
      expect((await refusal(world.request("InvalidValue"))).code).toBe("Invalid");
    });

    it("leaves status writable while a request is open", async () => {
      const world = await start({ controlPlaneTopology: "HighlyAvailable" }, "SingleReplica");
      expect((await world.setStatus({ infrastructureTopology: "SingleReplica" })).status?.infrastructureTopology).toBe(
        "SingleReplica",
      );
    });

    it("takes an empty status for HighlyAvailable", async () => {
      const { kube } = get();
      await kube.create(infrastructures, object({}));
      expect((await refusal(get().request("SingleReplica"))).code).toBe("Invalid");
      expect((await get().request("HighlyAvailable")).spec?.controlPlaneTopology).toBe("HighlyAvailable");
    });
  });

  describe("status", () => {
    beforeEach(async () => {
      await get().kube.create(infrastructures, object({ platformSpec: { type: "None" }, cloudConfig: { name: "" } }));
    });

    it("gets the default as soon as anybody writes anything into it", async () => {
      const { status } = await get().setStatus({ infrastructureName: "lab-x7f2k" });
      expect(status).toEqual({
        infrastructureName: "lab-x7f2k",
        controlPlaneTopology: "HighlyAvailable",
        infrastructureTopology: "HighlyAvailable",
      });
    });

    it.each(["HighlyAvailable", "HighlyAvailableArbiter", "SingleReplica", "DualReplica", "External"])(
      "takes %s for the control plane",
      async (value) => {
        expect((await get().setStatus({ controlPlaneTopology: value })).status?.controlPlaneTopology).toBe(value);
      },
    );

    it.each([
      ["controlPlaneTopology", "ActivePassive"],
      ["controlPlaneTopology", ""],
      ["infrastructureTopology", "External"],
      ["infrastructureTopology", "DualReplica"],
    ])("refuses %s: %j", async (field, value) => {
      expect((await refusal(get().setStatus({ [field]: value }))).code).toBe("Invalid");
    });

    it("keeps fields that we know nothing of, in spec and status", async () => {
      await get().setStatus({ platformStatus: { type: "None", none: { deep: [1, 2] } } });
      const found = await get().infrastructure();
      expect(found).toMatchObject({
        spec: { platformSpec: { type: "None" } },
        status: { platformStatus: { none: { deep: [1, 2] } } },
      });
    });
  });

  describe("for people", () => {
    it("prints both topologies in columns", async () => {
      await get().kube.create(infrastructures, object({}));
      await get().setStatus({ controlPlaneTopology: "SingleReplica" });
      const answer = await get().session.transport.send({
        method: "GET",
        path: "/apis/config.openshift.io/v1/infrastructures",
        headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" },
      });
      const chunks: Uint8Array[] = [];
      for await (const chunk of answer.body) chunks.push(chunk);
      const printed: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      expect(printed).toMatchObject({
        rows: [{ cells: ["cluster", "SingleReplica", "HighlyAvailable", null, expect.anything()] }],
      });
    });
  });

  describe("a definition that exists already", () => {
    it("is never replaced when it lacks our mark", async () => {
      const { kube } = get();
      const foreign = looseCrd("foreign.mainstay.test", "v1", "Thing", "things", "Cluster");
      await get().create(customResourceDefinitions, foreign);
      const ours = { ...infrastructureCrd, metadata: { ...infrastructureCrd.metadata, name: foreign.metadata.name } };
      expect(await installCrds(kube, systemClock, [{ crd: ours }])).toEqual([
        { name: foreign.metadata.name, result: "foreign" },
      ]);
      const after = await kube.get(customResourceDefinitions, foreign.metadata);
      expect(after).toMatchObject({ spec: { group: "foreign.mainstay.test" } });
      expect(after.metadata.labels).toBeUndefined();
    });

    it("is no trouble when somebody else brings it at the same moment", async () => {
      const { kube } = get();
      const crd = looseCrd("twice.mainstay.test", "v1", "Twice", "twices", "Cluster");
      const ours = { ...crd, metadata: ownedCrdMetadata(crd.metadata.name, 1) };
      try {
        const results = await Promise.all([1, 2, 3].map(() => installCrds(kube, systemClock, [{ crd: ours }])));
        expect(
          results
            .flat()
            .map(({ result }) => result)
            .toSorted(),
        ).toEqual(["created", "current", "current"]);
      } finally {
        await gone(kube, customResourceDefinitions, ours.metadata);
      }
    });

    it("is renewed when it is ours and older, and left when it is newer", async () => {
      const { kube } = get();
      const revision = (value: string) => ({
        ...infrastructureCrd,
        metadata: { ...infrastructureCrd.metadata, annotations: { "mainstay.dev/crd-revision": value } },
      });
      expect(await installCrds(kube, systemClock, [{ crd: revision("2") }])).toMatchObject([{ result: "renewed" }]);
      expect(await installCrds(kube, systemClock, [{ crd: infrastructureCrd }])).toMatchObject([{ result: "newer" }]);
      await kube.patch(customResourceDefinitions, infrastructureCrd.metadata, {
        type: "merge",
        body: { metadata: { annotations: { "mainstay.dev/crd-revision": "1" } } },
      });
      expect(await installCrds(kube, systemClock, [{ crd: infrastructureCrd }])).toMatchObject([{ result: "current" }]);
    });
  });
}
