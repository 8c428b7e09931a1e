import { useMemo } from "preact/hooks";
import type { ExperimentCheck, Reproduction } from "../data";
import { count, number } from "../ui/format";
import { Layout } from "../ui/layout";
import { Table } from "../ui/table";
import { Beside, withPaper } from "./beside";
import { Numbers } from "./numbers";
import { ExperimentFigure } from "./plots";
import { rowsOf } from "./rows";

/** So near to the paper's figure counts as near. */
const NEAR = 0.1;

/** The page of a paper's experiment that was run again. */
export function ReproductionPage({ reproduction }: { reproduction: Reproduction }) {
  const { about, source, draws, plots, checks, docs, experiment, version } = reproduction;
  const names = reproduction.rows.settings.map((setting) => setting.name);
  const known = useMemo(() => withPaper(rowsOf(reproduction.rows)), [reproduction]);
  return (
    <Layout
      title={reproduction.title}
      lead={
        <>
          {about} Source: {source}.
        </>
      }
      parts={[
        {
          title: "Plots",
          content: (
            <div class="columns">
              {plots.map((plot) => (
                <ExperimentFigure key={plot.name} plot={plot} />
              ))}
            </div>
          ),
        },
        {
          title: "Beside the paper",
          content: known.length > 0 ? <Beside names={names} rows={known} /> : null,
        },
        {
          title: "Expected",
          content: checks.length > 0 ? <Checks checks={checks} /> : null,
        },
        { title: "Numbers", content: <Numbers reproduction={reproduction} /> },
      ]}
      footer={
        <>
          Ringmaster {version}. Made by{" "}
          <code>
            ringmaster reproduce {experiment} --draws {draws}
          </code>
          . The same numbers are in results.json.
        </>
      }
    >
      <p>{outcome(reproduction, known)}</p>
      <p class="muted">
        {draws === 1
          ? "Each figure is of a single draw, so none has an interval."
          : `Each figure is the mean of ${count(draws)} draws of random jobs; ± is half of the 95 % confidence interval of that mean.`}{" "}
        What differs from the paper, and why, is explained in {docs} of the repository.
      </p>
    </Layout>
  );
}

/** How it came out, in a sentence or two. */
function outcome(reproduction: Reproduction, known: ReturnType<typeof withPaper>): string {
  const { rows, checks } = reproduction;
  const near = known.filter((row) => Math.abs(row.mean / row.paper - 1) <= NEAR).length;
  const held = checks.filter((check) => check.holds).length;
  const said = [
    known.length > 0
      ? `The paper has ${known.length} of these ${count(rows.policy.length)} figures; ours is within 10 % of it for ${near || "none"}.`
      : `${count(rows.policy.length)} figures, none of which the paper's text to hand has.`,
  ];
  if (checks.length > 0) {
    said.push(`${held} of ${checks.length} expectations hold.`);
  }
  return said.join(" ");
}

/** What was expected of the numbers. */
function Checks({ checks }: { checks: ExperimentCheck[] }) {
  return (
    <Table
      caption="What was expected of the numbers"
      columns={[
        { label: "expected", value: (check) => check.what },
        { label: "at most", value: (check) => check.limit, show: (check) => number(check.limit) },
        {
          label: "measured",
          value: (check) => check.measured,
          show: (check) => check.measured.toFixed(3),
        },
        {
          label: "result",
          value: (check) => (check.holds ? "holds" : "does not hold"),
          show: (check) => (
            <span class={check.holds ? "holds" : "fails"}>
              {check.holds ? "✓ holds" : "✗ does not hold"}
            </span>
          ),
        },
      ]}
      rows={checks}
    />
  );
}
