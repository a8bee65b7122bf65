// Two real processes, one real API server: the ledger on the server tells who wrote, in which epoch and in which order.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { configMaps, leases, namespaces } from "../../src/apis/kube/builtin-kinds.ts";
import type { KubeObject } from "../../src/apis/kube/kube-object.ts";
import { kubeClient } from "../../src/drivers/kube/client.ts";
import { loadKubeconfig } from "../../src/drivers/kube/kubeconfig/kubeconfig.ts";
import { undiciTransport } from "../../src/drivers/kube/undici-transport.ts";
import { systemClock } from "../../src/drivers/system/system-clock.ts";
import { systemRandom } from "../../src/drivers/system/system-random.ts";
import type { Kube } from "../../src/ports/kube.ts";
import type { KubeTransport } from "../../src/ports/kube-transport.ts";
import { describeLab, labKube } from "../lab.ts";

interface Entry {
  readonly writer: string;
  readonly epoch: number;
}

describeLab("the leader lease on a real API server", labKube, ({ tokenKubeconfig }) => {
  const namespace = `lease-${systemRandom.uuid().slice(0, 8)}`;
  const children: ChildProcess[] = [];
  /** Every version of the ledger, in the server's order. */
  const ledger: Entry[] = [];
  const watching = new AbortController();
  let kube: Kube;
  let transport: KubeTransport;

  beforeEach(async () => {
    const connection = await loadKubeconfig({ path: tokenKubeconfig, environment: {}, home: "/", clock: systemClock });
    transport = undiciTransport({ connection });
    kube = kubeClient({ transport, clock: systemClock });
    await kube.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    const made = await kube.create(configMaps, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "ledger", namespace },
    });
    void follow(made.metadata.resourceVersion ?? "");
  });

  afterEach(async () => {
    for (const child of children) child.kill("SIGKILL");
    watching.abort();
    await kube.delete(namespaces, { name: namespace });
    await transport.close();
  });

  async function follow(resourceVersion: string): Promise<void> {
    const query = { namespace, fieldSelector: "metadata.name=ledger", resourceVersion };
    try {
      for await (const event of kube.watch<KubeObject>(configMaps, query, { signal: watching.signal })) {
        if (event.type === "BOOKMARK") continue;
        const { data } = event.object as KubeObject & { readonly data?: Readonly<Record<string, string>> };
        if (data !== undefined) ledger.push({ writer: data["writer"] ?? "", epoch: Number(data["epoch"]) });
      }
    } catch (error) {
      if (!watching.signal.aborted) throw error;
    }
  }

  function start(identity: string): ChildProcess {
    const script = fileURLToPath(new URL("lease-process.ts", import.meta.url));
    const child = spawn(process.execPath, [script, tokenKubeconfig, namespace, identity], {
      stdio: ["ignore", "ignore", "ignore"],
    });
    children.push(child);
    return child;
  }

  async function until(holds: () => boolean): Promise<void> {
    while (!holds()) await delay(20);
  }

  const writesOf = (writer: string): number => ledger.filter((entry) => entry.writer === writer).length;

  test("a leader stopped for longer than its lease writes nothing after it wakes, and leads again only in a later epoch", {
    timeout: 600_000,
  }, async () => {
    // A slow machine may lose a lease at any time: nothing here depends on who leads when, only on what the ledger says.
    const a = start("a");
    await until(() => writesOf("a") > 20);
    const b = start("b");
    a.kill("SIGSTOP");
    await until(() => writesOf("b") > 20);
    const epochsBefore = new Set(ledger.filter(({ writer }) => writer === "a").map(({ epoch }) => epoch));
    const lengthBefore = ledger.length;
    a.kill("SIGCONT");
    await until(() => ledger.length > lengthBefore + 50);

    b.kill("SIGTERM");
    await once(b, "exit");
    const [lengthAfter, writesAfter] = [ledger.length, writesOf("a")];
    await until(() => writesOf("a") > writesAfter + 20);

    const late = ledger.slice(lengthBefore).filter(({ writer, epoch }) => writer === "a" && epochsBefore.has(epoch));
    expect(late, "written after waking, in a term that had ended").toEqual([]);
    expect(new Set(ledger.slice(lengthAfter + 1).map(({ writer }) => writer))).toEqual(new Set(["a"]));
    const epochs = ledger.map(({ epoch }) => epoch);
    expect(epochs).toEqual(epochs.toSorted((x, y) => x - y));
    const terms = new Set(ledger.map(({ writer, epoch }) => `${writer} ${epoch}`));
    expect(terms.size, "one writer for each epoch").toBe(new Set(epochs).size);
    const lease = (await kube.get(leases, { namespace, name: "lease" })) as KubeObject & {
      readonly spec: Readonly<Record<string, unknown>>;
    };
    expect(lease.spec).toMatchObject({ holderIdentity: "a", leaseTransitions: expect.any(Number) });
    expect(lease.spec["leaseTransitions"]).toBeGreaterThanOrEqual(epochs.at(-1) ?? 0);
  });
});
