// A Kubernetes API server of a test's own, for tests that stop, kill and restart it. It runs from the lab's binaries
// through the lab's scripts, in a folder and on ports of its own; the shared lab never notices. It ends with the test, also
// with one that is killed.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type KubeLab, probeKube } from "./lab.ts";

const scripts = join(import.meta.dirname, "..", "lab", "kube");
const run = promisify(execFile);

export interface PrivateKubeOptions {
  /** The namespace, garbage-collector and endpoint-slice controllers too. */
  readonly withControllers?: boolean;
  /** More flags for kube-apiserver. */
  readonly apiserverArgs?: readonly string[];
}

export interface PrivateKube {
  /** Kubeconfigs, tokens and address, as of the shared lab. */
  readonly lab: KubeLab;
  /** Lets the server finish, as an upgrade would; open watches are cut after 3 seconds. */
  stopApiServer(): Promise<void>;
  /** Ends it at once, without a word to anybody. */
  killApiServer(): Promise<void>;
  /** Back on the same port with the same data; resolves when it is ready. */
  startApiServer(): Promise<void>;
  /** Stops everything and removes its folder. */
  close(): Promise<void>;
}

/** `binaries` is the shared lab, or anything else that knows a folder with the four binaries. */
export async function startPrivateKube(
  binaries: Pick<KubeLab, "binDir">,
  { withControllers = false, apiserverArgs = [] }: PrivateKubeOptions = {},
): Promise<PrivateKube> {
  const folder = await mkdtemp(join(tmpdir(), "mainstay-kube-"));
  // Wishes for a place far from the shared lab's ports, and below those that outgoing connections get, one of which may take a port between
  // its choice and its use; up.sh moves on to free ones.
  const wish = 20_000 + (process.pid % 600) * 10;
  const env = {
    ...process.env,
    RUN: folder,
    BIN: binaries.binDir,
    APIPORT: String(wish),
    ETCDPORT: String(wish + 3),
    KCMPORT: String(wish + 6),
    WITH_KCM: withControllers ? "1" : "0",
    EXTRA_APISERVER_ARGS: apiserverArgs.join(" "),
  };
  const script = async (name: string, ...args: readonly string[]) => {
    await run(join(scripts, name), args, { env });
  };
  const close = caretaker(env);
  try {
    await script("up.sh");
    const lab = await probeKube(folder);
    if (!lab.available) throw new Error(lab.why);
    return {
      lab,
      stopApiServer: () => script("apiserver.sh", "stop"),
      killApiServer: () => script("apiserver.sh", "kill"),
      startApiServer: () => script("apiserver.sh", "start"),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * A process that waits for the end of its input and then takes the lab down: the input ends when we close it, or when this
 * process ends, whatever ended it. Answers with the function that closes it.
 */
function caretaker(env: NodeJS.ProcessEnv): () => Promise<void> {
  const program = 'cat >/dev/null; exec "$0"';
  const caring = spawn("bash", ["-c", program, join(scripts, "down.sh")], {
    env: { ...env, PURGE: "1" },
    stdio: ["pipe", "ignore", "ignore"],
    // A session of its own: what ends the tests from a terminal must not end it too.
    detached: true,
  });
  const ended = once(caring, "exit");
  return async () => {
    caring.stdin.end();
    const [code] = await ended;
    if (code !== 0) throw new Error(`the lab in ${env["RUN"]} could not be taken down: exit code ${String(code)}`);
  };
}
