// Part of the build: the licences of the packages that are bundled, in one file beside the program, as these licences ask for.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { z } from "zod";

const manifest = z.object({ name: z.string(), version: z.string(), license: z.string() });

export function thirdPartyLicenses(fileName: string): Plugin {
  return {
    name: "third-party-licenses",
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
      const folders = [...new Set(modules.flatMap((id) => packageFolder(id) ?? []))].toSorted();
      this.emitFile({ type: "asset", fileName, source: folders.map(licenceOf).join(`\n${"-".repeat(80)}\n\n`) });
    },
  };
}

/** The innermost package that a module belongs to. */
function packageFolder(module: string): string | undefined {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module)?.[0];
}

function licenceOf(folder: string): string {
  const { name, version, license } = manifest.parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  const text = file === undefined ? "" : `\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
  return `${name} ${version} (${license})\n${text}`;
}
