import type { Group } from "../data";
import { count, number } from "../ui/format";
import { Table, timeColumn } from "../ui/table";

interface Props {
  /** What the groups are. */
  first: string;
  /** The name of the CSV file. */
  file: string;
  groups: Group[];
}

const SHOWN = 25;

/** How jobs of one kind fared. */
export function GroupTable({ first, file, groups }: Props) {
  return (
    <Table
      caption={`How jobs fared by ${first}`}
      file={file}
      most={SHOWN}
      rows={groups}
      columns={[
        { label: first, value: (g) => g.label },
        { label: "jobs", value: (g) => g.jobs, show: (g) => count(g.jobs) },
        {
          label: "GPU hours",
          key: "gpu_hours",
          value: (g) => g.gpuHours,
          show: (g) => number(g.gpuHours),
        },
        timeColumn(groups, "mean JCT", "jct_mean_s", (g) => g.jctMean),
        timeColumn(groups, "p95 JCT", "jct_p95_s", (g) => g.jctP95),
        timeColumn(groups, "mean wait", "wait_mean_s", (g) => g.waitMean),
        timeColumn(groups, "p95 wait", "wait_p95_s", (g) => g.waitP95),
        {
          label: "mean slowdown",
          key: "slowdown_mean",
          value: (g) => g.slowdownMean,
          show: (g) => number(g.slowdownMean),
          title: "run time over that alone, well placed",
        },
        { label: "restarts", value: (g) => g.restarts, show: (g) => count(g.restarts) },
      ]}
    />
  );
}
