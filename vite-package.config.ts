// How the program is built for the package: `vite build --config vite-package.config.ts` turns src/bin/mainstay.ts and the library
// mainstay/topology, with the packages they import, into a few files of dist. What a command imports when it is called is a file of its
// own, so that a command loads its own part. Nothing is minified: a stack trace names our functions, and each part its source file.

import { defineConfig } from "vite";
import { thirdPartyLicenses } from "./scripts/third-party-licenses.ts";

export default defineConfig({
  plugins: [thirdPartyLicenses("THIRD-PARTY-LICENSES.txt")],
  // The built dashboard is put beside it by a build of its own.
  publicDir: false,
  // Where node_modules is a link, comments still name files as the repository does.
  resolve: { preserveSymlinks: true },
  ssr: { noExternal: true },
  build: {
    ssr: true,
    outDir: "dist",
    emptyOutDir: false,
    target: "node22.12",
    minify: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: { "bin/mainstay": "src/bin/mainstay.ts", topology: "src/topology.ts" },
      output: { entryFileNames: "[name].js", chunkFileNames: "chunks/[name].js" },
    },
  },
});
