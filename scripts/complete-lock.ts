// Adds to package-lock.json the packages for other platforms that a partial registry could not name: `npm ci` refuses a
// lock file without them, also where they are never installed. Run it after `npm install`; it changes nothing else.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const path = join(import.meta.dirname, "..", "package-lock.json");
const entry = z.object({
  dev: z.boolean().optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
});
const text = readFileSync(path, "utf8");
const { packages } = z.object({ packages: z.record(z.string(), entry) }).parse(JSON.parse(text));

const added = Object.entries(packages).flatMap(([parent, { dev, optionalDependencies = {} }]) =>
  Object.entries(optionalDependencies)
    .filter(([name]) => !(`node_modules/${name}` in packages) && !(`${parent}/node_modules/${name}` in packages))
    .map(([name, version]) => [`node_modules/${name}`, lockEntry(name, version, dev === true)] as const),
);
if (added.length > 0) {
  // Everything else stays letter by letter as npm wrote it, in npm's order.
  const whole = z.looseObject({ packages: z.record(z.string(), z.unknown()) }).parse(JSON.parse(text));
  const sorted = [...Object.entries(whole.packages), ...added].toSorted(([a], [b]) => a.localeCompare(b, "en"));
  writeFileSync(path, `${JSON.stringify({ ...JSON.parse(text), packages: Object.fromEntries(sorted) }, null, 2)}\n`);
}
console.log(`${added.length} packages for other platforms added to package-lock.json`);

/** `@scope/binding-linux-arm64-musl` → what npm compares with the machine it runs on, in the order npm writes it. */
function lockEntry(name: string, version: string, dev: boolean) {
  const words = name.split("/").at(-1)?.split("-") ?? [];
  const os = words.find((word) => ["android", "darwin", "freebsd", "linux", "openharmony", "win32"].includes(word));
  const cpu = words.find((word) =>
    ["arm", "arm64", "ia32", "ppc64", "riscv64", "s390x", "wasm32", "x64"].includes(word),
  );
  if (cpu === undefined)
    throw new Error(`package ${name}: its name names no processor, so that it cannot be added by its name`);
  const libc = words.some((word) => word.startsWith("musl")) ? "musl" : "glibc";
  return {
    version,
    cpu: [cpu],
    ...(dev ? { dev } : {}),
    ...(os === "linux" ? { libc: [libc] } : {}),
    optional: true,
    ...(os === undefined ? {} : { os: [os] }),
  };
}
