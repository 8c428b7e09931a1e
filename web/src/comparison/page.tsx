import "./comparison.css";
import type { Comparison, SearchedBound } from "../data";
import { count, duration, number } from "../ui/format";
import { Layout, Tiles, type Tile } from "../ui/layout";
import { Distributions } from "./distributions";
import { BoundDots, MetricDots } from "./dots";
import { mean } from "./metrics";
import { PairsPart } from "./pairs";
import { PicturesPart } from "./pictures";
import { PolicyTable } from "./policies";
import { Sources } from "./sources";

export function ComparisonPage({ comparison }: { comparison: Comparison }) {
  const { pairs, policies } = comparison;
  return (
    <Layout
      title={comparison.title}
      lead={`${comparison.lead}.`}
      parts={[
        {
          title: "Policies",
          content: (
            <>
              <PolicyTable comparison={comparison} />
              <div class="columns">
                <MetricDots comparison={comparison} />
                <BoundDots comparison={comparison} />
              </div>
              <Searched comparison={comparison} />
            </>
          ),
        },
        { title: "Distributions", content: <Distributions comparison={comparison} /> },
        {
          title: "Pairs",
          content: pairs ? (
            <PairsPart comparison={comparison} />
          ) : policies.length > 1 ? (
            <p>
              All runs together have over {count(comparison.mostJobsKept)} jobs, so policies were
              not compared job by job. Compare fewer policies or seeds at a time.
            </p>
          ) : null,
        },
        {
          title: "Cluster",
          content: comparison.pictures ? <PicturesPart comparison={comparison} /> : null,
        },
      ]}
      footer={<Sources comparison={comparison} />}
    >
      <Tiles tiles={tiles(comparison)} />
    </Layout>
  );
}

/** Policies that differ by less are no better or worse. */
const TIE = 1e-6;

function tiles(comparison: Comparison): Tile[] {
  const { policies, boundJct, boundMakespan } = comparison;
  const tile = (key: string, label: string, show: (v: number) => string): Tile => {
    const best = Math.min(...policies.map((policy) => mean(policy, key)));
    const first = policies.filter((policy) => mean(policy, key) - best <= TIE * best);
    const names = first.map((policy) => policy.name);
    return names.length === 1
      ? { key, label, value: names[0], note: show(best) }
      : {
          key,
          label,
          value: names.length === policies.length ? "all the same" : `a tie of ${names.length}`,
          note: `${show(best)}: ${names.join(", ")}`,
        };
  };
  const over = (bound: number) => (value: number) =>
    `${duration(value)}, ${number(value / bound)} x the lower bound`;
  return [
    tile("jct_mean_s", "best mean JCT", over(boundJct)),
    tile("jct_p95_s", "best 95th percentile", duration),
    tile("wait_mean_s", "best mean wait", duration),
    tile("makespan_s", "best makespan", over(boundMakespan)),
  ];
}

/** What was proved of schedules that do not stop jobs. */
function Searched({ comparison }: { comparison: Comparison }) {
  return (
    <>
      {comparison.noPreemptionBounds.map(({ makespan, mean_jct, seconds }, i) => (
        <p key={i}>
          Of schedules that do not stop jobs, none has a mean JCT below{" "}
          {duration(mean_jct.no_preemption_s)} ({found(mean_jct)}) or a makespan below{" "}
          {duration(makespan.no_preemption_s)} ({found(makespan)}). Searched for {duration(seconds)}
          .
        </p>
      ))}
    </>
  );
}

function found({ best_found_s, status }: SearchedBound): string {
  return best_found_s === undefined
    ? "nothing was searched: too many jobs, or more than GPUs is limited"
    : `best found ${duration(best_found_s)}, ${status === "optimal" ? "proved" : "not proved"} to be the best`;
}
