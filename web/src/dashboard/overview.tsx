import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { count } from "../ui/format";
import { Tiles, type Tile } from "../ui/layout";
import { holds, isOver, useBoard, WAITING_STATES, type Board } from "./board";
import { Cells } from "./cells";
import { ClusterPicture } from "./cluster";
import { ALL, filterOf, queryOf } from "./filter";
import { JobTable } from "./jobs";

/** Who comes back from a job finds the same list. */
let remembered = ALL;

/** The cluster, and all jobs. What is looked for stands in the address. */
export function Overview({ board, query }: { board: Board; query: string }) {
  const cells = useMemo(() => new Cells(board.caller.role === "admin"), [board]);
  const [filter, setFilter] = useState(() => (query === "" ? remembered : filterOf(query)));
  const first = useRef(true);
  useEffect(() => {
    if (!first.current) {
      setFilter(filterOf(query));
    }
    first.current = false;
  }, [query]);
  useEffect(() => {
    remembered = filter;
    history.replaceState(null, "", `#/${queryOf(filter)}`);
  }, [filter]);
  return (
    <main class="overview">
      <h1 class="visually-hidden">Cluster and jobs</h1>
      <Summary board={board} cells={cells} />
      <section aria-label="Cluster">
        <ClusterPicture board={board} cells={cells} filter={filter} onFilter={setFilter} />
        <NoNodes board={board} />
      </section>
      <section aria-label="Jobs">
        <JobTable board={board} filter={filter} onFilter={setFilter} />
      </section>
    </main>
  );
}

function NoNodes({ board }: { board: Board }) {
  useBoard(board, 200);
  return board.loaded && board.nodes.length === 0 ? (
    <p class="empty">
      No server is known, so no job can start. Name servers in the cluster file that{" "}
      <code>ringmaster serve</code> is given, or start what is to join;{" "}
      <code>ringmaster nodes</code> lists those that did.
    </p>
  ) : null;
}

function Summary({ board, cells }: { board: Board; cells: Cells }) {
  useBoard(board, 200);
  cells.sync(board);
  const { policy } = board;
  return (
    <>
      {board.problem !== "" && (
        <p class="fails" role="alert">
          {board.problem}
        </p>
      )}
      <Tiles tiles={tilesOf(board, cells)} />
      {policy?.error && (
        <p class="fails" role="alert">
          The chosen policy failed, and a simpler one decides in its place: {policy.error}
        </p>
      )}
    </>
  );
}

function tilesOf(board: Board, cells: Cells): Tile[] {
  let [running, stopping, waiting, ended] = [0, 0, 0, 0];
  for (const { state } of board.rows.values()) {
    if (state === "running" || state === "starting") {
      running++;
    } else if (holds(state)) {
      stopping++;
    } else if (WAITING_STATES.includes(state)) {
      waiting++;
    } else if (isOver(state)) {
      ended++;
    }
  }
  const out = board.nodes.filter((node) => !node.up || node.drained).length;
  const { policy } = board;
  const settings = Object.entries(policy?.settings ?? {}).map(([key, value]) => `${key}=${value}`);
  return [
    {
      key: "gpus",
      label: "GPUs held",
      value: `${count(cells.busy)} of ${count(cells.total)}`,
      note: cells.total > 0 ? `${Math.round((100 * cells.busy) / cells.total)} %` : undefined,
    },
    {
      key: "servers",
      label: "Servers",
      value: count(board.nodes.length),
      note: out > 0 ? `${count(out)} drained or down` : "all in service",
    },
    {
      key: "running",
      label: "Jobs running",
      value: count(running),
      note: stopping > 0 ? `${count(stopping)} stopping` : undefined,
    },
    { key: "waiting", label: "Jobs waiting", value: count(waiting) },
    { key: "ended", label: "Ended, of those shown", value: count(ended) },
    {
      key: "policy",
      label: "Policy",
      value: policy?.policy ?? "–",
      note: policy?.error ? "fell back" : settings.join(", ") || "usual settings",
    },
  ];
}
