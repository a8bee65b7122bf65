// A network namespace with the interfaces of a gateway and nobody else on them, and keepalived in it.

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { type LinuxKeepalived, linuxKeepalived } from "../../../src/drivers/linux/keepalived.ts";
import { systemClock } from "../../../src/drivers/system/system-clock.ts";
import { quietLog } from "../../support/quiet-log.ts";
import { makeNftNamespace } from "../nft/nft-namespace.ts";

export interface KeepalivedNamespace {
  readonly folder: string;
  readonly log: ReturnType<typeof quietLog>;
  /** As another process of the agent would make it. */
  driver(): LinuxKeepalived;
  /** Of keepalived's two processes. */
  pids(): Promise<readonly number[]>;
  /** Addresses of Services on the external interface. */
  addresses(): Promise<readonly string[]>;
  /** Ends every process in it. */
  remove(): Promise<void>;
}

const shown = z.array(
  z.object({ addr_info: z.array(z.object({ local: z.string() }).partial()).default([]) }).partial(),
);

export async function makeKeepalivedNamespace(): Promise<KeepalivedNamespace> {
  const kernel = await makeNftNamespace();
  const folder = await mkdtemp(join(tmpdir(), "mainstay-keepalived-"));
  const ip = (...args: readonly string[]) => kernel.run("ip", args);
  for (const [name, address] of [
    ["ext0", "192.0.2.1/24"],
    ["int0", "198.19.0.1/16"],
  ] as const) {
    await ip("link", "add", name, "type", "veth", "peer", "name", `peer-${name}`);
    for (const end of [name, `peer-${name}`]) await ip("link", "set", end, "up");
    await ip("address", "add", address, "dev", name);
  }
  const log = quietLog();
  const drivers: LinuxKeepalived[] = [];
  const driver = () => {
    const prefix = (program: string) => [...kernel.prefix, program];
    const made = linuxKeepalived({
      folder,
      readyValue: 150,
      clock: systemClock,
      log,
      command: prefix("keepalived"),
      ipCommand: prefix("ip"),
    });
    drivers.push(made);
    return made;
  };
  const pidIn = async (file: string) => Number(await readFile(join(folder, file), "utf8"));
  return {
    folder,
    log,
    driver,
    pids: () => Promise.all([pidIn("keepalived.pid"), pidIn("vrrp.pid")]),
    async addresses() {
      const interfaces = shown.parse(JSON.parse(await ip("-json", "address", "show", "dev", "ext0")));
      const all = interfaces.flatMap((one) => (one.addr_info ?? []).flatMap(({ local }) => local ?? []));
      return all.filter((address) => address.startsWith("198.18.")).toSorted();
    },
    async remove() {
      for (const one of drivers) one.release();
      await drivers.at(-1)?.stop();
      await kernel.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
