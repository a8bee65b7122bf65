// Settings of the kernel, from /proc/sys.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sysctls } from "../../ports/sysctls.ts";

export function linuxSysctls(folder = "/proc/sys"): Sysctls {
  return {
    async read(name) {
      try {
        return (await readFile(join(folder, ...name.split(".")), "utf8")).trim();
      } catch {
        return undefined;
      }
    },
  };
}
