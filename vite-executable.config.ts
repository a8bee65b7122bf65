// How the program is built as one file, for a single executable: scripts/build-executable.ts puts Node around it. Everything that a command
// imports when it is called is in it, too.

import { readFileSync } from "node:fs";
import { defineConfig } from "vite";

const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8")) as { version: string };

export default defineConfig({
  define: { builtVersion: JSON.stringify(version) },
  publicDir: false,
  resolve: { preserveSymlinks: true },
  ssr: { noExternal: true },
  build: {
    ssr: true,
    emptyOutDir: true,
    target: "node22.12",
    minify: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: { mainstay: "src/bin/executable.ts" },
      output: { entryFileNames: "[name].mjs", codeSplitting: false },
    },
  },
});
