import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { DefaultTheme } from "vitepress";

const docs = resolve(import.meta.dirname, "../../docs");

interface Entry {
  text: string;
  /** Relative to docs. */
  page: string;
}

/** What docs/README.md lists, under its headings. In a folder, all pages of the folder are below its README. */
export function sidebar(): DefaultTheme.SidebarMulti {
  const groups = listed();
  const entries = [...groups.values()].flat();
  const folders = entries
    .filter((entry) => isFolder(entry.page))
    .map((entry) => dirname(entry.page));
  allAreListed(new Set(entries.map((entry) => entry.page)));
  return Object.fromEntries(
    ["", ...folders].map((folder) => [
      folder ? `/docs/${folder}/` : "/",
      [...groups].map(([text, items]) => ({
        text,
        items: items.map((each) => item(each, folder)),
      })),
    ]),
  );
}

function listed(): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>([
    ["Ringmaster", [{ text: "Start here", page: "../README.md" }]],
  ]);
  let entries: Entry[] = [];
  for (const line of read("README.md").split("\n")) {
    const heading = /^## (.+)$/.exec(line);
    const entry = /^- \[(.+?)\]\(([^)#]+\.md)\)/.exec(line);
    if (heading) {
      groups.set(heading[1], (entries = []));
    } else if (entry) {
      entries.push({ text: entry[1].replaceAll("`", ""), page: entry[2] });
    }
  }
  return groups;
}

function allAreListed(there: Set<string>): void {
  const missing = readdirSync(docs, { recursive: true, encoding: "utf8" }).filter(
    (page) =>
      page.endsWith(".md") &&
      page !== "README.md" &&
      !there.has(page) &&
      !there.has(join(dirname(page), "README.md")),
  );
  if (missing.length > 0) {
    throw new Error(
      `docs/README.md does not list ${missing.join(", ")}: add a line for its reader`,
    );
  }
}

function isFolder(page: string): boolean {
  return /^\w.*\/README\.md$/.test(page);
}

function item({ text, page }: Entry, open: string): DefaultTheme.SidebarItem {
  return isFolder(page) && dirname(page) === open
    ? { text, link: address(page), items: pages(open) }
    : { text, link: address(page) };
}

function pages(folder: string): DefaultTheme.SidebarItem[] {
  return readdirSync(join(docs, folder))
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .sort()
    .map((name) => ({ text: title(join(folder, name)), link: address(join(folder, name)) }));
}

function address(page: string): string {
  return page.startsWith("../")
    ? address(page.slice(3)).replace("/docs/", "/")
    : "/docs/" + page.replace(/README\.md$/, "").replace(/\.md$/, ".html");
}

function title(page: string): string {
  return (/^# (.+)$/m.exec(read(page))?.[1] ?? page).replaceAll("`", "");
}

function read(page: string): string {
  return readFileSync(join(docs, page), "utf8");
}
