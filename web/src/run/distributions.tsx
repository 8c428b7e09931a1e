import * as Plot from "@observablehq/plot";
import { useCallback } from "preact/hooks";
import type { Distribution, Run } from "../data";
import { PlotFigure } from "../ui/figure";
import { duration, number, percent } from "../ui/format";
import { csv } from "../ui/save";
import { logTimeAxis, wholePercent } from "../ui/ticks";

const TITLES: Record<string, string> = {
  jct: "Completion time (JCT)",
  wait: "Waiting time",
  run: "Time on GPUs",
  slowdown: "Slowdown",
};

export function Distributions({ run }: { run: Run }) {
  return (
    <>
      <p>
        Each curve tells what share of the jobs is at or below a value. The axes are logarithmic.
      </p>
      <div class="columns">
        {run.distributions.filter(varies).map((distribution) => (
          <Cumulative key={distribution.name} distribution={distribution} />
        ))}
      </div>
    </>
  );
}

/** Where nothing slows jobs down, there is nothing to see. */
function varies({ name, value }: Distribution): boolean {
  return name !== "slowdown" || value[value.length - 1] > 1.005 * value[0];
}

/** Values below this are drawn at the axis: a logarithm of zero is nowhere. */
const LEAST_SECONDS = 1;

function Cumulative({ distribution }: { distribution: Distribution }) {
  const { name, share, value } = distribution;
  const isTime = name !== "slowdown";
  const show = (x: number) => (isTime ? duration(x) : number(x));
  const at = (p: number) => value[share.findIndex((s) => s >= p - 1e-9)];
  const none = isTime ? share.filter((_, i) => value[i] === 0).at(-1) : undefined;
  const draw = useCallback(
    (width: number) => {
      const least = isTime ? LEAST_SECONDS : Math.min(1, value[0]);
      const most = Math.max(value[value.length - 1], least * 1.2);
      const points = value.map((v, i) => ({ x: Math.max(v, least), y: share[i], value: v }));
      return Plot.plot({
        width,
        height: 220,
        marginLeft: 46,
        marginRight: 16,
        x: { type: "log", domain: [least, most], label: null },
        y: {
          domain: [0, 1],
          grid: true,
          tickFormat: wholePercent,
          ticks: 5,
          label: null,
        },
        style: { fontSize: "12px" },
        marks: [
          Plot.ruleY([0]),
          isTime ? logTimeAxis(least, most) : Plot.axisX({ ticks: 5, tickFormat: String }),
          Plot.lineY(points, { x: "x", y: "y", stroke: "var(--accent)", strokeWidth: 1.8 }),
          Plot.tip(
            points,
            Plot.pointerX({
              x: "x",
              y: "y",
              title: (p: { value: number; y: number }) =>
                `${percent(p.y)} of jobs: ${show(p.value)} or less`,
            }),
          ),
        ],
      });
    },
    [distribution],
  );
  return (
    <PlotFigure
      id={`distribution-${name}`}
      title={TITLES[name]}
      draw={draw}
      caption={
        (none === undefined ? "" : `${percent(none)} of the jobs did not wait. `) +
        `Half at most ${show(at(0.5))}, 95 % at most ${show(at(0.95))}, the largest ` +
        `${show(value[value.length - 1])}.`
      }
      csv={() =>
        csv(
          ["share_of_jobs", isTime ? `${name}_s` : name],
          share.map((s, i) => [s, value[i]]),
        )
      }
    />
  );
}
