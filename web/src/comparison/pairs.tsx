import { useState } from "preact/hooks";
import type { Comparison, Members } from "../data";
import { count, duration, percent } from "../ui/format";
import { Table } from "../ui/table";
import { Differences } from "./differences";
import { Matrix } from "./matrix";
import { hasSeeds } from "./metrics";
import { pairOf, type Choice } from "./pairing";
import { signed, Words } from "./words";

/** The best beside what most sites have, or beside the next. */
function first({ policies }: Comparison): Choice {
  return {
    a: 0,
    b: Math.max(
      1,
      policies.findIndex((policy) => policy.name === "easy"),
    ),
  };
}

/** Two policies on the same jobs: who is better off, and at whose cost. */
export function PairsPart({ comparison }: { comparison: Comparison }) {
  const [choice, setChoice] = useState<Choice>(() => first(comparison));
  const pairs = comparison.pairs!;
  const pair = pairOf(pairs, comparison.policies.length, choice);
  const [a, b] = [comparison.policies[choice.a].name, comparison.policies[choice.b].name];
  // Choosing what the other select has swaps the two.
  const choose = (side: "a" | "b", value: number) =>
    setChoice((old) =>
      old[side === "a" ? "b" : "a"] === value ? { a: old.b, b: old.a } : { ...old, [side]: value },
    );
  const { sameSeconds, sameShare } = pairs;
  return (
    <>
      <p class="pair">
        <Select
          label="A"
          value={choice.a}
          comparison={comparison}
          onChange={(v) => choose("a", v)}
        />
        <Select
          label="B"
          value={choice.b}
          comparison={comparison}
          onChange={(v) => choose("b", v)}
        />
        <button onClick={() => setChoice({ a: choice.b, b: choice.a })}>Swap</button>
      </p>
      <Words comparison={comparison} choice={choice} />
      <p class="muted">
        Times that differ by at most {sameSeconds} s, or by 1/{count(1 / sameShare)} of the longer
        one, count as the same.
      </p>
      <Matrix comparison={comparison} choice={choice} onChoose={setChoice} />
      <Differences pairs={pairs} pair={pair} a={a} b={b} />
      <h3 class="sub">At whose cost</h3>
      <p class="muted">
        Mean JCT of the jobs of each kind, and the share of them that ends sooner or later under {a}{" "}
        than under {b}. Time alone is that in the best place, without waiting or neighbours.
      </p>
      <div class="columns names">
        <div>
          <Groups comparison={comparison} choice={choice} grouping={0} />
          <Groups comparison={comparison} choice={choice} grouping={1} />
        </div>
        {pairs.groupings[2].labels.length > 1 && (
          <Groups comparison={comparison} choice={choice} grouping={2} />
        )}
      </div>
      <div class="columns">
        <div>
          <h3 class="sub">Lose most under {a}</h3>
          <Named comparison={comparison} members={pair.losses} a={a} b={b} what="lose" />
        </div>
        <div>
          <h3 class="sub">Gain most under {a}</h3>
          <Named comparison={comparison} members={pair.gains} a={a} b={b} what="gain" />
        </div>
      </div>
    </>
  );
}

interface SelectProps {
  label: string;
  value: number;
  comparison: Comparison;
  onChange: (value: number) => void;
}

function Select({ label, value, comparison, onChange }: SelectProps) {
  return (
    <label>
      {label}{" "}
      <select
        name={`pair-${label.toLowerCase()}`}
        value={value}
        onChange={(event) => onChange(Number((event.target as HTMLSelectElement).value))}
      >
        {comparison.policies.map(({ name }, i) => (
          <option key={name} value={i}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

interface GroupsProps {
  comparison: Comparison;
  choice: Choice;
  grouping: number;
}

function Groups({ comparison, choice, grouping }: GroupsProps) {
  const pairs = comparison.pairs!;
  const pair = pairOf(pairs, comparison.policies.length, choice);
  const { title, labels, jobs, jctMean } = pairs.groupings[grouping];
  const [a, b] = [comparison.policies[choice.a].name, comparison.policies[choice.b].name];
  const rows = labels
    .map((label, g) => ({
      label,
      order: g,
      jobs: jobs[g],
      first: jctMean[choice.a][g],
      second: jctMean[choice.b][g],
      sooner: pair.soonerByGroup[grouping][g] / jobs[g],
      later: pair.laterByGroup[grouping][g] / jobs[g],
    }))
    .filter((row) => row.jobs > 0);
  type Row = (typeof rows)[number];
  return (
    <Table
      caption={`${a} against ${b} by ${title}`}
      file={`${a}-${b}-by-${title.split(" ")[0].toLowerCase()}`}
      rows={rows}
      columns={[
        { label: title, value: (r: Row) => r.label },
        { label: "jobs", value: (r) => r.jobs, show: (r) => count(r.jobs) },
        { label: `mean JCT, ${a}`, value: (r) => r.first, show: (r) => duration(r.first) },
        {
          label: b,
          key: `mean JCT, ${b}`,
          value: (r) => r.second,
          show: (r) => duration(r.second),
        },
        {
          label: `${a} − ${b}`,
          value: (r) => r.first - r.second,
          show: (r) => <Change of={r.first - r.second} base={r.second} />,
        },
        {
          label: "sooner",
          title: `jobs that end sooner under ${a}`,
          value: (r) => r.sooner,
          show: (r) => percent(r.sooner),
        },
        {
          label: "later",
          title: `jobs that end later under ${a}`,
          value: (r) => r.later,
          show: (r) => percent(r.later),
        },
      ]}
    />
  );
}

/** Less time is good, more is bad; the sign says so too. */
function Change({ of, base }: { of: number; base: number }) {
  const share = of / base;
  if (Math.abs(share) < 0.0005) {
    return <>{signed(of)} (0 %)</>;
  }
  return (
    <span class={share < 0 ? "good" : "bad"}>
      {signed(of)} ({share > 0 ? "+" : "−"}
      {percent(Math.abs(share))})
    </span>
  );
}

interface NamedProps {
  comparison: Comparison;
  members: Members;
  a: string;
  b: string;
  what: string;
}

function Named({ comparison, members, a, b, what }: NamedProps) {
  if (members.job.length === 0) {
    return <p class="muted">No job does.</p>;
  }
  const { named } = comparison.pairs!;
  const rows = members.job.map((job, i) => ({
    job,
    first: members.first[i],
    second: members.second[i],
  }));
  type Row = (typeof rows)[number];
  const users = rows.some((r) => named.user[r.job] !== "");
  return (
    <Table
      caption={`Jobs that ${what} most under ${a} against ${b}`}
      file={`${a}-${b}-${what}`}
      rows={rows}
      columns={[
        { label: "job", value: (r: Row) => named.id[r.job] },
        ...(hasSeeds(comparison) ? [{ label: "seed", value: (r: Row) => named.seed[r.job] }] : []),
        ...(users ? [{ label: "user", value: (r: Row) => named.user[r.job] }] : []),
        { label: "GPUs", value: (r) => named.gpus[r.job] },
        {
          label: "alone",
          title: "time alone in the best place",
          value: (r) => named.ideal[r.job],
          show: (r) => duration(named.ideal[r.job]),
        },
        { label: `JCT, ${a}`, value: (r) => r.first, show: (r) => duration(r.first) },
        { label: b, key: `JCT, ${b}`, value: (r) => r.second, show: (r) => duration(r.second) },
        {
          label: `${a} − ${b}`,
          value: (r) => r.first - r.second,
          show: (r) => signed(r.first - r.second),
        },
      ]}
    />
  );
}
