import type { ComparedPolicy, Comparison, Truth } from "../data";
import { number, percent, timeUnit } from "../ui/format";
import { Table, type Column } from "../ui/table";
import { ci95, hasSeeds, LEAST_INTERVAL, mean, METRICS, shown, type Metric } from "./metrics";

/** A policy, or what happened in truth. */
type Line = Pick<ComparedPolicy, "name" | "lengths" | "figures"> & { folder?: string };

/** Every policy with the figures that the command prints. */
export function PolicyTable({ comparison }: { comparison: Comparison }) {
  const { policies, truth } = comparison;
  const metrics = METRICS.filter((metric) => metric.key in policies[0].figures);
  return (
    <div class="names">
      <Table
        caption="Figures of each policy"
        file="policies"
        rows={[...(truth ? [happened(truth)] : []), ...policies]}
        columns={[
          {
            label: "policy",
            value: (policy) => policy.name,
            show: ({ name, folder }) =>
              folder === undefined ? name : <a href={`${folder}/report.html`}>{name}</a>,
          },
          {
            label: "lengths",
            title: "what the policy knows of how long jobs will run",
            value: (policy) => policy.lengths,
          },
          ...metrics.flatMap((metric) => [
            column(metric, policies),
            ...(metric.key === "wait_mean_s" && truth?.replayed.length ? [errors(truth)] : []),
          ]),
        ]}
      />
      <p class="muted">
        Best mean JCT first; choose a column to sort by it.{" "}
        {hasSeeds(comparison)
          ? `Means over ${comparison.seeds.length} seeds, with ± half of the 95 % interval ` +
            `(Student's t) where it is above ${100 * LEAST_INTERVAL} % of the mean. ` +
            "Names lead to the run with the first seed."
          : "Names lead to the page of the run."}
      </p>
      <ul class="muted" id="notes">
        {comparison.notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </div>
  );
}

function happened(truth: Truth): Line {
  const figures = Object.entries(truth.figures).map(([key, mean]) => [key, { mean, ci95: 0 }]);
  return { name: "as it happened", lengths: "", figures: Object.fromEntries(figures) };
}

/** How far replays under policies that the site may have had are from the truth. */
function errors(truth: Truth): Column<Line> {
  const error = (line: Line) =>
    truth.replayed.find(({ policy }) => policy === line.name)?.wait_error ?? NaN;
  return {
    label: "wait off by",
    key: "wait_error",
    title: "mean wait of the replay, over what happened",
    value: error,
    show: (line) => (Number.isNaN(error(line)) ? "" : signedPercent(error(line))),
  };
}

function signedPercent(share: number): string {
  return `${share < 0 ? "−" : "+"}${percent(Math.abs(share))}`;
}

function column(metric: Metric, policies: ComparedPolicy[]): Column<Line> {
  const sorted = policies.map((policy) => mean(policy, metric.key)).sort((a, b) => a - b);
  const unit = timeUnit(sorted[sorted.length >> 1]);
  const isTime = metric.kind === "time";
  const text = (value: number) =>
    isTime ? number(value / unit.seconds) : shown(metric.kind, value);
  return {
    label: isTime ? `${metric.label}, ${unit.short}` : metric.label,
    key: metric.key,
    title: metric.title,
    value: (policy) => mean(policy, metric.key),
    show: (policy) => {
      if (Number.isNaN(mean(policy, metric.key))) {
        return "";
      }
      const interval = ci95(policy, metric.key);
      return (
        <span data-figure={`${policy.name} ${metric.key}`}>
          {text(mean(policy, metric.key))}
          {interval > 0 && <small> ± {text(interval)}</small>}
        </span>
      );
    },
  };
}
