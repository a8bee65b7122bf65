// A process that writes to a ledger in the name of every term it ever led, also of terms that have ended: only the fence at the moment
// of sending keeps those back. It reads the ledger afresh for each write and binds the write to what was read, as every executor
// does, for it may be stopped between that moment and the socket. Arguments: kubeconfig, namespace, identity.

import { configMaps } from "../../src/apis/kube/builtin-kinds.ts";
import { kubeClient } from "../../src/drivers/kube/client.ts";
import { loadKubeconfig } from "../../src/drivers/kube/kubeconfig/kubeconfig.ts";
import { undiciTransport } from "../../src/drivers/kube/undici-transport.ts";
import { jsonLog } from "../../src/drivers/system/json-log.ts";
import { systemClock as clock } from "../../src/drivers/system/system-clock.ts";
import { systemRandom as random } from "../../src/drivers/system/system-random.ts";
import { LeaderLease } from "../../src/engine/lease/leader-lease.ts";
import type { Term } from "../../src/engine/lease/leader-term.ts";
import { guardedBy } from "../../src/engine/round/guarded-writes.ts";
import { sleep } from "../../src/engine/round/sleep.ts";

const [path = "", namespace = "", identity = ""] = process.argv.slice(2);
const connection = await loadKubeconfig({ path, environment: {}, home: "/", clock });
const kube = kubeClient({ transport: undiciTransport({ connection }), clock });
const alive = setInterval(() => {}, 1_000);

async function writeForEver({ epoch, fence }: Term): Promise<void> {
  for (let count = 0; ; count += 1) {
    const body = { data: { writer: identity, epoch: String(epoch), count: String(count) } };
    try {
      const ledger = await kube.get(configMaps, { namespace, name: "ledger" });
      await kube.patch(configMaps, { namespace, name: "ledger" }, guardedBy(ledger, body), { fence });
    } catch {
      // Not leading any more, not reachable, or somebody was faster.
    }
    await sleep(clock, 20);
  }
}

const lease = new LeaderLease({
  kube,
  clock,
  random,
  log: jsonLog(),
  ref: { namespace, name: "lease" },
  identity,
  timings: { durationMs: 3_000, renewDeadlineMs: 2_000, retryMs: 500 },
  onTerm: (term) => void writeForEver(term),
});
lease.start();
process.once("SIGTERM", () => {
  void lease.stop().then(() => {
    clearInterval(alive);
    process.exit(0);
  });
});
