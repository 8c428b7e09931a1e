import * as Plot from "@observablehq/plot";
import { interpolateRgb, lab } from "d3";
import { useCallback, useState } from "preact/hooks";
import type { Comparison } from "../data";
import { PlotFigure } from "../ui/figure";
import { percent } from "../ui/format";
import { csv } from "../ui/save";
import { CATEGORIES, useTheme, type Theme } from "../ui/theme";
import { mean } from "./metrics";
import { netShare, type Choice } from "./pairing";

interface Cell extends Choice {
  row: string;
  column: string;
  value: number;
}

type Kind = "share" | "ratio";

const KINDS: [Kind, string][] = [
  ["share", "Jobs sooner less jobs later"],
  ["ratio", "Mean JCT"],
];

/** Blue is good for the row, orange is bad: everybody tells them apart. */
const [GOOD, , , , , BAD] = CATEGORIES;

/** What slanted names take beside the last column. */
const SLANT = 44;

interface Props {
  comparison: Comparison;
  choice: Choice;
  onChoose: (choice: Choice) => void;
}

/** Every policy against every other. */
export function Matrix({ comparison, choice, onChoose }: Props) {
  const [kind, setKind] = useState<Kind>("share");
  const theme = useTheme();
  const cells = cellsOf(comparison, kind);
  const draw = useCallback(
    (width: number) => {
      const svg = drawMatrix(width, comparison, cells, kind, choice, theme);
      svg.querySelectorAll<SVGRectElement>("g[aria-label=cell] rect").forEach((rect, i) => {
        rect.style.cursor = "pointer";
        rect.addEventListener("click", () => onChoose({ a: cells[i].a, b: cells[i].b }));
      });
      return svg;
    },
    [comparison, kind, choice, theme],
  );
  return (
    <PlotFigure
      id="matrix"
      title="Every pair"
      draw={draw}
      tools={
        <label>
          Cells{" "}
          <select
            value={kind}
            onChange={(event) => setKind((event.target as HTMLSelectElement).value as Kind)}
          >
            {KINDS.map(([key, label]) => (
              <option key={key} value={key}>
                {label}
              </option>
            ))}
          </select>
        </label>
      }
      caption={
        (kind === "share"
          ? "Percent of the jobs that end sooner under the policy of the row than under that of the " +
            "column, less those that end later. "
          : "Mean JCT of the row over that of the column, as a change in percent. ") +
        "Blue: the row is better. Orange: the column is. Choose a cell to look at the pair."
      }
      csv={() =>
        csv(
          ["row", "column", kind === "share" ? "net_share_sooner" : "jct_mean_ratio"],
          cells.map((c) => [c.row, c.column, kind === "share" ? c.value : 1 + c.value]),
        )
      }
    />
  );
}

function cellsOf(comparison: Comparison, kind: Kind): Cell[] {
  const { policies } = comparison;
  return policies.flatMap((row, a) =>
    policies.flatMap((column, b) =>
      a === b
        ? []
        : [
            {
              a,
              b,
              row: row.name,
              column: column.name,
              value:
                kind === "share"
                  ? netShare(comparison, { a, b })
                  : mean(row, "jct_mean_s") / mean(column, "jct_mean_s") - 1,
            },
          ],
    ),
  );
}

/** From -1, bad for the row, to 1, good for it. */
function goodness(value: number, kind: Kind): number {
  // A ratio and its reverse are equally far from none.
  const raw = kind === "share" ? value : -Math.log2(1 + value) / 3;
  return Math.max(-1, Math.min(1, raw));
}

function drawMatrix(
  width: number,
  comparison: Comparison,
  cells: Cell[],
  kind: Kind,
  choice: Choice,
  theme: Theme,
): SVGElement {
  const names = comparison.policies.map((p) => p.name);
  const label = 14 + 6.6 * Math.max(...names.map((name) => name.length));
  const size = Math.max(14, Math.min(52, (width - label - SLANT) / names.length));
  const font = Math.max(7, Math.min(12, size / 2.9));
  const good = interpolateRgb(theme.paper, GOOD);
  const bad = interpolateRgb(theme.paper, BAD);
  const shade = (cell: Cell) => {
    const at = goodness(cell.value, kind);
    return (at >= 0 ? good : bad)(Math.sqrt(Math.abs(at)));
  };
  return Plot.plot({
    width: label + SLANT + size * names.length,
    height: label * 0.75 + 8 + Math.min(size, 30) * names.length,
    marginLeft: label,
    marginTop: label * 0.75,
    marginRight: SLANT,
    marginBottom: 8,
    padding: 0.04,
    x: { domain: names, axis: "top", tickRotate: -50, tickSize: 0, label: null },
    y: { domain: names, tickSize: 0, label: null },
    style: { fontSize: "11px" },
    marks: [
      Plot.cell(cells, {
        x: "column",
        y: "row",
        fill: shade,
        stroke: (c: Cell) => (c.a === choice.a && c.b === choice.b ? theme.ink : "none"),
        strokeWidth: 2,
        title: (c: Cell) => cellTitle(c, kind),
      }),
      Plot.text(cells, {
        x: "column",
        y: "row",
        text: (c: Cell) => cellText(c.value, kind),
        fontSize: font,
        fill: (c: Cell) => (lab(shade(c)).l > 58 ? "#14181f" : "#ffffff"),
        pointerEvents: "none",
      }),
    ],
  }) as SVGElement;
}

function cellText(value: number, kind: Kind): string {
  if (kind === "ratio" && value >= 9.995) {
    return `${Math.round(value + 1)}×`;
  }
  const rounded = Math.round(100 * value);
  return rounded > 0 ? `+${rounded}` : rounded < 0 ? `−${-rounded}` : "0";
}

function cellTitle(c: Cell, kind: Kind): string {
  return kind === "share"
    ? `${c.row} against ${c.column}: ${percent(Math.abs(c.value))} of the jobs more end ${c.value < 0 ? "later" : "sooner"}`
    : `${c.row} against ${c.column}: mean JCT ${percent(Math.abs(c.value))} ${c.value < 0 ? "less" : "more"}`;
}
