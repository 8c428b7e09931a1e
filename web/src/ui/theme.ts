import { interpolateViridis } from "d3";
import { useEffect, useState } from "preact/hooks";

/** Colours as the style sheet has them now, for what cannot use its variables: canvases. */
export interface Theme {
  paper: string;
  panel: string;
  idle: string;
  line: string;
  muted: string;
  ink: string;
  accent: string;
}

function current(): Theme {
  const style = getComputedStyle(root);
  const value = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    paper: value("paper"),
    panel: value("panel"),
    idle: value("idle"),
    line: value("line"),
    muted: value("muted"),
    ink: value("ink"),
    accent: value("accent"),
  };
}

const root = document.documentElement;
const darkness = window.matchMedia("(prefers-color-scheme: dark)");
const changed = new EventTarget();
const KEPT = "ringmaster-theme";
const tell = () => changed.dispatchEvent(new Event("change"));

function set(dark: boolean) {
  root.dataset.theme = dark ? "dark" : "light";
  tell();
}

/** Paper is light whatever the screen is: see the style sheet. */
window.matchMedia("print").addEventListener("change", tell);
darkness.addEventListener("change", () => set(darkness.matches));
set(remembered() ?? darkness.matches);

/** What the reader chose last; null: nothing, or the browser keeps nothing for this page. */
function remembered(): boolean | null {
  try {
    const kept = localStorage.getItem(KEPT);
    return kept === null ? null : kept === "dark";
  } catch {
    return null;
  }
}

/** The theme, again whenever the reader or the medium changes it. */
export function useTheme(): Theme {
  const [theme, setTheme] = useState(current);
  useEffect(() => {
    const update = () => setTheme(current());
    changed.addEventListener("change", update);
    return () => changed.removeEventListener("change", update);
  }, []);
  return theme;
}

export function isDark(): boolean {
  return root.dataset.theme === "dark";
}

export function toggleTheme() {
  set(!isDark());
  try {
    localStorage.setItem(KEPT, isDark() ? "dark" : "light");
  } catch {
    // It lasts as long as the page, then.
  }
}

/** Colours that people of every colour vision tell apart (Okabe and Ito), without black. */
export const CATEGORIES = [
  "#0072b2",
  "#e69f00",
  "#009e73",
  "#cc79a7",
  "#56b4e9",
  "#d55e00",
  "#b5a800",
  "#8a63d2",
];

/** What is not among the coloured ones. */
export const OTHERS = "#8b93a1";

/** The colour of category i; grey beyond the palette. */
export function category(i: number): string {
  return CATEGORIES[i] ?? OTHERS;
}

/** Colours for n steps of something that grows: they differ in lightness too, and all can be told from dark paper. */
export function ramp(n: number): string[] {
  return Array.from({ length: n }, (_, i) =>
    interpolateViridis(0.28 + (0.68 * i) / Math.max(1, n - 1)),
  );
}
