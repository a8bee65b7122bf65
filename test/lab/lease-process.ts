// A process that writes to a ledger for as long as it leads, and does nothing else. It writes without preconditions on purpose: the
// ledger shows what the fence alone keeps back. Arguments: kubeconfig, namespace, identity.

import { configMaps } from "../../src/apis/builtin-kinds.ts";
import { kubeClient } from "../../src/drivers/kube/client.ts";
import { loadKubeconfig } from "../../src/drivers/kube/kubeconfig.ts";
import { undiciTransport } from "../../src/drivers/kube/undici-transport.ts";
import { jsonLog } from "../../src/drivers/system/json-log.ts";
import { systemClock as clock } from "../../src/drivers/system/system-clock.ts";
import { systemRandom as random } from "../../src/drivers/system/system-random.ts";
import { fencedKube } from "../../src/engine/fenced-kube.ts";
import { LeaderLease } from "../../src/engine/leader-lease.ts";
import type { Term } from "../../src/engine/leader-term.ts";
import { sleep } from "../../src/engine/sleep.ts";

const [path = "", namespace = "", identity = ""] = process.argv.slice(2);
const connection = await loadKubeconfig({ path, environment: {}, home: "/", clock });
const kube = kubeClient({ transport: undiciTransport({ connection }), clock });
const alive = setInterval(() => {}, 1_000);

async function writeWhileLeading(term: Term): Promise<void> {
  const fenced = fencedKube(kube, term);
  for (let count = 0; !term.signal.aborted; count += 1) {
    const body = { data: { writer: identity, epoch: String(term.epoch), count: String(count) } };
    try {
      await fenced.patch(configMaps, { namespace, name: "ledger" }, { type: "merge", body });
    } catch {
      // Not leading any more, or not reachable: the lease decides what comes next.
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
  onTerm: (term) => void writeWhileLeading(term),
});
lease.start();
process.once("SIGTERM", () => {
  void lease.stop().then(() => {
    clearInterval(alive);
    process.exit(0);
  });
});
