import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { count, duration, percent } from "../ui/format";
import { get } from "./api";
import {
  ENDED_STATES,
  holds,
  isOver,
  OPEN_STATES,
  useBoard,
  usePoll,
  WAITING_STATES,
  type Board,
  type Row,
} from "./board";

const ROW_HEIGHT = 30;
const HEIGHT = 560;
/** Rows beyond the edges, so that a quick scroll shows no gap. */
const SPARE = 6;

/** With many jobs, the order is worked out again so often at most. */
const ORDER_MS = 300;
const PROGRESS_MS = 1000;

type Sort = "id" | "name" | "user" | "state" | "gpus" | "done" | "time";

const COLUMNS: [sort: Sort, label: string, kind: string][] = [
  ["id", "Job", "number"],
  ["name", "Name", "name"],
  ["user", "User", "user"],
  ["state", "State", "state"],
  ["gpus", "GPUs", "number"],
  ["done", "Done", "done"],
  ["time", "Time", "number time"],
];

const STATE_ORDER = new Map([...OPEN_STATES, ...ENDED_STATES].map((state, i) => [state, i]));

const KEYS: Record<Sort, (row: Row) => number | string> = {
  id: (row) => row.id,
  name: (row) => row.name.toLowerCase(),
  user: (row) => row.user,
  state: (row) => STATE_ORDER.get(row.state) ?? 99,
  gpus: (row) => row.workers || row.gpus,
  done: (row) => row.done,
  time: (row) => timeOf(row),
};

/** How long it ran; or how long it waits. */
function timeOf(row: Row): number {
  const now = Date.now() / 1000;
  return Number.isNaN(row.started)
    ? (Number.isNaN(row.ended) ? now : row.ended) - row.submitted
    : (Number.isNaN(row.ended) ? now : row.ended) - row.started;
}

interface Filter {
  text: string;
  user: string;
  state: string;
}

const GROUPS: [value: string, label: string, states: string[]][] = [
  ["all", "All states", []],
  ["open", "Open", OPEN_STATES],
  ["waiting", "Waiting", WAITING_STATES],
  ["holding", "Holding GPUs", OPEN_STATES.filter(holds)],
  ["ended", "Ended", ENDED_STATES],
];

export function selected(rows: Iterable<Row>, filter: Filter): Row[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const group = GROUPS.find(([value]) => value === filter.state);
  const states = new Set(group ? group[2] : [filter.state]);
  const found: Row[] = [];
  for (const row of rows) {
    if (
      (states.size === 0 || states.has(row.state)) &&
      (filter.user === "" || row.user === filter.user) &&
      words.every((word) => row.text.includes(word) || row.state.includes(word))
    ) {
      found.push(row);
    }
  }
  return found;
}

export function sorted(rows: Row[], sort: Sort, descending: boolean): Row[] {
  const key = KEYS[sort];
  const keyed = rows.map((row): [number | string, Row] => [key(row), row]);
  const sign = descending ? -1 : 1;
  keyed.sort(([a, x], [b, y]) => (a < b ? -sign : a > b ? sign : y.id - x.id));
  return keyed.map(([, row]) => row);
}

/** What is chosen stays while the tab is open: who comes back from a job finds the same list. */
const remembered = {
  filter: { text: "", user: "", state: "all" } as Filter,
  sort: { by: "id" as Sort, descending: true },
  top: 0,
};

/** All open jobs and those that ended lately. Only the rows in sight are in the page. */
export function JobTable({ board }: { board: Board }) {
  useBoard(board, ORDER_MS);
  const [filter, setFilter] = useState(remembered.filter);
  const [sort, setSort] = useState(remembered.sort);
  const rows = useMemo(
    () => sorted(selected(board.rows.values(), filter), sort.by, sort.descending),
    [board, filter, sort, board.jobsVersion],
  );
  const users = useMemo(
    () => [...new Set([...board.rows.values()].map((row) => row.user))].sort(),
    [board, board.rows.size],
  );
  useEffect(() => {
    remembered.filter = filter;
    remembered.sort = sort;
  }, [filter, sort]);
  const change = (part: Partial<Filter>) => setFilter((old) => ({ ...old, ...part }));
  return (
    <>
      <div class="tools filters" role="search" aria-label="Jobs">
        <input
          type="search"
          placeholder="Filter by id, name, user or state"
          aria-label="Filter jobs"
          value={filter.text}
          onInput={(event) => change({ text: event.currentTarget.value })}
        />
        <select
          aria-label="User"
          value={filter.user}
          onChange={(event) => change({ user: event.currentTarget.value })}
        >
          <option value="">All users</option>
          {users.map((user) => (
            <option key={user}>{user}</option>
          ))}
        </select>
        <select
          aria-label="State"
          value={filter.state}
          onChange={(event) => change({ state: event.currentTarget.value })}
        >
          {GROUPS.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
          {[...OPEN_STATES, ...ENDED_STATES].map((state) => (
            <option key={state}>{state}</option>
          ))}
        </select>
        <span class="muted" role="status" data-figure="shown">
          {board.loaded ? `${count(rows.length)} of ${count(board.rows.size)} jobs` : "Loading…"}
        </span>
      </div>
      <Rows board={board} rows={rows} sort={sort} onSort={setSort} />
    </>
  );
}

interface RowsProps {
  board: Board;
  rows: Row[];
  sort: { by: Sort; descending: boolean };
  onSort: (sort: { by: Sort; descending: boolean }) => void;
}

function Rows({ board, rows, sort, onSort }: RowsProps) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(remembered.top);
  const shown = Math.ceil(HEIGHT / ROW_HEIGHT) + 2 * SPARE;
  const first = Math.max(0, Math.min(Math.floor(top / ROW_HEIGHT) - SPARE, rows.length - shown));
  const seen = rows.slice(first, first + shown);
  useBoard(board);
  useTick();
  useProgress(board, seen);
  useLayoutEffect(() => {
    box.current!.scrollTop = remembered.top;
  }, []);
  const above = first * ROW_HEIGHT;
  const below = Math.max(0, rows.length - first - shown) * ROW_HEIGHT;
  return (
    <div
      class="job-rows"
      ref={box}
      tabIndex={0}
      role="region"
      aria-label="Jobs"
      onScroll={() => {
        remembered.top = box.current!.scrollTop;
        setTop(remembered.top);
      }}
    >
      <table aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {COLUMNS.map(([by, label, kind]) => (
              <th
                key={by}
                scope="col"
                class={kind}
                aria-sort={
                  sort.by !== by ? undefined : sort.descending ? "descending" : "ascending"
                }
              >
                <button
                  onClick={() =>
                    onSort({ by, descending: sort.by === by ? !sort.descending : by === "id" })
                  }
                >
                  {label}
                  {sort.by === by && <span aria-hidden>{sort.descending ? " ↓" : " ↑"}</span>}
                </button>
              </th>
            ))}
            <th scope="col" class="reason">
              Reason
            </th>
          </tr>
        </thead>
        <tbody>
          {above > 0 && (
            <tr aria-hidden>
              <td colSpan={COLUMNS.length + 1} style={{ height: `${above}px` }} />
            </tr>
          )}
          {seen.map((row, i) => (
            <JobRow key={row.id} row={row} version={row.version} index={first + i + 2} />
          ))}
          {below > 0 && (
            <tr aria-hidden>
              <td colSpan={COLUMNS.length + 1} style={{ height: `${below}px` }} />
            </tr>
          )}
        </tbody>
      </table>
      {rows.length === 0 && board.loaded && <p class="muted">No job matches.</p>}
    </div>
  );
}

function JobRow({ row, index }: { row: Row; version: number; index: number }) {
  const elastic = row.workers > 0 && row.workers !== row.gpus;
  return (
    <tr aria-rowindex={index} data-job={row.id}>
      <th scope="row" class="number">
        <a href={`#/jobs/${row.id}`}>{row.id}</a>
      </th>
      <td class="name">
        <a href={`#/jobs/${row.id}`}>{row.name}</a>
      </td>
      <td class="user">{row.user}</td>
      <td class="state">
        <State state={row.state} />
      </td>
      <td class="number">{elastic ? `${row.workers} (${row.gpus})` : row.gpus}</td>
      <td class="done">
        <ProgressBar done={row.done} />
      </td>
      <td class="number time">{duration(Math.max(0, timeOf(row)))}</td>
      <td class="reason" title={row.reason}>
        {row.reason}
      </td>
    </tr>
  );
}

export function State({ state }: { state: string }) {
  return <span class={`state-word ${state}`}>{state}</span>;
}

export function ProgressBar({ done }: { done: number }) {
  const share = Math.min(1, Math.max(0, done));
  return (
    <span
      class="progress"
      role="progressbar"
      aria-valuenow={Math.round(100 * share)}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <i>
        <b style={{ width: `${(100 * share).toFixed(1)}%` }} />
      </i>
      <span>{percent(share)}</span>
    </span>
  );
}

/** Times go on while nothing happens. */
function useTick() {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && tick((n) => n + 1), 1000);
    return () => clearInterval(timer);
  }, []);
}

/** Asks how far the jobs are that are in sight and run. */
function useProgress(board: Board, seen: Row[]) {
  const now = useRef(seen);
  now.current = seen;
  usePoll(
    async () => {
      const ids = now.current.filter((row) => holds(row.state)).map((row) => row.id);
      if (ids.length > 0 && board.connection === "live") {
        const { jobs } = await get<{ jobs: { id: number; done: number }[] }>(
          `/progress?jobs=${ids.join(",")}`,
        );
        for (const { id, done } of jobs) {
          const row = board.rows.get(id);
          if (row && !isOver(row.state) && row.done !== done) {
            row.done = done;
            row.version++;
          }
        }
        board.changed();
      }
      return true;
    },
    PROGRESS_MS,
    [board],
  );
}
