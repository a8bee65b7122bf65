// What goes wrong in the lab's cloud, on demand. Members fail by project, each with a file of its own: no suite disturbs another.

import { rename, rm, writeFile } from "node:fs/promises";
import { createConnection } from "node:net";
import { join } from "node:path";
import { z } from "zod";
import type { OpenStackLab } from "../../lab.ts";

export interface Statuses {
  readonly provisioning?: string;
  readonly operating?: string;
}

export interface CloudFaults {
  /** As a provider's agent does it. `kind` is Octavia's word, such as loadbalancers. */
  readonly setStatus: (kind: string, id: string, statuses: Statuses) => Promise<void>;
  /** Whether the members at this address, or address:port, fail their health checks. */
  readonly setMemberDown: (member: string, isDown: boolean) => Promise<void>;
  /** All members are well again. */
  clear(): Promise<void>;
}

export function cloudFaults({ faultsSocket, membersDown, runDir }: OpenStackLab, projectId: string): CloudFaults {
  const down = new Set<string>();
  const file = join(membersDown, projectId);
  // In one piece, and never half a file in the folder that the lab reads.
  const write = async () => {
    const fresh = join(runDir, `members-down.${projectId}`);
    await writeFile(fresh, [...down].map((line) => `${line}\n`).join(""));
    await rename(fresh, file);
  };
  let writing = Promise.resolve();
  return {
    setStatus: (kind, id, { provisioning, operating }) =>
      tell(faultsSocket, { [kind]: [{ id, provisioning_status: provisioning, operating_status: operating }] }),
    async setMemberDown(member, isDown) {
      if (isDown === down.has(member)) return;
      if (isDown) down.add(member);
      else down.delete(member);
      writing = writing.then(write);
      await writing;
    },
    async clear() {
      down.clear();
      await rm(file, { force: true });
    },
  };
}

/** One line of JSON there, one back: see lab/openstack/python/mainstay_lab/faults.py. */
function tell(socket: string, statuses: unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    const connection = createConnection(socket);
    let text = "";
    connection.on("connect", () => connection.write(`${JSON.stringify(statuses)}\n`));
    connection.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    connection.on("error", reject);
    connection.on("end", () => {
      const answer = z.object({ status_code: z.number() }).safeParse(JSON.parse(text)).data;
      if (answer?.status_code === 200) resolve();
      else reject(new Error(`the status could not be set: ${text}`));
    });
  });
}
