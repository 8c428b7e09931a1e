import { useMemo, useState } from "preact/hooks";
import { count, duration } from "../ui/format";
import { Tiles, type Tile } from "../ui/layout";
import { Table, type Column } from "../ui/table";
import { Brand } from "../ui/logo";
import { toggleTheme } from "../ui/theme";
import {
  get,
  message,
  type Caller,
  type Node,
  type WatchedFragment,
  type WatchedJob,
  type WatchedNode,
  type WatchedPolicy,
  type WatchedQueue,
  type WatchedStart,
} from "./api";
import { Board, sharesOf, usePoll, type Row } from "./board";
import { Cells } from "./cells";
import { ClusterPicture } from "./cluster";

/** The server itself looks once a minute. */
const ASK_MS = 10_000;
const SHOWN_JOBS = 200;

/** The queue of another scheduler: a server that changes nothing has this one page. */
export function WatchPage({ caller }: { caller: Caller }) {
  const [queue, setQueue] = useState<WatchedQueue | null>(null);
  const [problem, setProblem] = useState("");
  const board = useMemo(() => new Board(caller), [caller]);
  const cells = useMemo(() => new Cells(false), [caller]);
  usePoll(
    async () => {
      try {
        const now = await get<WatchedQueue>("/queue");
        fill(board, now);
        setQueue(now);
        setProblem("");
      } catch (e) {
        setProblem(message(e));
      }
      return true;
    },
    ASK_MS,
    [board],
  );
  return (
    <>
      <div class="top">
        <Brand />
        <span role="status" class="connection" data-figure="looked">
          {queue === null ? "connecting…" : looked(queue)}
        </span>
        <span class="who" data-figure="caller">
          {caller.user} (looks on)
        </span>
        <button onClick={toggleTheme}>Light / dark</button>
      </div>
      <main class="overview">
        <h1 class="visually-hidden">Queue</h1>
        {[problem, queue?.trouble ?? ""]
          .filter((words) => words !== "")
          .map((words) => (
            <p key={words} class="fails" role="alert">
              {words}
            </p>
          ))}
        {queue !== null && queue.at_s !== null && (
          <Watched queue={queue} board={board} cells={cells} />
        )}
      </main>
    </>
  );
}

function Watched({ queue, board, cells }: { queue: WatchedQueue; board: Board; cells: Cells }) {
  cells.sync(board);
  return (
    <>
      <Tiles tiles={tilesOf(queue, cells)} />
      <section aria-label="Cluster">
        <ClusterPicture board={board} cells={cells} open={() => {}} />
      </section>
      <section aria-label="Jobs that wait">
        <h2>When jobs start, and why not now</h2>
        {queue.jobs.length === 0 ? (
          <p>No job waits.</p>
        ) : (
          <Table caption="jobs that wait" columns={JOBS} rows={queue.jobs} most={SHOWN_JOBS} />
        )}
      </section>
      {queue.fragments.length > 0 && (
        <section aria-label="Fragments">
          <h2>Free GPUs that no job which waits can use</h2>
          <Table caption="fragments" columns={FRAGMENTS} rows={queue.fragments} />
        </section>
      )}
      {queue.policies.length > 1 && (
        <section aria-label="Other policies">
          <h2>What other policies would do with this queue</h2>
          <Table caption="policies" columns={POLICIES} rows={queue.policies} />
        </section>
      )}
      <section aria-label="Notes">
        <h2>What this rests on</h2>
        <p>{queue.basis}</p>
        <ul>
          {queue.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
          <li>{queue.cost}</li>
        </ul>
      </section>
    </>
  );
}

const JOBS: Column<WatchedJob>[] = [
  { label: "Job", value: (job) => job.id },
  { label: "User", value: (job) => job.user },
  { label: "GPUs", value: (job) => job.gpus },
  {
    label: "Starts",
    value: (job) => job.start?.median_s ?? NaN,
    show: (job) => (job.start ? about(job.start) : "held"),
  },
  {
    label: "8 of 10 times",
    value: (job) => job.start?.high_s ?? NaN,
    show: (job) => (job.start ? between(job.start) : ""),
  },
  { label: "Why not now", value: (job) => job.why },
  {
    label: "What helps most",
    value: (job) => job.helps[0]?.change ?? "",
    show: ({ helps }) =>
      helps[0] ? `${helps[0].change}: ${duration(helps[0].sooner_s)} sooner` : "",
  },
];

const FRAGMENTS: Column<WatchedFragment>[] = [
  { label: "Server", value: (fragment) => fragment.server },
  { label: "Free", value: (fragment) => fragment.free_gpus },
  { label: "Of", value: (fragment) => fragment.gpus },
  { label: "Why", value: (fragment) => fragment.why },
];

const POLICIES: Column<WatchedPolicy>[] = [
  { label: "Policy", value: (policy) => policy.policy },
  {
    label: "Mean wait from now",
    value: (policy) => policy.mean_s,
    show: (policy) => duration(policy.mean_s),
  },
  { label: "Jobs sooner", value: (policy) => policy.sooner },
  { label: "Jobs later", value: (policy) => policy.later },
];

/** To the minute; with the day if it is not today. */
/** The words of `advise`. */
function about({ median_s: median }: WatchedStart): string {
  return median === null ? "not known" : clock(median);
}

function between({ low_s: low, high_s: high }: WatchedStart): string {
  return high === null ? `${clock(low)} or later` : `${clock(low)} – ${clock(high)}`;
}

function clock(seconds: number): string {
  if (seconds < Date.now() / 1000 + 30) {
    return "now";
  }
  const time = new Date(1000 * seconds);
  const today = time.toDateString() === new Date().toDateString();
  return time.toLocaleString("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    ...(today ? {} : { weekday: "short", day: "numeric", month: "short" }),
  });
}

function looked({ at_s, scheduler }: WatchedQueue): string {
  return at_s === null
    ? `${scheduler} has not answered yet…`
    : `${scheduler}, ${duration(Math.max(0, Math.round(Date.now() / 1000 - at_s)))} ago`;
}

function tilesOf(queue: WatchedQueue, cells: Cells): Tile[] {
  const out = queue.nodes.filter((node) => !node.takes_jobs).length;
  const held = queue.jobs.filter((job) => job.state === "held").length;
  const lost = queue.fragments.reduce((sum, fragment) => sum + fragment.free_gpus, 0);
  return [
    {
      key: "gpus",
      label: "GPUs held",
      value: `${count(cells.busy)} of ${count(cells.total)}`,
      note: lost > 0 ? `${count(lost)} free ones of no use now` : undefined,
    },
    {
      key: "servers",
      label: "Servers",
      value: count(queue.nodes.length),
      note: out > 0 ? `${count(out)} take no jobs` : "all take jobs",
    },
    { key: "running", label: "Jobs running", value: count(queue.running.length) },
    {
      key: "waiting",
      label: "Jobs waiting",
      value: count(queue.jobs.length - held),
      note: held > 0 ? `${count(held)} held` : undefined,
    },
    { key: "policy", label: "Policy", value: queue.policy },
  ];
}

/** Puts a queue on the board that the picture of the cluster draws. */
function fill(board: Board, queue: WatchedQueue) {
  board.rows.clear();
  queue.running.forEach((run) => {
    const row: Row = {
      id: numberOf(run.id),
      label: run.id,
      name: run.id,
      user: run.user,
      state: "running",
      reason: "",
      gpus: run.gpus,
      held: sharesOf(run.allocation),
      workers: run.gpus,
      attempt: 1,
      submitted: run.started_s,
      started: run.started_s,
      ended: NaN,
      done: 0,
      place: NaN,
      expectedStart: NaN,
      expectedEnd: NaN,
      version: 0,
      text: run.id,
    };
    board.rows.set(row.id, row);
  });
  board.nodes = queue.nodes.map(nodeOf);
  board.clusterVersion++;
  board.changed();
}

/** A job keeps its colour: a number of its own that follows from its name. */
function numberOf(id: string): number {
  let hash = 0;
  for (const letter of id) {
    hash = (31 * hash + letter.charCodeAt(0)) & 0x3fffffff;
  }
  return 1 + hash;
}

function nodeOf(node: WatchedNode): Node {
  return {
    name: node.name,
    gpus: node.gpus,
    free_gpus: node.free_gpus,
    up: node.is_up,
    drained: node.is_up && !node.takes_jobs,
    reason: node.reason,
    jobs: [],
    declared_gpus: null,
    gpu: null,
    cpus: null,
    memory_bytes: null,
    path: [],
    labels: {},
    others: { gpus: 0, cpus: 0, memory_bytes: 0 },
  };
}
