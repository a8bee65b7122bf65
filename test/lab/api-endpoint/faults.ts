// What goes wrong in the lab's cloud, on demand.

import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { EndpointLab } from "./endpoint-lab.ts";

const run = promisify(execFile);
const script = join(import.meta.dirname, "..", "..", "..", "lab", "openstack", "status.sh");

/** Whether a member fails its health checks. Others write this file too, and not only their own lines: say it again while you wait. */
export async function setMemberDown({ openStack }: EndpointLab, address: string, isDown: boolean): Promise<void> {
  const lines = (await readFile(openStack.membersDown, "utf8").catch(() => ""))
    .split("\n")
    .filter((line) => line !== "");
  const others = lines.filter((line) => line !== address);
  if (isDown === others.length < lines.length) return;
  await writeFile(openStack.membersDown, [...others, ...(isDown ? [address] : [])].map((line) => `${line}\n`).join(""));
}

export async function breakBalancer({ openStack }: EndpointLab, id: string): Promise<void> {
  await run(script, ["loadbalancers", id, "provisioning_status=ERROR"], {
    env: { ...process.env, RUN: openStack.runDir },
  });
}
