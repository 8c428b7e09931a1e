import type { ExperimentRows } from "../data";
import { number } from "../ui/format";
import { csv } from "../ui/save";

/** A figure of the experiment. */
export interface Row {
  /** What was varied, in the order of columns; null where the row does not have the setting. */
  setting: (string | number | null)[];
  policy: string;
  lengths: string;
  metric: string;
  mean: number;
  ci95: number;
  paper: number | null;
}

export function rowsOf(columns: ExperimentRows): Row[] {
  return columns.policy.map((policy, i) => ({
    setting: columns.settings.map((setting) => setting.values[i]),
    policy,
    lengths: columns.lengths[i],
    metric: columns.metric[i],
    mean: columns.mean[i],
    ci95: columns.ci95[i],
    paper: columns.paper[i],
  }));
}

/** "servers 10, reading literal". */
export function settingText(names: string[], row: Row, without = ""): string {
  return names
    .map((name, i) =>
      row.setting[i] === null || name === without ? "" : `${name} ${row.setting[i]}`,
    )
    .filter((text) => text !== "")
    .join(", ");
}

/** Mean and interval; one draw has no interval. */
export function figure(row: Row): string {
  return row.ci95 > 0 ? `${number(row.mean)} ± ${number(row.ci95)}` : number(row.mean);
}

export function rowsCsv(names: string[], rows: Row[]): string {
  return csv(
    [...names, "policy", "metric", "mean", "ci95", "paper", "policy_lengths"],
    rows.map((row) => [
      ...row.setting,
      row.policy,
      row.metric,
      row.mean,
      row.ci95,
      row.paper,
      row.lengths,
    ]),
  );
}

/** What the metrics of all experiments are, in the reader's words. */
const METRICS: Record<string, string> = {
  makespan_slots: "time from the first start to the last end, in slots",
  completion_slots: "mean time from submission to the end of a job, in slots",
  jct_s: "mean time from submission to the end of a job, in seconds",
  jct_p95_s: "time from submission to end that 95 % of jobs do not exceed, in seconds",
  makespan_s: "time from the first submission to the last end, in seconds",
  jct_ratio: "jct_s over that of ada-srsf on the same jobs",
  utility: "what was reached by the horizon, 1 if every job is finished",
  finished_share: "share of jobs finished by the horizon",
  completion_s:
    "mean time from submission to the end of a job, or to the horizon if it is not finished, in seconds",
  bound_ratio: "utility planned for a slot over its bound, mean over slots",
  completion_hours: "mean time from submission to the end of a job, in hours",
  time_over_exact: "time over the least possible, mean",
  worst_over_exact: "time over the least possible, the worst of all",
  best_share: "share of jobs where the rule is the best",
};

export function metricText(metric: string): string | undefined {
  return METRICS[metric];
}
