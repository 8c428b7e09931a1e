import * as Plot from "@observablehq/plot";
import { useCallback } from "preact/hooks";
import type { Size, SizePoint } from "../data";
import { PlotFigure } from "../ui/figure";
import { duration, timeUnit } from "../ui/format";
import { csv } from "../ui/save";
import { category } from "../ui/theme";

type Point = SizePoint & { policy: string };

/** So many times the limit still tell something; what is above is cut. */
const MOST_TIMES = 6;

/** The figure of the goal over the number of servers, by policy. */
export function SizeCurves({ size }: { size: Size }) {
  const draw = useCallback((width: number) => drawCurves(size, width), [size]);
  return (
    <PlotFigure
      id="curves"
      title={`${size.figure} by number of servers`}
      caption={
        "Dots are the sizes that the search tried, bars go from the least to the greatest of all draws. " +
        `The line across is the goal, ${duration(size.limit)}; the dashed one the servers that are there. ` +
        `What is above ${MOST_TIMES} times the goal is cut off.`
      }
      tools={
        <span class="legend">
          {size.policies.map((policy, i) => (
            <span key={policy.name}>
              <i style={{ background: category(i) }} />
              {policy.name}
            </span>
          ))}
        </span>
      }
      csv={() =>
        csv(
          ["policy", "servers", "gpus", "mean_s", "low_s", "high_s"],
          points(size).map((p) => [
            p.policy,
            p.servers,
            p.gpus,
            p.seconds.mean,
            p.seconds.low,
            p.seconds.high,
          ]),
        )
      }
      draw={draw}
    />
  );
}

function points(size: Size): Point[] {
  return size.policies.flatMap((policy) =>
    policy.curve.map((point) => ({ ...point, policy: policy.name })),
  );
}

function drawCurves(size: Size, width: number) {
  const all = points(size);
  const unit = timeUnit(size.limit);
  const colour = (p: Point) => category(size.policies.findIndex((o) => o.name === p.policy));
  const mean = (p: Point) => p.seconds.mean / unit.seconds;
  const most = Math.min(MOST_TIMES * size.limit, Math.max(...all.map((p) => p.seconds.high)));
  return Plot.plot({
    width,
    height: 360,
    marginLeft: 50,
    marginBottom: 40,
    clip: true,
    style: { fontSize: "12px" },
    x: {
      label: "servers",
      labelArrow: "none",
      tickFormat: (n: number) => (Number.isInteger(n) ? String(n) : ""),
    },
    y: {
      domain: [0, Math.max(most, 1.2 * size.limit) / unit.seconds],
      label: `${size.figure}, ${unit.long}`,
      labelArrow: "none",
      grid: true,
    },
    marks: [
      Plot.ruleY([size.limit / unit.seconds], { stroke: "currentColor" }),
      Plot.ruleX([size.presentServers], { stroke: "var(--muted)", strokeDasharray: "5 4" }),
      Plot.line(all, { x: "servers", y: mean, z: "policy", stroke: colour, strokeWidth: 1.5 }),
      Plot.ruleX(all, {
        x: "servers",
        y1: (p: Point) => p.seconds.low / unit.seconds,
        y2: (p: Point) => p.seconds.high / unit.seconds,
        stroke: colour,
        strokeWidth: 3,
        strokeOpacity: 0.35,
      }),
      Plot.dot(all, {
        x: "servers",
        y: mean,
        r: 3.5,
        fill: colour,
        title: (p: Point) =>
          `${p.policy}, ${p.servers} servers: ${duration(p.seconds.mean)} (${duration(p.seconds.low)} to ${duration(p.seconds.high)})`,
      }),
    ],
  });
}
