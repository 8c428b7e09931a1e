import { defineConfig } from "vite";

/** Three files that the server has at fixed addresses: its policy allows nothing inline. */
export default defineConfig({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2022",
    outDir: "target/classes/io/ringmaster/web/dashboard",
    emptyOutDir: true,
    modulePreload: false,
    assetsInlineLimit: 0,
    rollupOptions: {
      input: "dashboard.html",
      output: {
        entryFileNames: "dashboard.js",
        assetFileNames: "dashboard[extname]",
        codeSplitting: false,
      },
    },
  },
});
