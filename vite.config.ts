// How the dashboard is built: `vite build` turns src/dashboard into the plain files of dist/dashboard, which the server
// hands out. `--outDir` puts them elsewhere, so that a test leaves the files of a running demo alone.

import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: "src/dashboard",
  plugins: [react()],
  // `npx vite` beside a running `make demo`: the pages as they are edited, on the data of the demonstration.
  server: { host: "127.0.0.1", proxy: { "/api": "http://127.0.0.1:16090" } },
  build: {
    outDir: "../../dist/dashboard",
    emptyOutDir: true,
    target: "es2023",
    // The content security policy of the server allows no inlined scripts or fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
