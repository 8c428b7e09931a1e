import type { Spread, WhatIf } from "../data";
import { number, percent, timeUnit } from "../ui/format";
import { Table, type Column } from "../ui/table";

interface Row {
  name: string;
  policy: string;
  lengths: string;
  servers: number;
  gpus: number;
  waitMean: number;
  waitP95: number;
  jctMean: number;
  jctP95: number;
  waitChange: number;
  waitP95Change: number;
  jctChange: number;
  jctP95Change: number;
  sooner: number;
  later: number;
  goodput: number;
  lost: number;
  stops: number;
}

/** What happened, the replay of it, and each case. */
export function CaseTable({ whatif }: { whatif: WhatIf }) {
  const rows = rowsOf(whatif);
  const time = (label: string, key: string, value: (row: Row) => number): Column<Row> => {
    // The replay's unit: most people know how that was.
    const unit = timeUnit(value(rows[whatif.truth ? 1 : 0]), 5);
    return {
      label: `${label}, ${unit.short}`,
      key,
      value,
      show: (row) => number(value(row) / unit.seconds),
    };
  };
  const share = (
    label: string,
    key: string,
    value: (row: Row) => number,
    show = percent,
  ): Column<Row> => ({
    label,
    key,
    value,
    show: (row) => (Number.isNaN(value(row)) ? "" : show(value(row))),
  });
  return (
    <Table
      caption="What each case comes to"
      file="cases"
      rows={rows}
      columns={[
        { label: "case", value: (row) => row.name },
        { label: "policy", value: (row) => row.policy },
        { label: "lengths", value: (row) => row.lengths, title: "what the policy knew of lengths" },
        share("servers", "servers", (row) => row.servers, String),
        share("GPUs", "gpus", (row) => row.gpus, String),
        time("mean wait", "wait_mean_s", (row) => row.waitMean),
        share("change", "wait_change", (row) => row.waitChange, signed),
        time("p95 wait", "wait_p95_s", (row) => row.waitP95),
        share("change", "wait_p95_change", (row) => row.waitP95Change, signed),
        time("mean JCT", "jct_mean_s", (row) => row.jctMean),
        share("change", "jct_change", (row) => row.jctChange, signed),
        time("p95 JCT", "jct_p95_s", (row) => row.jctP95),
        share("change", "jct_p95_change", (row) => row.jctP95Change, signed),
        share("sooner", "jobs_sooner", (row) => row.sooner),
        share("later", "jobs_later", (row) => row.later),
        share(
          "goodput",
          "goodput",
          (row) => row.goodput,
          (v) => `${(100 * v).toFixed(1)} %`,
        ),
        share("lost, GPU h", "lost_gpu_h", (row) => row.lost, number),
        share("stops", "stops", (row) => row.stops, number),
      ]}
    />
  );
}

function rowsOf({ cases, truth }: WhatIf): Row[] {
  const mean = (spread: Spread) => spread.mean;
  const rows = cases.map((each, i) => ({
    name: i === 0 ? "replay as it is" : each.name,
    policy: each.policy,
    lengths: each.lengths,
    servers: each.servers,
    gpus: each.gpus,
    waitMean: mean(each.waitMean),
    waitP95: mean(each.waitP95),
    jctMean: mean(each.jctMean),
    jctP95: mean(each.jctP95),
    waitChange: i === 0 ? NaN : each.waitChange,
    waitP95Change: i === 0 ? NaN : each.waitP95Change,
    jctChange: i === 0 ? NaN : each.jctChange,
    jctP95Change: i === 0 ? NaN : each.jctP95Change,
    sooner: i === 0 ? NaN : each.soonerShare,
    later: i === 0 ? NaN : each.laterShare,
    goodput: mean(each.goodput),
    lost: mean(each.lostGpuHours),
    stops: mean(each.stops),
  }));
  if (!truth) {
    return rows;
  }
  const { waitMean, waitP95, jctMean, jctP95 } = truth;
  const unknown = {
    policy: "",
    lengths: "",
    servers: NaN,
    gpus: NaN,
    waitChange: NaN,
    waitP95Change: NaN,
    jctChange: NaN,
    jctP95Change: NaN,
    sooner: NaN,
    later: NaN,
    goodput: NaN,
    lost: NaN,
    stops: NaN,
  };
  return [{ name: "as it happened", waitMean, waitP95, jctMean, jctP95, ...unknown }, ...rows];
}

/** A change of a share, with its sign. */
export function signed(share: number): string {
  return `${share > 0 ? "+" : ""}${Math.round(100 * share)} %`;
}
