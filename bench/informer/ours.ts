// Mainstay's informer and driver with their defaults, and with the small young generation that a long-lived process should have.

import { homedir } from "node:os";
import { services } from "../../src/apis/kube/builtin-kinds.ts";
import { kubeClient } from "../../src/drivers/kube/client.ts";
import { loadKubeconfig } from "../../src/drivers/kube/kubeconfig/kubeconfig.ts";
import { undiciTransport } from "../../src/drivers/kube/undici-transport.ts";
import { keepYoungGenerationSmall } from "../../src/drivers/system/small-young-generation.ts";
import { systemClock } from "../../src/drivers/system/system-clock.ts";
import { systemRandom } from "../../src/drivers/system/system-random.ts";
import { Informer } from "../../src/engine/informer/informer.ts";
import { silentLog } from "../../src/engine/report/silent-log.ts";
import { measure } from "./child.ts";

keepYoungGenerationSmall();
const namespace = process.env["BENCH_NAMESPACE"] ?? "";
const path = process.env["BENCH_KUBECONFIG"] ?? "";
const connection = await loadKubeconfig({ path, environment: {}, home: homedir(), clock: systemClock });
const kube = kubeClient({ transport: undiciTransport({ connection }), clock: systemClock });
const informer = new Informer({
  kube,
  clock: systemClock,
  random: systemRandom,
  log: silentLog,
  kind: services,
  selection: { namespace },
  streaming: process.env["BENCH_STREAMING"] === "yes",
});

await measure({
  sync: async (expected, onAdded) => {
    informer.addHandler((change) => change.type === "added" && onAdded(change.object.metadata.name));
    const synced = new Promise<void>((resolve) => informer.onStateChange((state) => state === "synced" && resolve()));
    informer.start();
    await synced;
    if (informer.list().length !== expected) throw new Error(`in sync with ${informer.list().length} objects`);
  },
  get: (name) => kube.get(services, { namespace, name }),
});
