import type { Run, Segments } from "../data";
import { count, duration, moment, number } from "../ui/format";

export type Fact = [label: string, value: string];

const MOST_SERVERS = 4;

/** What there is to tell of a job, and of what it holds at a time. */
export function jobFacts(run: Run, segments: Segments, rows: number[], time: number): Fact[] {
  const { jobs } = segments;
  const job = segments.job[rows[0]];
  const now = rows.filter((i) => segments.start[i] <= time && time < segments.end[i]);
  const held = now.reduce((sum, i) => sum + segments.gpus[i], 0);
  const servers = now.map(
    (i) => `${run.cluster.servers[segments.server[i]]} (${segments.gpus[i]})`,
  );
  const more = servers.length - MOST_SERVERS;
  const shown = servers.slice(0, MOST_SERVERS).join(", ") + (more > 0 ? ` and ${more} more` : "");
  const facts: Fact[] = [
    ["Job", jobs.id[job]],
    ["User", run.users[jobs.user[job]] ?? ""],
    ["Model", jobs.model[job] ?? ""],
    ["GPUs", `asked for ${count(jobs.gpus[job])}, holds ${count(held)}`],
    [servers.length === 1 ? "Server (GPUs)" : "Servers (GPUs)", shown],
    ["Submitted", `${moment(jobs.submit[job] - run.start)} after the start`],
    ["Waited", duration(jobs.wait[job])],
    ["Ran", duration(timeHeld(segments, rows))],
    ["Slowdown", `${number(jobs.slowdown[job])} ×`],
    ["Restarts", count(jobs.restarts[job])],
  ];
  return facts.filter(([, value]) => value !== "");
}

/** How long a job held anything. */
function timeHeld(segments: Segments, rows: number[]): number {
  let sum = 0;
  let until = -Infinity;
  for (const i of [...rows].sort((a, b) => segments.start[a] - segments.start[b])) {
    sum += Math.max(0, segments.end[i] - Math.max(until, segments.start[i]));
    until = Math.max(until, segments.end[i]);
  }
  return sum;
}

export function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl class="cluster-facts">
      {facts.map(([label, value]) => (
        <>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}

export function spoken(facts: Fact[]): string {
  return facts.map(([label, value]) => `${label}: ${value}`).join(". ");
}
