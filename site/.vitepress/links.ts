import { copyFileSync, mkdirSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { MarkdownRenderer } from "vitepress";

const root = resolve(import.meta.dirname, "../..");

/** Files that are no pages, and what they are called in the site. */
const linked = new Map<string, string>();

/** The anchors that GitHub gives headings. */
export function slug(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, "")
    .replaceAll(" ", "-");
}

/** Links that are good in the repository are good in the site. */
export function followLinks(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push("links-of-the-repository", (state) => {
    const page: string = state.env.realPath ?? state.env.path;
    for (const token of state.tokens.flatMap((each) => each.children ?? [])) {
      const href = token.type === "link_open" ? token.attrGet("href") : null;
      if (href && !/^([a-z]+:|#|\/)/i.test(href)) {
        const [path, anchor] = decodeURI(href).split("#");
        if (path.endsWith(".md")) {
          token.attrSet("href", href.replace(/README\.md(?=#|$)/, "index.md"));
        } else {
          token.attrSet("href", fileInSite(page, path) + (anchor ? "#" + anchor : ""));
          token.attrSet("target", "_self");
        }
      }
    }
  });
}

function fileInSite(page: string, path: string): string {
  const file = resolve(dirname(page), path);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    throw new Error(`${relative(root, page)}: ${path} is no file; link to a file or a page`);
  }
  // Samples are for keeping. Sources are for reading, which browsers do of .txt alone.
  const suffix = /(^|\/)examples\//.test(relative(root, file)) ? "" : ".txt";
  linked.set(file, relative(root, file) + suffix);
  return path + suffix;
}

export function copyLinkedFiles(outFolder: string): void {
  for (const [file, name] of linked) {
    mkdirSync(dirname(join(outFolder, name)), { recursive: true });
    copyFileSync(file, join(outFolder, name));
  }
}
