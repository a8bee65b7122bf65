// Where the lab of `make lab` is, when it answers.

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { kubeClient } from "../../src/drivers/kube/client.ts";
import { loadKubeconfig } from "../../src/drivers/kube/kubeconfig/kubeconfig.ts";
import { undiciTransport } from "../../src/drivers/kube/undici-transport.ts";
import { systemClock } from "../../src/drivers/system/system-clock.ts";

/** Path of the admin's kubeconfig; undefined when there is no lab or it does not answer. */
export async function findLab(): Promise<string | undefined> {
  const cache = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  const run = process.env["MAINSTAY_LAB_KUBE"] || join(cache, "mainstay", "kube", "run");
  const path = join(run, "kubeconfig");
  if (!existsSync(path)) return undefined;
  const connection = await loadKubeconfig({ path, environment: {}, home: homedir(), clock: systemClock });
  const transport = undiciTransport({ connection });
  try {
    await kubeClient({ transport, clock: systemClock }).request({ method: "GET", path: "/version", deadlineMs: 5_000 });
    return path;
  } catch {
    return undefined;
  } finally {
    await transport.close();
  }
}
