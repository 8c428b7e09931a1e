import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

/** One page with its scripts and styles inside, so that it opens from a disk. */
export default defineConfig({
  plugins: [viteSingleFile()],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2022",
    outDir: "target/classes/io/ringmaster/web",
    emptyOutDir: true,
    rollupOptions: { input: "report.html" },
  },
});
