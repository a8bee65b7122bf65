import { expect, test } from "vitest";
import { infrastructures } from "../../src/apis/infrastructure.ts";
import { installCrds } from "../../src/cli/install-crds.ts";
import { kubeClient } from "../../src/drivers/kube/client.ts";
import type { Kube } from "../../src/ports/kube.ts";
import { adminToken, createFakeKubeApi } from "../../src/sim/fakes/kube/api-server.ts";
import { seededRandom } from "../../src/sim/seeded-random.ts";
import { VirtualClock } from "../../src/sim/virtual-clock.ts";
import { cliWorld } from "../topology/cli-world.ts";

test("status --watch prints again when something has changed, and waits for a server that is away", async () => {
  const clock = new VirtualClock();
  const api = createFakeKubeApi({ clock, random: seededRandom(4) });
  const kube = kubeClient({ transport: api.transport(adminToken), clock });
  const installed = installCrds(kube, clock);
  await clock.advance(5_000);
  await installed;
  let away = false;
  const through: Kube = {
    ...kube,
    list: (...args) => (away ? Promise.reject(new Error("no connection")) : kube.list(...args)),
  };
  const interrupt = new AbortController();
  const running = cliWorld({ kube: through, clock, interrupted: interrupt.signal }).run("status", "--watch");
  await clock.advance(10_000);
  away = true;
  await clock.advance(10_000);
  away = false;
  await kube.create(infrastructures, {
    apiVersion: "config.openshift.io/v1",
    kind: "Infrastructure",
    metadata: { name: "cluster" },
    spec: {},
  });
  await clock.advance(10_000);
  interrupt.abort();
  await clock.advance(2_000);
  const { code, out, err } = await running;
  expect(code).toBe(0);
  expect(out.match(/Nothing here is looked after/g)).toHaveLength(1);
  expect(out.match(/Infrastructure\/cluster +unknown +topology +Nothing has been reported yet/g)).toHaveLength(1);
  expect(err.match(/note: no connection/g)).toHaveLength(1);
});
