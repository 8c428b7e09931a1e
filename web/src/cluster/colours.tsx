import type { Run } from "../data";
import { CATEGORIES, category, OTHERS, ramp } from "../ui/theme";

export type ColourBy = "size" | "user";

const OTHER_USERS = "all others";

export interface LegendEntry {
  colour: string;
  label: string;
}

/** A colour for each size class or each user of a run. */
export function coloursOf(run: Run, by: ColourBy): string[] {
  return by === "size" ? ramp(run.sizes.length) : run.users.map((_, i) => category(i));
}

/** Users without a colour of their own are told of as one. */
export function userLabel(run: Run, i: number): string {
  return i < CATEGORIES.length || run.users.length === i + 1 ? run.users[i] : OTHER_USERS;
}

export function legendOf(run: Run, by: ColourBy): LegendEntry[] {
  const colours = coloursOf(run, by);
  if (by === "size") {
    return run.sizes.map((label, i) => ({ colour: colours[i], label }));
  }
  const named = run.users.slice(0, CATEGORIES.length);
  const entries = named.map((label, i) => ({ colour: colours[i], label }));
  return run.users.length > named.length
    ? [...entries, { colour: OTHERS, label: OTHER_USERS }]
    : entries;
}

export function Legend({ title, entries }: { title: string; entries: LegendEntry[] }) {
  return (
    <div class="legend cluster-legend">
      <span>{title}</span>
      {entries.map(({ colour, label }) => (
        <span key={label}>
          <i style={{ background: colour }} />
          {label}
        </span>
      ))}
    </div>
  );
}

const CHOICES: [ColourBy, string][] = [
  ["size", "Size"],
  ["user", "User"],
];

export function ColourChoice(props: { by: ColourBy; onChange: (by: ColourBy) => void }) {
  return (
    <span class="tools" role="group" aria-label="Colour by">
      <span class="muted">Colour by</span>
      {CHOICES.map(([by, label]) => (
        <button key={by} aria-pressed={props.by === by} onClick={() => props.onChange(by)}>
          {label}
        </button>
      ))}
    </span>
  );
}

/** The key to the colours, with what is idle. */
export function ClusterLegend({ run, by }: { run: Run; by: ColourBy }) {
  return (
    <Legend
      title={by === "size" ? "GPUs that the job asked for:" : "User:"}
      entries={[...legendOf(run, by), { colour: "var(--idle)", label: "idle" }]}
    />
  );
}
