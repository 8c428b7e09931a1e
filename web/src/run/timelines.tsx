import * as Plot from "@observablehq/plot";
import { useCallback } from "preact/hooks";
import type { PictureProps, Span } from "../cluster/view";
import type { Timeline } from "../data";
import { PlotFigure, useSettled } from "../ui/figure";
import { count, number, percent, timeUnit } from "../ui/format";
import { csv } from "../ui/save";

/** One line of a plot over time. */
interface Line {
  name: string;
  values: number[];
  colour: string;
  dash?: string;
}

/** These plots are drawn anew when the picture, which follows the mouse, has come to rest. */
const SETTLED_MS = 80;

/** GPUs in use and jobs that wait, over the span that the picture of the cluster shows. */
export function Timelines({ run, window: wanted }: PictureProps) {
  const { timeline } = run;
  const window = useSettled(wanted, SETTLED_MS);
  const gpus = run.cluster.gpus.reduce((sum, n) => sum + n, 0);
  const mean = (values: number[]) => values.reduce((sum, n) => sum + n, 0) / values.length;
  const most = timeline.waitingJobs.reduce((a, b) => Math.max(a, b), 0);
  const contended = mean(timeline.contendedGpus) / mean(timeline.busyGpus);
  return (
    <>
      <Lines
        id="utilisation"
        title="GPUs in use"
        timeline={timeline}
        window={window}
        top={gpus}
        unit="GPUs"
        lines={[
          { name: "in use", values: timeline.busyGpus, colour: "var(--accent)" },
          {
            name: "with a contended ring",
            values: timeline.contendedGpus,
            colour: "var(--bad)",
            dash: "4,3",
          },
        ]}
        caption={
          `${percent(mean(timeline.busyGpus) / gpus)} of ${count(gpus)} GPUs on average. ` +
          contendedWords(contended)
        }
      />
      <Lines
        id="queue"
        title="Jobs waiting"
        timeline={timeline}
        window={window}
        unit="jobs"
        lines={[{ name: "jobs waiting", values: timeline.waitingJobs, colour: "var(--accent)" }]}
        caption={
          `${number(mean(timeline.waitingJobs))} jobs waited on average, at most ${number(most)} ` +
          `(means over spans of ${number(timeline.binSeconds / timeUnit(timeline.binSeconds).seconds)} ` +
          `${timeUnit(timeline.binSeconds).short}).`
        }
      />
      <Lines
        id="demand"
        title="GPUs that waiting jobs ask for"
        timeline={timeline}
        window={window}
        unit="GPUs"
        rule={{ value: gpus, label: "the whole cluster" }}
        lines={[{ name: "GPUs asked", values: timeline.waitingGpus, colour: "var(--accent)" }]}
      />
    </>
  );
}

function contendedWords(share: number): string {
  if (share === 0) {
    return "No two rings ever shared a server's link.";
  }
  const told = share < 0.0005 ? "Less than 0.1 %" : percent(share);
  return `${told} of the GPU time in use was of jobs whose ring shared a server's link with another ring.`;
}

interface LinesProps {
  id: string;
  title: string;
  caption?: string;
  timeline: Timeline;
  window: Span;
  unit: string;
  lines: Line[];
  /** The top of the axis; the largest value if left out. */
  top?: number;
  /** A level to compare with; shown if the values come near it. */
  rule?: { value: number; label: string };
}

function Lines({ id, title, caption, timeline, window, unit, lines, top, rule }: LinesProps) {
  const [from, to] = window;
  const draw = useCallback(
    (width: number) => {
      const time = timeUnit(to - timeline.start);
      const since = (seconds: number) => (seconds - timeline.start) / time.seconds;
      const at = (i: number) => (i * timeline.binSeconds) / time.seconds;
      const [first, last] = [since(from), since(to)];
      // A mean holds for all of its span: steps, not slopes.
      const points = (line: Line) =>
        line.values
          .map((value, i) => ({ value, x: at(i), name: line.name }))
          .filter((p) => p.x + at(1) >= first && p.x <= last);
      // The last step goes on to the end of its span.
      const steps = (line: Line) => {
        const seen = points(line);
        const end = seen.at(-1);
        return end ? [...seen, { ...end, x: end.x + at(1) }] : seen;
      };
      const most = Math.max(...lines[0].values);
      const shown = lines.filter((line) => line.values.some((value) => value > most / 200));
      const highest = Math.max(...shown.flatMap((line) => points(line).map((p) => p.value)), 0);
      const ruled = rule && highest > rule.value / 3;
      return Plot.plot({
        width,
        height: 180,
        marginBottom: 40,
        marginLeft: 60,
        marginRight: 12,
        x: {
          label: `${time.long} since the start`,
          domain: [first, last],
          labelAnchor: "right",
          labelArrow: "none",
        },
        y: {
          label: unit,
          domain: [0, top ?? (Math.max(highest, ruled ? rule.value : 0) || 1)],
          grid: true,
          ticks: 4,
          labelArrow: "none",
        },
        style: { fontSize: "12px" },
        clip: true,
        marks: [
          Plot.ruleY([0]),
          ...(ruled
            ? [
                Plot.ruleY([rule.value], { stroke: "var(--muted)", strokeDasharray: "2,3" }),
                Plot.text([rule.label], {
                  x: last,
                  y: rule.value,
                  dy: -7,
                  textAnchor: "end",
                  fill: "var(--muted)",
                }),
              ]
            : []),
          ...shown.flatMap((line, i) => [
            Plot.areaY(steps(line), {
              x: "x",
              y: "value",
              curve: "step-after",
              fill: line.colour,
              fillOpacity: 0.15,
            }),
            Plot.lineY(steps(line), {
              x: "x",
              y: "value",
              curve: "step-after",
              stroke: line.colour,
              strokeDasharray: line.dash,
              strokeWidth: 1.4,
            }),
            ...(shown.length > 1
              ? [
                  Plot.text([line.name], {
                    frameAnchor: "top-left",
                    dx: 8 + 90 * i,
                    dy: -14,
                    fill: line.colour,
                    fontWeight: 600,
                    textAnchor: "start",
                    clip: false,
                  }),
                ]
              : []),
          ]),
          Plot.tip(
            points(lines[0]),
            Plot.pointerX({
              x: "x",
              y: "value",
              channels: Object.fromEntries(
                shown.map((line) => [
                  line.name,
                  points(line).map((p) => Math.round(p.value * 10) / 10),
                ]),
              ),
              format: { y: false, x: (x: number) => `${number(x)} ${time.short}` },
            }),
          ),
        ],
      });
    },
    [timeline, from, to],
  );
  return (
    <PlotFigure
      id={id}
      title={title}
      caption={caption}
      draw={draw}
      csv={() =>
        csv(
          ["start_s", ...lines.map((line) => line.name.replaceAll(" ", "_"))],
          lines[0].values.map((_, i) => [
            timeline.start + i * timeline.binSeconds,
            ...lines.map((line) => line.values[i]),
          ]),
        )
      }
    />
  );
}
