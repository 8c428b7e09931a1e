import * as Plot from "@observablehq/plot";
import { ticks } from "d3";
import { useCallback, useState } from "preact/hooks";
import type { Spread, WhatIf, WhatIfCase } from "../data";
import { PlotFigure } from "../ui/figure";
import { duration, timeUnit } from "../ui/format";
import { csv } from "../ui/save";

const ROW = 24;
const LETTER = 7;

interface Figure {
  key: string;
  label: string;
  of: (each: WhatIfCase) => Spread;
  happened: "waitMean" | "waitP95" | "jctMean" | "jctP95";
}

const FIGURES: Figure[] = [
  { key: "wait_mean_s", label: "Mean wait", of: (c) => c.waitMean, happened: "waitMean" },
  {
    key: "wait_p95_s",
    label: "95th percentile of waits",
    of: (c) => c.waitP95,
    happened: "waitP95",
  },
  { key: "jct_mean_s", label: "Mean JCT", of: (c) => c.jctMean, happened: "jctMean" },
  { key: "jct_p95_s", label: "95th percentile of JCT", of: (c) => c.jctP95, happened: "jctP95" },
];

interface Dot extends Spread {
  name: string;
}

/** One figure of all cases, in the order of the table, with its range over draws. */
export function CaseDots({ whatif }: { whatif: WhatIf }) {
  const [key, setKey] = useState(FIGURES[0].key);
  const figure = FIGURES.find((f) => f.key === key)!;
  const dots: Dot[] = whatif.cases.map((each, i) => ({
    name: i === 0 ? "replay as it is" : each.name,
    ...figure.of(each),
  }));
  const happened = whatif.truth ? whatif.truth[figure.happened] : null;
  const draw = useCallback((width: number) => drawDots(width, dots, happened), [whatif, key]);
  return (
    <PlotFigure
      id="by-case"
      title={`${figure.label} by case`}
      draw={draw}
      tools={
        <label>
          Figure{" "}
          <select
            value={key}
            onChange={(event) => setKey((event.target as HTMLSelectElement).value)}
          >
            {FIGURES.map((f) => (
              <option key={f.key} value={f.key}>
                {f.label}
              </option>
            ))}
          </select>
        </label>
      }
      caption={
        "Dots are means, bars go from the least to the greatest of all draws. The dashed line is the replay as it is." +
        (happened === null ? "" : " The solid line is what happened.")
      }
      csv={() =>
        csv(
          ["case", key, "low", "high"],
          dots.map((d) => [d.name, d.mean, d.low, d.high]),
        )
      }
    />
  );
}

function drawDots(width: number, dots: Dot[], happened: number | null) {
  const most = Math.max(...dots.map((d) => d.high), happened ?? 0, 1);
  const unit = timeUnit(most);
  return Plot.plot({
    width,
    height: 60 + ROW * dots.length,
    marginLeft: Math.min(0.45 * width, 14 + LETTER * Math.max(...dots.map((d) => d.name.length))),
    marginRight: 70,
    marginTop: 24,
    x: { domain: [0, most], label: null },
    y: { domain: dots.map((d) => d.name), label: null, tickSize: 0 },
    style: { fontSize: "12px" },
    marks: [
      Plot.axisX(
        ticks(0, most / unit.seconds, 6).map((v) => v * unit.seconds),
        { text: (v: number) => `${Number((v / unit.seconds).toFixed(3))} ${unit.short}` },
      ),
      Plot.ruleY(dots, { y: "name", stroke: "var(--line)", strokeOpacity: 0.6 }),
      Plot.ruleX([dots[0].mean], { stroke: "var(--muted)", strokeDasharray: "5 4" }),
      ...(happened === null
        ? []
        : [
            Plot.ruleX([happened], { stroke: "currentColor" }),
            Plot.text([`as it happened: ${duration(happened)}`], {
              x: happened,
              frameAnchor: "top",
              dy: -8,
              textAnchor: happened > most / 2 ? "end" : "start",
              lineAnchor: "bottom",
              fill: "currentColor",
            }),
          ]),
      Plot.link(dots, {
        x1: "low",
        x2: "high",
        y: "name",
        stroke: "var(--accent)",
        strokeWidth: 4,
        strokeOpacity: 0.4,
      }),
      Plot.dot(dots, { x: "mean", y: "name", r: 4.5, fill: "var(--accent)" }),
      Plot.text(dots, {
        x: "high",
        y: "name",
        dx: 9,
        textAnchor: "start",
        fill: "currentColor",
        stroke: "var(--paper)",
        strokeWidth: 4,
        text: (d: Dot) => duration(d.mean),
      }),
    ],
  });
}
