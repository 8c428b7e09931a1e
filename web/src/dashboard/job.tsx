import { useState } from "preact/hooks";
import { duration } from "../ui/format";
import { Table, type Column } from "../ui/table";
import {
  get,
  message,
  Refused,
  send,
  type Curve,
  type Entry,
  type Explanation,
  type Job,
  type JobWithHistory,
} from "./api";
import { doneOf, holds, isOver, sharesOf, useBoard, usePoll, type Board } from "./board";
import { CurveFigure } from "./curve";
import { ProgressBar, State } from "./jobs";
import { LogTail, LogViewer } from "./log";
import { clock } from "./moments";

const POLL_MS = 1000;
const CURVE_MS = 2000;
const EXPLAIN_MS = 5000;

/** A job: what it does, how far it is, what it printed, why it is where it is. */
export function JobPage({ board, id }: { board: Board; id: number }) {
  const [job, setJob] = useState<JobWithHistory | null>(null);
  const [problem, setProblem] = useState("");
  useBoard(board);
  // An event of this job is a reason to look at once.
  const version = board.rows.get(id)?.version ?? 0;
  usePoll(
    async () => {
      try {
        const found = await get<JobWithHistory>(`/jobs/${id}`);
        // An answer that was overtaken says nothing new.
        setJob((old) => (old && old.history.length > found.history.length ? old : found));
        setProblem("");
        return !isOver(found.state);
      } catch (e) {
        setProblem(message(e));
        return !(e instanceof Refused && e.status === 404);
      }
    },
    POLL_MS,
    [id, version],
  );
  return (
    <main class="job-page">
      <p>
        <a href="#/">All jobs</a>
      </p>
      {problem !== "" && (
        <p class="fails" role="alert">
          {problem}
        </p>
      )}
      {job && (
        <Details board={board} job={job} onChange={(changed) => setJob({ ...job, ...changed })} />
      )}
    </main>
  );
}

interface DetailsProps {
  board: Board;
  job: JobWithHistory;
  onChange: (job: Job) => void;
}

function Details({ board, job, onChange }: DetailsProps) {
  const row = board.rows.get(job.id);
  const progress = row && job.done === 0 ? doneOf(row) : { done: job.done };
  return (
    <>
      <h1>
        {job.name} <span class="muted">job {job.id}</span>
      </h1>
      <p class="lead" data-figure="state">
        <State state={job.state} />: {job.reason}
      </p>
      {(job.state === "failed" || job.state === "timed-out") && <LogTail job={job} />}
      <div class="job-head">
        <ProgressBar {...progress} />
        {!isOver(job.state) && <Cancel id={job.id} onCancelled={onChange} />}
      </div>
      <div class="columns">
        <Facts job={job} />
        <Explained job={job} />
      </div>
      <Progress job={job} />
      <section>
        <h2>Log</h2>
        <LogViewer job={job} />
      </section>
      <section>
        <h2>History</h2>
        <Table
          caption="History"
          columns={HISTORY}
          rows={job.history}
          file={`job-${job.id}-history`}
        />
      </section>
      <section>
        <h2>What was asked for</h2>
        <pre class="spec">{JSON.stringify(job.spec, null, 2)}</pre>
      </section>
    </>
  );
}

const HISTORY: Column<Entry>[] = [
  { label: "Time", key: "at_s", value: (entry) => clock(entry.at_s) },
  { label: "State", value: (entry) => entry.to, show: (entry) => <State state={entry.to} /> },
  { label: "Attempt", value: (entry) => entry.attempt },
  { label: "Where", key: "allocation", value: (entry) => entry.allocation ?? "–" },
  { label: "Reason", value: (entry) => entry.reason },
];

const several = (n: number, what: string) => `${n} ${what}${n === 1 ? "" : "s"}`;

function Facts({ job }: { job: Job }) {
  const shares = sharesOf(job.allocation);
  const range = job.min_gpus === job.max_gpus ? "" : ` (${job.min_gpus} to ${job.max_gpus})`;
  const facts: [string, string][] = [
    ["User", job.user],
    ["GPUs asked for", `${job.gpus}${range}`],
    [
      holds(job.state) ? "Runs on" : "Is to run on",
      shares.map(([node, n]) => `${node}: ${n}`).join(", "),
    ],
    ["Submitted", clock(job.submitted_s)],
    ["First ran", job.started_s === null ? "" : clock(job.started_s)],
    ["Ended", job.ended_s === null ? "" : clock(job.ended_s)],
    ["Ran for", job.ran_s > 0 ? duration(job.ran_s) : ""],
    [
      "Attempts",
      [job.attempt, several(job.restarts, "restart"), several(job.failures, "failure")].join(", "),
    ],
    ["Lost to restarts", job.restart_s > 0 ? duration(job.restart_s) : ""],
    [
      "Work to do again",
      job.lost_s > 0 ? `${duration(job.lost_s)}, ${duration(job.lost_gpu_s)} of GPU time` : "",
    ],
    ["Priority", job.priority === 0 ? "" : String(job.priority)],
    ["Exit code", job.exit_code === null ? "" : String(job.exit_code)],
  ];
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== "")
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

function Explained({ job }: { job: Job }) {
  const [explanation, setExplanation] = useState<Explanation | null>(null);
  const over = isOver(job.state);
  usePoll(
    async () => {
      if (over) {
        return false;
      }
      setExplanation(await get<Explanation>(`/jobs/${job.id}/explain`));
      return true;
    },
    EXPLAIN_MS,
    [job.id, job.state],
  );
  if (over || explanation === null) {
    return null;
  }
  const { why, ahead, predicted_start_s: start, predicted_end_s: end, basis } = explanation;
  const when = (seconds: number) => {
    const left = seconds - Date.now() / 1000;
    return `${clock(seconds)}, ${left > 0 ? `in about ${duration(left)}` : "by now"}`;
  };
  return (
    <section class="explained" aria-label="Why">
      {why.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <dl class="facts">
        {start !== null && !holds(job.state) && (
          <div>
            <dt>Start</dt>
            <dd>
              {when(start)}
              {ahead > 0 && `; ${ahead} before it`}
            </dd>
          </div>
        )}
        {end !== null && (
          <div>
            <dt>End</dt>
            <dd>{when(end)}</dd>
          </div>
        )}
      </dl>
      <p class="muted">Rests on {basis}.</p>
    </section>
  );
}

function Cancel({ id, onCancelled }: { id: number; onCancelled: (job: Job) => void }) {
  const [asked, setAsked] = useState(false);
  const [problem, setProblem] = useState("");
  async function cancel() {
    try {
      onCancelled(await send<Job>("POST", `/jobs/${id}/cancel`, "{}"));
      setAsked(false);
    } catch (e) {
      setProblem(message(e));
    }
  }
  return (
    <span class="tools">
      {asked ? (
        <>
          <span>Stop job {id} for good?</span>
          <button class="danger" onClick={() => void cancel()}>
            Yes, cancel it
          </button>
          <button onClick={() => setAsked(false)}>No</button>
        </>
      ) : (
        <button onClick={() => setAsked(true)}>Cancel job</button>
      )}
      <span class="fails" role="alert">
        {problem}
      </span>
    </span>
  );
}

function Progress({ job }: { job: Job }) {
  const [curve, setCurve] = useState<Curve | null>(null);
  usePoll(
    async () => {
      setCurve(await get<Curve>(`/jobs/${job.id}/progress?points=1000`));
      return !isOver(job.state);
    },
    CURVE_MS,
    [job.id, job.attempt, isOver(job.state)],
  );
  return curve && curve.points.length > 0 ? <CurveFigure curve={curve} /> : null;
}
