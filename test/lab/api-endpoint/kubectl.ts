// kubectl as people type it. A server or a webhook that a busy machine kept from answering is asked again.

import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { stringify } from "yaml";

/** What it says; throws with its complaint. `input` is one object or several. */
export type Kubectl = (args: readonly string[], input?: unknown) => Promise<string>;

const mostTries = 5;
const passing = /timeout|timed out|deadline exceeded|connection refused|failed calling webhook|TLS handshake|EOF/i;

export function kubectlFor(program: string, kubeconfig: string): Kubectl {
  return async (args, input) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await run(program, ["--kubeconfig", kubeconfig, ...args], input);
      } catch (error) {
        if (tries === mostTries || !passing.test(String(error))) throw error;
        await sleep(2_000);
      }
    }
  };
}

function run(program: string, args: readonly string[], input: unknown): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, (error, stdout, stderr) => {
      if (error === null) resolve(stdout + stderr);
      else reject(new Error(stderr));
    });
    const objects = input === undefined ? [] : [input].flat();
    child.stdin?.end(objects.map((one) => stringify(one)).join("---\n"));
  });
}
