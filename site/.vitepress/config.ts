import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { copyLinkedFiles, followLinks, slug } from "./links";
import { sidebar } from "./sidebar";

const here = fileURLToPath(import.meta.url);

/** The pages are the repository's own Markdown files, at the addresses that they have there. */
export default defineConfig({
  title: "Ringmaster",
  description: "Schedules distributed training on GPU clusters, and simulates how.",
  lang: "en",
  srcDir: "..",
  srcExclude: ["**/target/**"],
  outDir: "target/site",
  cacheDir: "target/cache",
  rewrites: (page) => page.replace(/README\.md$/, "index.md"),
  markdown: {
    anchor: { slugify: slug },
    config(markdown) {
      followLinks(markdown);
      // Indented code looks as fenced code does.
      markdown.renderer.rules.code_block = markdown.renderer.rules.fence;
    },
  },
  buildEnd: (site) => copyLinkedFiles(site.outDir),
  themeConfig: {
    search: { provider: "local" },
    sidebar: sidebar(),
    outline: [2, 3],
    nav: [
      { text: "Documentation", link: "/docs/" },
      { text: "Commands", link: "/docs/commands/" },
      {
        text: "Sample reports",
        items: [
          {
            text: "What would help a site, and whom",
            link: "/samples/whatif/report.html",
            target: "_self",
          },
          {
            text: "Policies on one history",
            link: "/samples/history/report.html",
            target: "_self",
          },
          {
            text: "One run, job by job",
            link: "/samples/history/easy/report.html",
            target: "_self",
          },
        ],
      },
    ],
  },
  vite: {
    // The index of the search is one file, fetched at the first search.
    build: { chunkSizeWarningLimit: 4000 },
    plugins: [
      {
        // Above this folder there are no node_modules to find Vue in.
        name: "vue-for-pages-above",
        enforce: "pre",
        resolveId(id, importer, options) {
          return /^vue(\/|$)/.test(id) && importer?.includes(".md")
            ? this.resolve(id, here, { ...options, skipSelf: true })
            : undefined;
        },
      },
    ],
  },
});
