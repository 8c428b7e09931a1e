import { useState } from "preact/hooks";
import { ClusterPicture } from "../cluster/picture";
import { RingsPicture } from "../cluster/rings";
import type { Span } from "../cluster/view";
import type { Run } from "../data";
import { count, duration, number, percent } from "../ui/format";
import { Layout, Tiles, type Tile } from "../ui/layout";
import { Provenance } from "../ui/provenance";
import { Distributions } from "./distributions";
import { GroupTable } from "./groups";
import { Timelines } from "./timelines";
import { WorstServed } from "./worst";

export function RunPage({ run }: { run: Run }) {
  const [window, setWindow] = useState<Span>([run.start, run.end]);
  const time = { run, window, onWindow: setWindow };
  const gpus = run.cluster.gpus.reduce((sum, n) => sum + n, 0);
  return (
    <Layout
      title={run.title}
      lead={
        `${count(figure(run, "jobs"))} jobs on ${count(run.cluster.servers.length)} servers with ` +
        `${count(gpus)} GPUs; network model: ${run.cluster.network}.`
      }
      parts={[
        {
          title: "Cluster",
          content: (
            <>
              <ClusterPicture {...time} />
              <Timelines {...time} />
              <RingsPicture {...time} />
            </>
          ),
        },
        { title: "Why jobs waited", content: <WorstServed rows={run.worst} start={run.start} /> },
        { title: "Distributions", content: <Distributions run={run} /> },
        {
          title: "By size",
          content: <GroupTable file="sizes" first="GPUs asked" groups={run.bySize} />,
        },
        {
          title: "By user",
          content:
            run.users.length > 1 ? (
              <GroupTable file="users" first="user" groups={run.byUser} />
            ) : null,
        },
      ]}
      footer={<Provenance summary={run.summary} />}
    >
      <Tiles tiles={tiles(run)} />
    </Layout>
  );
}

/** What a policy knew of how long jobs would run. */
const LENGTHS: Record<string, string> = {
  known: "the policy knew the truth, which nobody has outside of a simulation",
  predicted: "the policy guessed them",
  none: "the policy did not ask for them",
};

function figure(run: Run, key: string): number {
  return run.summary[key] as number;
}

/** What failures and stops cost. */
function lost(value: (key: string) => number): Tile[] {
  return [
    { key: "failures", label: "failures", value: count(value("failures")) },
    {
      key: "goodput",
      label: "goodput",
      value: percent(value("goodput")),
      note: "of the GPU time held, what was not lost",
    },
    {
      key: "ettr",
      label: "effective training time",
      value: percent(value("ettr")),
      note: "of the time from first start to end",
    },
  ];
}

/** What summary.json tells, with the bound beside what it bounds. */
function tiles(run: Run): Tile[] {
  const value = (key: string) => figure(run, key);
  const overBound = (key: string, bound: string) =>
    `${number(value(key) / value(bound))} x the lower bound, ${duration(value(bound))}`;
  return [
    {
      key: "jct_mean_s",
      label: "mean JCT",
      value: duration(value("jct_mean_s")),
      note: overBound("jct_mean_s", "lower_bound_jct_s"),
    },
    { key: "jct_p50_s", label: "median JCT", value: duration(value("jct_p50_s")) },
    { key: "jct_p95_s", label: "95th percentile", value: duration(value("jct_p95_s")) },
    { key: "jct_p99_s", label: "99th percentile", value: duration(value("jct_p99_s")) },
    { key: "wait_mean_s", label: "mean wait", value: duration(value("wait_mean_s")) },
    {
      key: "makespan_s",
      label: "makespan",
      value: duration(value("makespan_s")),
      note: overBound("makespan_s", "lower_bound_makespan_s"),
    },
    { key: "gpu_utilization", label: "GPUs in use", value: percent(value("gpu_utilization")) },
    {
      key: "slowdown_mean",
      label: "mean slowdown",
      value: number(value("slowdown_mean")),
      note: "run time over that alone, well placed",
    },
    { key: "restarts", label: "restarts", value: count(value("restarts")) },
    ...(value("failures") > 0 || value("lost_gpu_s") > 0 ? lost(value) : []),
    {
      key: "lengths",
      label: "lengths of jobs",
      value: String(run.summary["lengths"]),
      note: LENGTHS[String(run.summary["lengths"])] ?? "",
    },
    { key: "finished", label: "jobs finished", value: count(value("finished")) },
  ];
}
