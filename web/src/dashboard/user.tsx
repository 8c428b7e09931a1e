import { count } from "../ui/format";
import { Tiles, type Tile } from "../ui/layout";
import { holds, isOver, useBoard, WAITING_STATES, type Board } from "./board";
import { ALL } from "./filter";
import { JobTable } from "./jobs";

/** What one user has: totals, and the jobs. */
export function UserPage({ board, user }: { board: Board; user: string }) {
  useBoard(board, 200);
  return (
    <main class="overview">
      <p>
        <a href="#/">All jobs</a>
      </p>
      <h1>{user}</h1>
      <Tiles tiles={tilesOf(board, user)} />
      <section aria-label="Jobs">
        <JobTable board={board} filter={{ ...ALL, user }} />
      </section>
    </main>
  );
}

function tilesOf(board: Board, user: string): Tile[] {
  const total = board.nodes.reduce((sum, node) => sum + node.gpus, 0);
  let [held, running, waiting, asked, well, ended] = [0, 0, 0, 0, 0, 0];
  for (const row of board.rows.values()) {
    if (row.user !== user) {
      continue;
    }
    held += row.workers;
    if (holds(row.state)) {
      running++;
    } else if (WAITING_STATES.includes(row.state)) {
      waiting++;
      asked += row.gpus;
    } else if (isOver(row.state)) {
      ended++;
      well += row.state === "succeeded" ? 1 : 0;
    }
  }
  return [
    {
      key: "gpus",
      label: "GPUs held now",
      value: count(held),
      note: total > 0 ? `${Math.round((100 * held) / total)} % of ${count(total)}` : undefined,
    },
    { key: "running", label: "Jobs with GPUs", value: count(running) },
    {
      key: "waiting",
      label: "Jobs waiting",
      value: count(waiting),
      note: waiting > 0 ? `for ${count(asked)} GPUs` : undefined,
    },
    {
      key: "ended",
      label: "Ended, of those shown",
      value: count(ended),
      note: ended > 0 ? `${count(well)} succeeded` : undefined,
    },
  ];
}
