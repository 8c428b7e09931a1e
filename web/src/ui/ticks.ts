import * as Plot from "@observablehq/plot";
import { timeUnit } from "./format";

/** Times that people count in, for logarithmic axes. */
const ROUND = [
  1,
  10,
  60,
  600,
  3600,
  6 * 3600,
  86400,
  7 * 86400,
  30 * 86400,
  100 * 86400,
  365 * 86400,
];

/** More of them, for axes that span little. */
const FINE = [
  ...[1, 60].flatMap((unit) => [1, 2, 5, 10, 20].map((n) => n * unit)),
  ...[1, 2, 5, 10].map((hours) => hours * 3600),
  ...[1, 2, 5, 10, 20, 50, 100, 200].map((days) => days * 86400),
];

/** A logarithmic axis of times, with ticks at those that people count in. */
export function logTimeAxis(least: number, most: number, options: Plot.AxisXOptions = {}) {
  const all = most < 300 * least ? FINE : ROUND;
  const ticks = all.filter((seconds) => seconds >= least * 0.999 && seconds <= most * 1.001);
  return Plot.axisX(ticks, { text: roundTime, label: null, ...options });
}

/** A round time without decimals: "10 min". */
export function roundTime(seconds: number): string {
  const unit = timeUnit(seconds, 1);
  return `${Math.round(seconds / unit.seconds)} ${unit.short}`;
}

/** A share on an axis. */
export function wholePercent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
