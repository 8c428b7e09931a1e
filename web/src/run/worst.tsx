import type { WaitReason, WorstServed as Row } from "../data";
import { count, duration, moment, number, percent, slug } from "../ui/format";
import { csv, saveText } from "../ui/save";
import { Table } from "../ui/table";
import { category } from "../ui/theme";

interface Kind {
  reason: WaitReason;
  label: string;
  meaning: string;
}

const KINDS: Kind[] = [
  {
    reason: "capacity",
    label: "no capacity",
    meaning:
      "Fewer GPUs were free in the whole cluster than the job needs, or too few with the CPUs and the memory it asks for.",
  },
  {
    reason: "fragmented",
    label: "fragmented",
    meaning:
      "Enough GPUs were free, but spread over servers in a way that the placement rule of this run does not use.",
  },
  {
    reason: "placement",
    label: "held for a better placement",
    meaning:
      "Enough GPUs were free, but on more servers than the job needs in an empty cluster. The policy could have started it scattered and did not.",
  },
  {
    reason: "behind",
    label: "behind others",
    meaning:
      "The job would have fitted. The policy kept the GPUs for another job: the one, of all that waited, that got GPUs next. “Held back” means that no such job is seen: the policy waited for the end of a slot, for a gate, or for its own plan.",
  },
];

/** How many jobs are shown until a reader asks for all. */
const SHOWN = 12;

/** How many of those whom a job waited behind a cell names. */
const NAMED = 2;

/** A smaller share would be told as 0.0 %. */
const LEAST_SHARE = 0.0005;

/** The jobs that waited longest for their length, and why. */
export function WorstServed({ rows, start }: { rows: Row[]; start: number }) {
  if (rows.length === 0) {
    return <p>No job waited.</p>;
  }
  return (
    <>
      <p>
        The jobs with the greatest <em>stretch</em>: the time from submission to end over the time
        the job takes alone, well placed. Jobs shorter than ten minutes count as ten minutes long.{" "}
        {total(rows)}
      </p>
      <Table
        caption="The worst-served jobs and why they waited"
        rows={rows}
        most={SHOWN}
        columns={[
          { label: "job", value: (r) => r.id },
          ...(rows.some((r) => r.user) ? [{ label: "user", value: (r: Row) => r.user }] : []),
          { label: "GPUs", value: (r) => r.gpus, show: (r) => count(r.gpus) },
          {
            label: "submitted",
            value: (r) => r.submit,
            show: (r) => moment(r.submit - start),
            title: "after the start: the first submission",
          },
          { label: "waited", value: (r) => r.wait, show: (r) => duration(r.wait) },
          { label: "stretch", value: (r) => r.stretch, show: (r) => `${number(r.stretch)} x` },
          {
            label: "overtaken by",
            value: (r) => r.overtaken,
            show: (r) =>
              r.overtaken === 0
                ? "none"
                : `${count(r.overtaken)} ${r.overtaken === 1 ? "job" : "jobs"}`,
            title: "jobs that came later and started while it waited",
          },
          { label: "why it waited", value: (r) => longest(r).label, show: (r) => <Why row={r} /> },
        ]}
      />
      <div class="tools save">
        <button
          onClick={() => saveText(file(), table(rows), "text/csv")}
          aria-label="Save the worst-served jobs as CSV"
        >
          CSV
        </button>
      </div>
      <dl class="meanings">
        {KINDS.filter((kind) => rows.some((row) => seconds(row, kind.reason) > 0)).map((kind) => (
          <div key={kind.reason}>
            <dt>
              <Swatch reason={kind.reason} />
              {kind.label}
            </dt>
            <dd>{kind.meaning}</dd>
          </div>
        ))}
      </dl>
      <p class="muted">
        The reasons are read off the finished schedule, moment by moment. Where more than one holds,
        the first of this list is told. A job is overtaken by those that came later and started
        while it waited: where they are many and the reason is no capacity, what came free went to
        them.
      </p>
    </>
  );
}

function Why({ row }: { row: Row }) {
  return (
    <div class="why">
      <div class="bar" aria-hidden>
        {row.reasons.map(({ reason, seconds }) => (
          <i key={reason} style={{ flexGrow: seconds / row.wait, background: colour(reason) }} />
        ))}
      </div>
      {row.reasons.map(({ reason, seconds }, i) => (
        <span key={reason}>
          {i > 0 && " · "}
          <Swatch reason={reason} />
          {reason === "behind"
            ? behind(row, seconds)
            : `${kind(reason).label} ${duration(seconds)}`}
        </span>
      ))}
    </div>
  );
}

/** "behind a (8 GPUs) 2 h, b (1 GPU) 1 h, 7 others 3 h; held back 5 min". */
function behind(row: Row, seconds: number): string {
  const named = row.behind.slice(0, NAMED);
  const others = seconds - row.heldBack - named.reduce((sum, other) => sum + other.seconds, 0);
  const whom = named.map(
    (other) =>
      `${other.id} (${count(other.gpus)} ${other.gpus === 1 ? "GPU" : "GPUs"}) ${duration(other.seconds)}`,
  );
  if (row.behindJobs > named.length) {
    const more = row.behindJobs - named.length;
    whom.push(`${count(more)} ${more === 1 ? "other" : "others"} ${duration(others)}`);
  }
  const parts = whom.length > 0 ? [`behind ${whom.join(", ")}`] : [];
  if (row.heldBack > 0) {
    parts.push(`held back ${duration(row.heldBack)}`);
  }
  return parts.join("; ");
}

function Swatch({ reason }: { reason: WaitReason }) {
  return <i class="swatch" style={{ background: colour(reason) }} aria-hidden />;
}

function colour(reason: WaitReason): string {
  return category(KINDS.findIndex((kind) => kind.reason === reason));
}

function kind(reason: WaitReason): Kind {
  return KINDS.find((kind) => kind.reason === reason)!;
}

function seconds(row: Row, reason: WaitReason): number {
  return row.reasons.find((r) => r.reason === reason)?.seconds ?? 0;
}

function longest(row: Row): Kind {
  return kind(row.reasons.reduce((a, b) => (b.seconds > a.seconds ? b : a)).reason);
}

function total(rows: Row[]): string {
  const wait = rows.reduce((sum, row) => sum + row.wait, 0);
  const shares = KINDS.map(({ reason, label }) => ({
    label,
    share: rows.reduce((sum, row) => sum + seconds(row, reason), 0) / wait,
  })).filter(({ share }) => share >= LEAST_SHARE);
  const told = shares.map(({ label, share }) => `${percent(share)} ${label}`).join(", ");
  return rows.length === 1
    ? `One job waited, for ${duration(wait)}: ${told}.`
    : `Together these ${rows.length} waited ${duration(wait)}: ${told}.`;
}

function file(): string {
  return `${slug(`${document.title.split(" · ")[0]}-worst-served`)}.csv`;
}

function table(rows: Row[]): string {
  return csv(
    [
      ...["job_id", "user", "gpus", "submit_s", "start_s", "finish_s", "wait_s", "stretch"],
      ...["restarts", "overtaken", ...KINDS.map(({ reason }) => `${reason}_s`), "held_back_s"],
      ...["behind_jobs", "behind_longest", "behind_longest_s"],
    ],
    rows.map((r) => [
      ...[r.id, r.user, r.gpus, r.submit, r.start, r.finish, r.wait, r.stretch],
      ...[r.restarts, r.overtaken, ...KINDS.map(({ reason }) => seconds(r, reason)), r.heldBack],
      r.behindJobs,
      r.behind.map((other) => other.id).join(" "),
      r.behind.map((other) => other.seconds).join(" "),
    ]),
  );
}
