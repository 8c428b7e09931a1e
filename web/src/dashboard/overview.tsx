import { useMemo } from "preact/hooks";
import { count } from "../ui/format";
import { Tiles, type Tile } from "../ui/layout";
import { holds, isOver, useBoard, WAITING_STATES, type Board } from "./board";
import { Cells } from "./cells";
import { ClusterPicture } from "./cluster";
import { JobTable } from "./jobs";

/** The cluster, and all jobs. */
export function Overview({ board }: { board: Board }) {
  const cells = useMemo(() => new Cells(board.caller.role === "admin"), [board]);
  return (
    <main class="overview">
      <h1 class="visually-hidden">Cluster and jobs</h1>
      <Summary board={board} cells={cells} />
      <section aria-label="Cluster">
        <ClusterPicture board={board} cells={cells} />
      </section>
      <section aria-label="Jobs">
        <JobTable board={board} />
      </section>
    </main>
  );
}

function Summary({ board, cells }: { board: Board; cells: Cells }) {
  useBoard(board, 200);
  // Drawn from by the picture, which comes after this in the page and so in the same frame.
  useMemo(
    () => cells.update(board.nodes, board.rows.values()),
    [cells, board.nodes, board.clusterVersion],
  );
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
