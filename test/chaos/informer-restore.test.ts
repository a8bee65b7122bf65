// The fake API server restored from a backup, in virtual time: the informer believes the server, not its own memory.

import { expect, test } from "vitest";
import { configMaps } from "../../src/apis/kube/builtin-kinds.ts";
import { kubeClient } from "../../src/drivers/kube/client.ts";
import { Informer } from "../../src/engine/informer/informer.ts";
import { adminToken, createFakeKubeApi } from "../../src/sim/fakes/kube/api-server.ts";
import { seededRandom } from "../../src/sim/time/seeded-random.ts";
import { quietLog } from "../support/quiet-log.ts";
import { Replica, stateOf } from "../support/replica.ts";
import { VirtualClock } from "../support/virtual-clock.ts";
import { configMap } from "./writer.ts";

test.each([true, false])("mirrors what a backup brought back (streaming list: %s)", async (streaming) => {
  const clock = new VirtualClock();
  const random = seededRandom(3);
  const api = createFakeKubeApi({ clock, random });
  const kube = kubeClient({ transport: api.transport(adminToken), clock });
  const informer = new Informer({
    kube,
    clock,
    random,
    log: quietLog(),
    kind: configMaps,
    selection: { namespace: "default" },
    streaming,
  });
  const replica = new Replica();
  informer.addHandler(replica.handler);
  await kube.create(configMaps, configMap("default", "kept"));
  const backup = api.backup();
  await kube.create(configMaps, configMap("default", "lost"));
  for (let round = 0; round < 20; round += 1) {
    await kube.patch(
      configMaps,
      { namespace: "default", name: "kept" },
      { type: "merge", body: { data: { round: `${round}` } } },
    );
  }
  informer.start();
  expect(await clock.runUntil(() => informer.state === "synced", 1_000)).toBe(true);
  const before = informer.lastResourceVersion;

  api.restore(backup);
  await clock.advance(5_000);
  await kube.create(configMaps, configMap("default", "new"));
  await clock.advance(100);

  expect(Number(informer.lastResourceVersion)).toBeLessThan(Number(before));
  const { items } = await kube.list(configMaps, { namespace: "default" });
  expect(informer.list().map(stateOf).toSorted()).toEqual(items.map(stateOf).toSorted());
  expect([...replica.objects.keys()].toSorted()).toEqual(["default/kept", "default/new"]);
  expect([replica.contradictions, replica.changes.filter((line) => line === "deleted lost").length]).toEqual([[], 1]);
  await informer.stop();
  api.close();
});
