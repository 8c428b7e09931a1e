import * as Plot from "@observablehq/plot";
import { useCallback } from "preact/hooks";
import { PlotFigure } from "../ui/figure";
import { number } from "../ui/format";
import { csv } from "../ui/save";
import { category } from "../ui/theme";
import { settingText, type Row } from "./rows";

const LINE_HEIGHT = 18;
const LETTER = 6.5;

type WithPaper = Row & { paper: number };

/** The figures that the paper has too, by metric. */
export function withPaper(rows: Row[]): WithPaper[] {
  return rows
    .filter((row): row is WithPaper => row.paper !== null && row.paper > 0)
    .sort((a, b) => a.metric.localeCompare(b.metric));
}

/** Every figure that the paper has too, as a multiple of the paper's. */
export function Beside({ names, rows }: { names: string[]; rows: WithPaper[] }) {
  const draw = useCallback((width: number) => drawRatios(names, rows, width), [names.join(), rows]);
  return (
    <PlotFigure
      id="beside-the-paper"
      title="Our figures over the paper's"
      caption="Filled: ours, with the 95 % interval. Hollow, at 1: the paper. The axis is logarithmic."
      csv={() => ratiosCsv(names, rows)}
      draw={draw}
    />
  );
}

function drawRatios(names: string[], rows: WithPaper[], width: number): SVGElement | HTMLElement {
  const several = new Set(rows.map((row) => row.metric)).size > 1;
  const items = rows.map((row, i) => ({
    row,
    at: String(i),
    label: [several ? row.metric : "", settingText(names, row), row.policy]
      .filter((text) => text !== "")
      .join(" · "),
    ratio: row.mean / row.paper,
    low: Math.max(row.mean - row.ci95, row.mean / 10) / row.paper,
    high: (row.mean + row.ci95) / row.paper,
  }));
  type Item = (typeof items)[number];
  const longest = Math.max(...items.map((item) => item.label.length));
  const most = Math.max(2, ...items.map((item) => item.high)) * 1.05;
  const least = Math.min(0.5, ...items.map((item) => item.low)) / 1.05;
  const svg = Plot.plot({
    width,
    height: 60 + items.length * LINE_HEIGHT,
    style: { fontSize: "12px" },
    marginTop: 40,
    marginLeft: Math.min(longest * LETTER + 12, 0.6 * width),
    marginRight: 100,
    x: {
      type: "log",
      domain: [least, most],
      axis: "top",
      label: "ours over the paper's",
      labelArrow: "none",
      grid: true,
      ticks: [0.1, 0.2, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10].filter((x) => x >= least && x <= most),
      tickFormat: (x: number) => `${x}`,
    },
    y: {
      type: "band",
      domain: items.map((item) => item.at),
      label: null,
      tickSize: 0,
      tickFormat: (at: string) => items[Number(at)].label,
    },
    marks: [
      Plot.ruleX([1], { stroke: "currentColor", strokeDasharray: "5 4" }),
      Plot.ruleY(items, { y: "at", x1: 1, x2: "ratio", stroke: "var(--line)" }),
      Plot.dot(items, { x: 1, y: "at", r: 4, fill: "var(--paper)", stroke: "currentColor" }),
      Plot.ruleY(items, { y: "at", x1: "low", x2: "high", stroke: category(0), strokeWidth: 2 }),
      Plot.dot(items, { x: "ratio", y: "at", r: 4, fill: category(0) }),
      Plot.text(items, {
        x: most,
        y: "at",
        text: (item: Item) => `${number(item.row.mean)} / ${number(item.row.paper)}`,
        textAnchor: "start",
        dx: 8,
      }),
    ],
  });
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", "Our figures over the paper's");
  return svg;
}

function ratiosCsv(names: string[], rows: WithPaper[]): string {
  return csv(
    [...names, "policy", "metric", "mean", "ci95", "paper", "ours_over_paper"],
    rows.map((row) => [
      ...row.setting,
      row.policy,
      row.metric,
      row.mean,
      row.ci95,
      row.paper,
      row.mean / row.paper,
    ]),
  );
}
