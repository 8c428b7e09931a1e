import * as Plot from "@observablehq/plot";
import { useCallback } from "preact/hooks";
import type { Pair, Pairs } from "../data";
import { PlotFigure } from "../ui/figure";
import { duration, percent } from "../ui/format";
import { csv } from "../ui/save";
import { roundTime, wholePercent } from "../ui/ticks";

/** Below this the axis is linear, above logarithmic: differences may be of either sign, and none. */
const LINEAR_SECONDS = 60;

const TICKS = [60, 600, 3600, 6 * 3600, 86400, 7 * 86400, 30 * 86400, 100 * 86400, 365 * 86400];

interface Props {
  pairs: Pairs;
  pair: Pair;
  a: string;
  b: string;
}

/** How much sooner jobs end under one policy than under another, from the most loss to the most gain. */
export function Differences({ pairs, pair, a, b }: Props) {
  const draw = useCallback(
    (width: number) => {
      const points = pair.quantiles.map((value, i) => ({
        share: pairs.share[i],
        value: Math.abs(value) <= pairs.sameSeconds ? 0 : value,
      }));
      const most = Math.max(LINEAR_SECONDS, ...points.map((p) => Math.abs(p.value)));
      const low = Math.min(...points.map((p) => p.value));
      const high = Math.max(...points.map((p) => p.value));
      // Near 0 there is no room for those that are close to it.
      const ticks = TICKS.filter((t) => t <= most * 1.001 && (t >= 600 || most < 6 * 3600));
      return Plot.plot({
        width,
        height: 300,
        marginLeft: 64,
        marginRight: 16,
        marginBottom: 40,
        x: { domain: [0, 1], tickFormat: wholePercent, label: `share of jobs`, labelArrow: "none" },
        y: {
          type: "symlog",
          constant: LINEAR_SECONDS,
          domain: [Math.min(low, -LINEAR_SECONDS), Math.max(high, LINEAR_SECONDS)],
          label: null,
        },
        style: { fontSize: "12px" },
        marks: [
          Plot.axisY([...ticks.map((t) => -t).reverse(), 0, ...ticks].filter(inside), {
            text: (t: number) => (t === 0 ? "0" : (t < 0 ? "−" : "+") + roundTime(Math.abs(t))),
            tickSize: 0,
          }),
          Plot.gridY([...ticks.map((t) => -t), ...ticks].filter(inside)),
          Plot.areaY(
            points.map((p) => ({ ...p, value: Math.max(0, p.value) })),
            {
              x: "share",
              y: "value",
              fill: "var(--good)",
              fillOpacity: 0.25,
            },
          ),
          Plot.areaY(
            points.map((p) => ({ ...p, value: Math.min(0, p.value) })),
            {
              x: "share",
              y: "value",
              fill: "var(--bad)",
              fillOpacity: 0.25,
            },
          ),
          Plot.ruleY([0]),
          Plot.line(points, { x: "share", y: "value", stroke: "currentColor", strokeWidth: 1.5 }),
          Plot.text([`sooner under ${a} ↑`], {
            frameAnchor: "top-left",
            dx: 8,
            dy: 6,
            fill: "var(--good)",
            fontWeight: 600,
          }),
          Plot.text([`sooner under ${b} ↓`], {
            frameAnchor: "bottom-right",
            dx: -8,
            dy: -6,
            fill: "var(--bad)",
            fontWeight: 600,
          }),
          Plot.tip(
            points,
            Plot.pointerX({
              x: "share",
              y: "value",
              title: (p: { share: number; value: number }) =>
                `${percent(p.share)} of jobs: ${tell(p.value, a, b)}`,
            }),
          ),
        ],
      });

      function inside(t: number) {
        return t >= Math.min(low, -LINEAR_SECONDS) && t <= Math.max(high, LINEAR_SECONDS);
      }
    },
    [pair, a, b],
  );
  return (
    <PlotFigure
      id="differences"
      title={`How much sooner jobs end under ${a} than under ${b}`}
      draw={draw}
      caption={
        `JCT under ${b} minus JCT under ${a}, jobs in the order of it. The axis is logarithmic ` +
        `beyond a minute. From ${tell(pair.quantiles[0], a, b)} to ` +
        `${tell(pair.quantiles[pair.quantiles.length - 1], a, b)}.`
      }
      csv={() =>
        csv(
          ["share_of_jobs", "difference_s"],
          pairs.share.map((s, i) => [s, pair.quantiles[i]]),
        )
      }
    />
  );
}

function tell(seconds: number, a: string, b: string): string {
  return Math.abs(seconds) <= 1
    ? "the same"
    : `${duration(Math.abs(seconds))} sooner under ${seconds > 0 ? a : b}`;
}
