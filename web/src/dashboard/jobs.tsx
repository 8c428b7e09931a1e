import { Component } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { count, duration, percent } from "../ui/format";
import { isDark, useTheme } from "../ui/theme";
import { get } from "./api";
import {
  doneOf,
  ENDED_STATES,
  holds,
  isOver,
  OPEN_STATES,
  useBoard,
  usePoll,
  type Board,
  type Row,
} from "./board";
import { coloursOf } from "./colours";
import { GROUPS, test, type Filter } from "./filter";
import { minute } from "./moments";
import { Several } from "./several";

const ROW_HEIGHT = 30;
const HEIGHT = 560;
/** Rows beyond the edges, so that a quick scroll shows no gap. */
const SPARE = 6;

/** With many jobs, the order is worked out again so often at most. */
const ORDER_MS = 300;
const PROGRESS_MS = 1000;

type Sort =
  | "id"
  | "name"
  | "user"
  | "state"
  | "gpus"
  | "done"
  | "place"
  | "submitted"
  | "start"
  | "end"
  | "time";

const COLUMNS: [sort: Sort, label: string, kind: string][] = [
  ["id", "Job", "number id"],
  ["name", "Name", "name"],
  ["user", "User", "user"],
  ["state", "State", "state"],
  ["gpus", "GPUs", "number gpus"],
  ["done", "Done", "done"],
  ["place", "Place", "number place"],
  ["submitted", "Submitted", "number submitted"],
  ["start", "Start", "number start"],
  ["end", "End", "number end"],
  ["time", "Time", "number time"],
];

const STATE_ORDER = new Map([...OPEN_STATES, ...ENDED_STATES].map((state, i) => [state, i]));

const KEYS: Record<Sort, (row: Row) => number | string> = {
  id: (row) => row.id,
  name: (row) => row.name.toLowerCase(),
  user: (row) => row.user,
  state: (row) => STATE_ORDER.get(row.state) ?? 99,
  gpus: (row) => row.workers || row.gpus,
  done: (row) => doneOf(row).done,
  place: (row) => known(row.place),
  submitted: (row) => row.submitted,
  start: (row) => known(startOf(row).at),
  end: (row) => known(endOf(row).at),
  time: (row) => timeOf(row),
};

/** What is not known comes last. */
const known = (value: number) => (Number.isNaN(value) ? Infinity : value);

/** A moment, and whether it is only expected. */
interface When {
  at: number;
  expected: boolean;
}

const startOf = (row: Row): When =>
  Number.isNaN(row.started) && !isOver(row.state)
    ? { at: row.expectedStart, expected: true }
    : { at: row.started, expected: false };

const endOf = (row: Row): When =>
  isOver(row.state) ? { at: row.ended, expected: false } : { at: row.expectedEnd, expected: true };

/** How long it ran; or how long it waits. */
function timeOf(row: Row): number {
  const now = Date.now() / 1000;
  return Number.isNaN(row.started)
    ? (Number.isNaN(row.ended) ? now : row.ended) - row.submitted
    : (Number.isNaN(row.ended) ? now : row.ended) - row.started;
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
  sort: { by: "id" as Sort, descending: true },
  top: 0,
};

interface JobTableProps {
  board: Board;
  filter: Filter;
  /** If left out, the filter is fixed. */
  onFilter?: (filter: Filter) => void;
}

/** All open jobs and those that ended lately. Only the rows in sight are in the page. */
export function JobTable({ board, filter, onFilter }: JobTableProps) {
  useBoard(board, ORDER_MS);
  const [sort, setSort] = useState(remembered.sort);
  const [chosen, setChosen] = useState<Set<number>>(new Set());
  const { text, user, state } = filter;
  const rows = useMemo(() => {
    const wanted = test(filter);
    const all = [...board.rows.values()];
    return sorted(wanted ? all.filter(wanted) : all, sort.by, sort.descending);
  }, [board, text, user, state, sort, board.jobsVersion]);
  useEffect(() => {
    remembered.sort = sort;
  }, [sort]);
  return (
    <>
      <div class="tools filters" role="search" aria-label="Jobs">
        {onFilter && <Filters board={board} filter={filter} onFilter={onFilter} />}
        <span class="muted" role="status" data-figure="shown">
          {board.loaded ? `${count(rows.length)} of ${count(board.rows.size)} jobs` : "Loading…"}
        </span>
      </div>
      <Several board={board} chosen={chosen} onChosen={setChosen} />
      {board.loaded && board.rows.size === 0 ? (
        <NoJobs />
      ) : (
        <Rows
          board={board}
          rows={rows}
          colour={filter.colour}
          sort={sort}
          onSort={setSort}
          chosen={chosen}
          onChosen={setChosen}
        />
      )}
    </>
  );
}

function NoJobs() {
  return (
    <p class="empty">
      No job yet. <a href="#/submit">Submit one here</a>, or from a terminal:{" "}
      <code>ringmaster submit --gpus 1 -- sh -c "echo hello"</code>
    </p>
  );
}

function Filters({ board, filter, onFilter }: Required<JobTableProps>) {
  const users = useMemo(
    () => [...new Set([...board.rows.values()].map((row) => row.user))].sort(),
    [board, board.rows.size],
  );
  const change = (part: Partial<Filter>) => onFilter({ ...filter, ...part });
  return (
    <>
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
    </>
  );
}

interface RowsProps {
  board: Board;
  rows: Row[];
  /** What colours tell. */
  colour: string;
  sort: { by: Sort; descending: boolean };
  onSort: (sort: { by: Sort; descending: boolean }) => void;
  chosen: Set<number>;
  onChosen: (chosen: Set<number>) => void;
}

function Rows({ board, rows, colour, sort, onSort, chosen, onChosen }: RowsProps) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(Math.floor(remembered.top / ROW_HEIGHT));
  const shown = Math.ceil(HEIGHT / ROW_HEIGHT) + 2 * SPARE;
  const first = Math.max(0, Math.min(top - SPARE, rows.length - shown));
  const seen = rows.slice(first, first + shown);
  useBoard(board);
  const tick = useTick();
  const theme = useTheme();
  const colours = useMemo(
    () => coloursOf(colour, board.rows.values(), board.nodes, isDark()),
    [colour, board.rows, board.nodes, board.clusterVersion, theme],
  );
  useProgress(board, seen);
  useLayoutEffect(() => {
    box.current!.scrollTop = remembered.top;
  }, []);
  const open = () => rows.filter((row) => !isOver(row.state)).map((row) => row.id);
  const choose = (id: number, yes: boolean) => {
    const next = new Set(chosen);
    if (yes) {
      next.add(id);
    } else {
      next.delete(id);
    }
    onChosen(next);
  };
  const above = first * ROW_HEIGHT;
  const below = Math.max(0, rows.length - first - shown) * ROW_HEIGHT;
  return (
    <div
      class="job-rows"
      ref={box}
      style={{ height: `${Math.min(HEIGHT, (rows.length + 1) * ROW_HEIGHT + 40)}px` }}
      tabIndex={0}
      role="region"
      aria-label="Jobs"
      onScroll={() => {
        remembered.top = box.current!.scrollTop;
        setTop(Math.floor(remembered.top / ROW_HEIGHT));
      }}
    >
      <table aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" class="pick">
              <input
                type="checkbox"
                aria-label="Choose all open jobs of this list"
                checked={chosen.size > 0}
                onChange={(event) => onChosen(new Set(event.currentTarget.checked ? open() : []))}
              />
            </th>
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
              <td style={{ height: `${above}px` }} />
            </tr>
          )}
          {seen.map((row, i) => (
            <JobRow
              key={row.id}
              row={row}
              version={row.version}
              index={first + i + 2}
              colour={row.workers > 0 ? colours.of(row) : ""}
              tick={tick}
              chosen={chosen.has(row.id)}
              onChosen={choose}
              basis={board.forecast.basis}
            />
          ))}
          {below > 0 && (
            <tr aria-hidden>
              <td style={{ height: `${below}px` }} />
            </tr>
          )}
        </tbody>
      </table>
      {rows.length === 0 && board.loaded && <p class="muted">No job matches.</p>}
    </div>
  );
}

interface JobRowProps {
  row: Row;
  /** Tells that the row changed: it is changed in place. */
  version: number;
  index: number;
  /** Empty: it has no GPUs. */
  colour: string;
  /** Its time goes on. */
  tick: number;
  chosen: boolean;
  onChosen: (id: number, chosen: boolean) => void;
  /** What expected moments rest on. */
  basis: string;
}

/** Drawn again only if something of it changed: a scroll draws the rows that come in, no others. */
class JobRow extends Component<JobRowProps> {
  shouldComponentUpdate(next: JobRowProps) {
    const { row, version, index, colour, tick, chosen } = this.props;
    return (
      next.row !== row ||
      next.version !== version ||
      next.index !== index ||
      next.colour !== colour ||
      next.tick !== tick ||
      next.chosen !== chosen
    );
  }

  render({ row, index, colour, chosen, basis }: JobRowProps) {
    const elastic = row.workers > 0 && row.workers !== row.gpus;
    return (
      <tr aria-rowindex={index} data-job={row.id}>
        <td class="pick">
          {!isOver(row.state) && (
            <input
              type="checkbox"
              aria-label={`Choose job ${row.id}`}
              checked={chosen}
              onChange={(event) => this.props.onChosen(row.id, event.currentTarget.checked)}
            />
          )}
        </td>
        <th scope="row" class="number id">
          <a href={`#/jobs/${row.id}`}>{row.id}</a>
        </th>
        <td class="name">
          {colour !== "" && <i class="swatch" style={{ background: colour }} />}
          <a href={`#/jobs/${row.id}`}>{row.name}</a>
        </td>
        <td class="user">
          <a href={`#/users/${encodeURIComponent(row.user)}`}>{row.user}</a>
        </td>
        <td class="state">
          <State state={row.state} />
        </td>
        <td class="number gpus">{elastic ? `${row.workers} (${row.gpus})` : row.gpus}</td>
        <td class="done">
          <ProgressBar {...doneOf(row)} />
        </td>
        <td class="number place">{Number.isNaN(row.place) || holds(row.state) ? "" : row.place}</td>
        <td class="number submitted">{minute(row.submitted)}</td>
        <Moment kind="start" when={startOf(row)} basis={basis} />
        <Moment kind="end" when={endOf(row)} basis={basis} />
        <td class="number time">{duration(Math.max(0, timeOf(row)))}</td>
        <td class="reason" title={row.reason}>
          {row.reason}
        </td>
      </tr>
    );
  }
}

function Moment({ kind, when, basis }: { kind: string; when: When; basis: string }) {
  const { at, expected } = when;
  return (
    <td
      class={`number ${kind} ${expected ? "expected" : ""}`}
      title={expected ? `expected, from ${basis}` : undefined}
    >
      {Number.isNaN(at) ? "" : expected ? `~ ${minute(at)}` : minute(at)}
    </td>
  );
}

export function State({ state }: { state: string }) {
  return <span class={`state-word ${state}`}>{state}</span>;
}

interface ProgressProps {
  done: number;
  /** It has said nothing of its progress: this is what its time so far tells. */
  estimated?: boolean;
}

export function ProgressBar({ done, estimated = false }: ProgressProps) {
  const share = Math.min(1, Math.max(0, done));
  return (
    <span
      class={`progress ${estimated ? "estimated" : ""}`}
      title={estimated ? "an estimate: the job reports no progress" : undefined}
      role="progressbar"
      aria-label="Done"
      aria-valuenow={Math.round(100 * share)}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <i>
        <b style={{ width: `${(100 * share).toFixed(1)}%` }} />
      </i>
      <span>{estimated ? `~ ${percent(share)}` : percent(share)}</span>
    </span>
  );
}

/** Times go on while nothing happens. */
function useTick(): number {
  const [ticks, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && tick((n) => n + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return ticks;
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
