import * as Plot from "@observablehq/plot";
import { ticks } from "d3";
import { useCallback, useState } from "preact/hooks";
import type { ComparedPolicy, Comparison } from "../data";
import { PlotFigure } from "../ui/figure";
import { number, timeUnit } from "../ui/format";
import { csv } from "../ui/save";
import { logTimeAxis, wholePercent } from "../ui/ticks";
import { boundsOf, ci95, hasSeeds, mean, METRICS, withInterval, type Metric } from "./metrics";

/** Above this ratio of the largest to the least, an axis is logarithmic. */
const WIDE = 10;

const ROW = 19;
const PLOTTED = METRICS.filter((metric) => metric.plotted);

interface Dot {
  name: string;
  value: number;
  interval: number;
}

/** One figure of all policies, the best first. */
export function MetricDots({ comparison }: { comparison: Comparison }) {
  const [key, setKey] = useState(PLOTTED[0].key);
  const metric = PLOTTED.find((m) => m.key === key)!;
  const dots = sorted(comparison.policies, metric);
  const bounds = boundsOf(comparison, key);
  const log = isWide([...dots.map((d) => d.value), ...bounds.map((b) => b.value)]);
  const draw = useCallback(
    (width: number) => drawMetric(width, metric, dots, bounds, log),
    [comparison, key],
  );
  return (
    <PlotFigure
      id="policies-by-figure"
      title={metric.plotted!}
      draw={draw}
      tools={
        <label>
          Figure{" "}
          <select
            value={key}
            onChange={(event) => setKey((event.target as HTMLSelectElement).value)}
          >
            {PLOTTED.map((m) => (
              <option key={m.key} value={m.key}>
                {m.plotted}
              </option>
            ))}
          </select>
        </label>
      }
      caption={
        (metric.kind === "share" ? "The highest first." : "The lowest first.") +
        (log ? " The axis is logarithmic." : "") +
        (hasSeeds(comparison) ? " Bars are 95 % intervals over seeds." : "")
      }
      csv={() =>
        csv(
          ["policy", key, "ci95"],
          dots.map((d) => [d.name, d.value, d.interval]),
        )
      }
    />
  );
}

function sorted(policies: ComparedPolicy[], metric: Metric): Dot[] {
  const sign = metric.kind === "share" ? -1 : 1;
  return policies
    .map((policy) => ({
      name: policy.name,
      value: mean(policy, metric.key),
      interval: ci95(policy, metric.key),
    }))
    .sort((a, b) => sign * (a.value - b.value));
}

/** What is none has no place on a logarithmic axis. */
function isWide(values: number[]): boolean {
  return Math.min(...values) > 0 && Math.max(...values) > WIDE * Math.min(...values);
}

function drawMetric(
  width: number,
  metric: Metric,
  dots: Dot[],
  bounds: { value: number; label: string }[],
  log: boolean,
) {
  const values = [
    ...dots.flatMap((d) => [d.value, d.value + d.interval]),
    ...dots.map((d) => d.value - d.interval).filter((v) => v > 0),
    ...bounds.map((b) => b.value),
  ];
  const most = metric.kind === "share" ? 1 : Math.max(...values);
  const least = Math.min(...values);
  const unit = timeUnit(most);
  const isTime = metric.kind === "time";
  const domain = log
    ? [least / 1.15, most]
    : [metric.kind === "ratio" ? Math.min(1, least) : 0, most];
  return Plot.plot({
    width,
    height: 46 + ROW * dots.length + 14 * bounds.length,
    marginLeft: labelWidth(dots.map((d) => d.name)),
    marginRight: 90,
    marginTop: 12 + 14 * bounds.length,
    x: { type: log ? "log" : "linear", domain, label: null },
    y: { domain: dots.map((d) => d.name), label: null, tickSize: 0 },
    style: { fontSize: "12px" },
    marks: [
      log && isTime
        ? logTimeAxis(domain[0], domain[1])
        : isTime
          ? Plot.axisX(
              ticks(domain[0] / unit.seconds, most / unit.seconds, 6).map((v) => v * unit.seconds),
              { text: (v: number) => `${Number((v / unit.seconds).toFixed(3))} ${unit.short}` },
            )
          : Plot.axisX({ ticks: 6, tickFormat: metric.kind === "share" ? wholePercent : String }),
      Plot.ruleY(dots, { y: "name", stroke: "var(--line)", strokeOpacity: 0.6 }),
      ...bounds.flatMap((bound, i) => [
        Plot.ruleX([bound.value], {
          stroke: "currentColor",
          strokeDasharray: i === 0 ? undefined : "4,3",
        }),
        Plot.text([`${bound.label}: ${withInterval(metric.kind, bound.value, 0)}`], {
          x: bound.value,
          frameAnchor: "top",
          dy: -8 - 14 * (bounds.length - 1 - i),
          dx: 4,
          textAnchor: "start",
          lineAnchor: "bottom",
          fill: "currentColor",
        }),
      ]),
      Plot.link(
        dots.filter((d) => d.interval > 0),
        {
          x1: (d: Dot) => Math.max(domain[0], d.value - d.interval),
          x2: (d: Dot) => d.value + d.interval,
          y: "name",
          stroke: "var(--accent)",
          strokeWidth: 3,
          strokeOpacity: 0.4,
        },
      ),
      Plot.dot(dots, { x: "value", y: "name", r: 4, fill: "var(--accent)" }),
      Plot.text(dots, {
        x: (d: Dot) => d.value + d.interval,
        y: "name",
        dx: 9,
        textAnchor: "start",
        fill: "var(--muted)",
        text: (d: Dot) => withInterval(metric.kind, d.value, d.interval),
      }),
    ],
  });
}

function labelWidth(names: string[]): number {
  return 14 + 7 * Math.max(...names.map((name) => name.length));
}

const RATIOS = [
  { key: "jct_over_bound", label: "mean JCT", symbol: "circle", solid: true },
  { key: "makespan_over_bound", label: "makespan", symbol: "diamond", solid: true },
  {
    key: "jct_over_unstopped",
    label: "mean JCT / unstopped",
    symbol: "circle",
    solid: false,
  },
  {
    key: "makespan_over_unstopped",
    label: "makespan / unstopped",
    symbol: "diamond",
    solid: false,
  },
] as const;

const COLOURS = { circle: "var(--accent)", diamond: "var(--bad)" };

const TIMES = [1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500, 1000];

function times(ratio: number): string {
  return `${number(ratio).replace(/\.0+$/, "")} ×`;
}

/** How far each policy is from what cannot be beaten. */
export function BoundDots({ comparison }: { comparison: Comparison }) {
  const ratios = RATIOS.filter((ratio) => ratio.key in comparison.policies[0].figures);
  const draw = useCallback(
    (width: number) => {
      const values = ratios.flatMap((r) => comparison.policies.map((p) => mean(p, r.key)));
      const least = Math.min(1, ...values);
      const most = Math.max(...values, 1.1);
      const log = most > WIDE * least;
      return Plot.plot({
        width,
        height: 40 + ROW * comparison.policies.length,
        marginLeft: labelWidth(comparison.policies.map((p) => p.name)),
        marginRight: 50,
        marginTop: 12,
        x: { type: log ? "log" : "linear", domain: [least * (log ? 0.93 : 1), most], label: null },
        y: { domain: comparison.policies.map((p) => p.name), label: null, tickSize: 0 },
        style: { fontSize: "12px" },
        marks: [
          log
            ? Plot.axisX(
                TIMES.filter((v) => v <= most),
                { text: times },
              )
            : Plot.axisX({ ticks: 6, tickFormat: times }),
          Plot.ruleY(comparison.policies, { y: "name", stroke: "var(--line)", strokeOpacity: 0.6 }),
          Plot.ruleX([1], { stroke: "currentColor" }),
          // One a little above the other: both must be seen where they are equal.
          ...ratios.map((ratio) =>
            Plot.dot(comparison.policies, {
              x: (p: ComparedPolicy) => mean(p, ratio.key),
              y: "name",
              dy: ratio.symbol === "circle" ? -3 : 3,
              r: ratio.solid ? 3.5 : 6,
              symbol: ratio.symbol,
              fill: ratio.solid ? COLOURS[ratio.symbol] : "none",
              stroke: COLOURS[ratio.symbol],
              title: (p: ComparedPolicy) =>
                `${p.name}, ${ratio.label}: ${times(mean(p, ratio.key))}`,
            }),
          ),
        ],
      });
    },
    [comparison],
  );
  return (
    <PlotFigure
      id="over-bound"
      title="Over the bound"
      draw={draw}
      tools={
        <span class="legend">
          {ratios.map((ratio) => (
            <span key={ratio.key}>
              <span style={{ color: COLOURS[ratio.symbol] }} aria-hidden>
                {ratio.symbol === "circle" ? (ratio.solid ? "●" : "○") : ratio.solid ? "◆" : "◇"}
              </span>{" "}
              {ratio.label}
            </span>
          ))}
        </span>
      }
      caption={
        "1 × is what no schedule can beat, whether it stops jobs or knows the future; it may itself " +
        "be out of reach." +
        (ratios.length > 2
          ? " Unstopped: 1 × is what no schedule that does not stop jobs can beat."
          : "")
      }
      csv={() =>
        csv(
          ["policy", ...ratios.map((ratio) => ratio.key)],
          comparison.policies.map((p) => [p.name, ...ratios.map((ratio) => mean(p, ratio.key))]),
        )
      }
    />
  );
}
