import type { ComparedPolicy, Comparison } from "../data";
import { count, duration, number, percent, timeUnit } from "../ui/format";

export interface Metric {
  /** As in summary.json. */
  key: string;
  label: string;
  kind: "time" | "share" | "ratio" | "count";
  /** Offered for the plot. */
  plotted?: string;
  title?: string;
}

const OVER_BOUND = "over what no schedule can beat: 1 is the bound";
const OVER_UNSTOPPED = "over what no schedule that does not stop jobs can beat";

/** The figures that the command prints, in its order. */
export const METRICS: Metric[] = [
  { key: "jct_mean_s", label: "mean JCT", kind: "time", plotted: "Mean JCT" },
  { key: "jct_p50_s", label: "median", kind: "time" },
  { key: "jct_p95_s", label: "p95", kind: "time", plotted: "95th percentile of JCT" },
  { key: "jct_p99_s", label: "p99", kind: "time" },
  { key: "wait_mean_s", label: "mean wait", kind: "time", plotted: "Mean wait" },
  { key: "makespan_s", label: "makespan", kind: "time", plotted: "Makespan" },
  { key: "gpu_utilization", label: "GPUs used", kind: "share", plotted: "GPUs used" },
  {
    key: "slowdown_mean",
    label: "slowdown",
    kind: "ratio",
    plotted: "Mean slowdown",
    title: "run time over that alone, well placed",
  },
  { key: "restarts", label: "restarts", kind: "count" },
  { key: "jct_over_bound", label: "JCT / bound", kind: "ratio", title: OVER_BOUND },
  { key: "makespan_over_bound", label: "makespan / bound", kind: "ratio", title: OVER_BOUND },
  { key: "jct_over_unstopped", label: "JCT / unstopped", kind: "ratio", title: OVER_UNSTOPPED },
  {
    key: "makespan_over_unstopped",
    label: "makespan / unstopped",
    kind: "ratio",
    title: OVER_UNSTOPPED,
  },
];

type Figures = Pick<ComparedPolicy, "figures">;

/** NaN if nobody knows. */
export function mean({ figures }: Figures, key: string): number {
  return key in figures ? figures[key].mean : NaN;
}

/** Intervals below this share of the mean are not shown: their digits would all be 0. */
export const LEAST_INTERVAL = 0.0005;

/** Half of the interval; 0 if it is too small to be seen. */
export function ci95(policy: Figures, key: string): number {
  const figure = policy.figures[key];
  return figure.ci95 > LEAST_INTERVAL * Math.abs(figure.mean) ? figure.ci95 : 0;
}

/** The figure with its unit. */
export function shown(kind: Metric["kind"], value: number): string {
  switch (kind) {
    case "time":
      return duration(value);
    case "share":
      return percent(value);
    case "ratio":
      return number(value);
    case "count":
      return count(value);
  }
}

/** The figure with its unit and its interval, if there is one. */
export function withInterval(kind: Metric["kind"], value: number, interval: number): string {
  if (interval === 0) {
    return shown(kind, value);
  }
  if (kind !== "time") {
    return `${shown(kind, value)} ± ${shown(kind, interval)}`;
  }
  const unit = timeUnit(value);
  return `${number(value / unit.seconds)} ± ${number(interval / unit.seconds)} ${unit.short}`;
}

export function hasSeeds(comparison: Comparison): boolean {
  return comparison.seeds.length > 1;
}

/** What a figure cannot be below, mean over workloads: lines of a plot. */
export function boundsOf(comparison: Comparison, key: string): { value: number; label: string }[] {
  const searched = comparison.noPreemptionBounds;
  const over = (of: (b: (typeof searched)[number]) => number) =>
    searched.length === 0
      ? []
      : [
          {
            value: searched.reduce((sum, b) => sum + of(b), 0) / searched.length,
            label: "none that does not stop jobs is below",
          },
        ];
  if (key === "jct_mean_s") {
    return [
      { value: comparison.boundJct, label: "no schedule is below" },
      ...over((b) => b.mean_jct.no_preemption_s),
    ];
  }
  if (key === "makespan_s") {
    return [
      { value: comparison.boundMakespan, label: "no schedule is below" },
      ...over((b) => b.makespan.no_preemption_s),
    ];
  }
  return [];
}
