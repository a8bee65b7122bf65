import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../test/support/virtual-clock.ts";
import { customResourceDefinitions } from "../apis/kube/builtin-kinds.ts";
import { ownedCrdMetadata } from "../apis/kube/crd.ts";
import { kubeClient } from "../drivers/kube/client.ts";
import { infrastructureCrd } from "../jobs/topology/apis/infrastructure-crd.ts";
import type { Kube } from "../ports/kube.ts";
import { adminToken, createFakeKubeApi } from "../sim/fakes/kube/api-server.ts";
import { seededRandom } from "../sim/time/seeded-random.ts";
import { installCrds } from "./install-crds.ts";

const { name } = infrastructureCrd.metadata;

function cluster() {
  const clock = new VirtualClock();
  const api = createFakeKubeApi({ clock, random: seededRandom(1) });
  const kube = kubeClient({ transport: api.transport(adminToken), clock });
  const install = async (through: Kube) => {
    const installing = installCrds(through, clock, [{ crd: infrastructureCrd }]);
    installing.catch(() => {});
    await clock.advance(60_000);
    return await installing;
  };
  return { clock, kube, install };
}

/** As the real one, where `Established` comes only some time after the definition. */
function slowToServe(kube: Kube, isServed: () => boolean): Kube {
  const get: Kube["get"] = async (kind, ref, options) => {
    const object = await kube.get(kind, ref, options);
    if (isServed()) return object;
    return { ...object, status: { conditions: [{ type: "Established", status: "False" }] } };
  };
  return { ...kube, get };
}

describe("installing a definition", () => {
  test("ends only when the API server serves it", async () => {
    const { clock, kube } = cluster();
    let endedMs: number | undefined;
    const slow = slowToServe(kube, () => clock.monotonicMs() >= 2_000);
    const installing = installCrds(slow, clock, [{ crd: infrastructureCrd }]).then(
      () => (endedMs = clock.monotonicMs()),
    );
    await clock.advance(10_000);
    await installing;
    expect(endedMs).toBe(2_000);
  });

  test("that the API server never serves is an error in words", async () => {
    const { kube, install } = cluster();
    await expect(install(slowToServe(kube, () => false))).rejects.toMatchObject({ reason: "KindNotServed" });
  });

  test("never overwrites one that somebody else made their own in between", async () => {
    const { kube, install } = cluster();
    const older = { ...infrastructureCrd, metadata: ownedCrdMetadata(name, 0) };
    await kube.create(customResourceDefinitions, older);
    const taken = { metadata: { labels: null, annotations: null } };
    const patch: Kube["patch"] = async (kind, ref, change, options) => {
      await kube.patch(customResourceDefinitions, { name }, { type: "merge", body: taken });
      return await kube.patch(kind, ref, change, options);
    };
    expect(await install({ ...kube, patch })).toEqual([{ name, result: "foreign" }]);
    expect((await kube.get(customResourceDefinitions, { name })).metadata).not.toHaveProperty("annotations");
  });
});
