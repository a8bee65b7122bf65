// Cluster API's managers on an API server of a suite's own, through the lab's scripts; they end with the suite, also with one that is
// killed.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { ClusterApiLab, KubeLab } from "../../lab.ts";

const scripts = join(import.meta.dirname, "..", "..", "..", "lab", "cluster-api");
const run = promisify(execFile);

/** Answers with the function that ends them. */
export async function startClusterApi({ binDir }: ClusterApiLab, server: KubeLab): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "mainstay-cluster-api-"));
  const env = {
    ...process.env,
    RUN: folder,
    KUBE: dirname(server.kubeconfig),
    BIN: binDir,
    // Above those of test/private-kube.ts, and below those that outgoing connections get: one of them may take a port between its choice and
    // its use.
    PORT: String(26_000 + (process.pid % 600) * 10),
  };
  const down = join(scripts, "down.sh");
  const caring = spawn("bash", ["-c", 'cat >/dev/null; exec "$0"', down], {
    env: { ...env, PURGE: "1" },
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  const ended = once(caring, "exit");
  const close = async () => {
    caring.stdin.end();
    await ended;
  };
  try {
    await run(join(scripts, "up.sh"), [], { env });
    return close;
  } catch (error) {
    await close();
    throw error;
  }
}
