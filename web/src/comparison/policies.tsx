import type { ComparedPolicy, Comparison } from "../data";
import { timeUnit, number } from "../ui/format";
import { Table, type Column } from "../ui/table";
import { ci95, hasSeeds, LEAST_INTERVAL, mean, METRICS, shown, type Metric } from "./metrics";

/** Every policy with the figures that the command prints. */
export function PolicyTable({ comparison }: { comparison: Comparison }) {
  const { policies } = comparison;
  const metrics = METRICS.filter((metric) => metric.key in policies[0].figures);
  return (
    <div class="names">
      <Table
        caption="Figures of each policy"
        file="policies"
        rows={policies}
        columns={[
          {
            label: "policy",
            value: (policy) => policy.name,
            show: (policy) => <a href={`${policy.folder}/report.html`}>{policy.name}</a>,
          },
          ...metrics.map((metric) => column(metric, policies)),
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
    </div>
  );
}

function column(metric: Metric, policies: ComparedPolicy[]): Column<ComparedPolicy> {
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
