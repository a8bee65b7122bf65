// `mainstay` as people type it.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { infrastructureFor, namespace } from "./cluster-objects.ts";
import type { EndpointLab } from "./endpoint-lab.ts";

const program = join(import.meta.dirname, "..", "..", "..", "src", "bin", "mainstay.ts");

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export async function mainstay({ kubeconfig }: EndpointLab, ...args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...args, "--kubeconfig", kubeconfig], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (out += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (err += chunk));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, out, err };
}

/** `mainstay migrate api-endpoint --check` for the cluster with this block. */
export async function checkMigration(
  lab: EndpointLab,
  name: string,
  host: string,
  apiServerLoadBalancer: object,
): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), "mainstay-proposal-"));
  const file = join(folder, "proposal.yaml");
  const network = { id: lab.project.networkId };
  const spec = { network, controlPlaneEndpoint: { host, port: 6443 }, apiServerLoadBalancer };
  writeFileSync(file, stringify(infrastructureFor(name, spec)));
  try {
    return await mainstay(lab, "migrate", "api-endpoint", "--check", `${namespace}/${name}`, "-f", file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
