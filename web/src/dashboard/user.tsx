import { useState } from "preact/hooks";
import { count, number, percent } from "../ui/format";
import { Tiles, type Tile } from "../ui/layout";
import { get, message, type User } from "./api";
import { holds, isOver, useBoard, usePoll, WAITING_STATES, type Board } from "./board";
import { ALL } from "./filter";
import { JobTable } from "./jobs";

const REFRESH_MS = 5000;

/** What one user has, had and may have, and the jobs. */
export function UserPage({ board, user }: { board: Board; user: string }) {
  useBoard(board, 200);
  const [totals, setTotals] = useState<User | null>(null);
  const [problem, setProblem] = useState("");
  usePoll(
    async () => {
      try {
        setTotals(await get<User>(`/users/${encodeURIComponent(user)}`));
        setProblem("");
      } catch (e) {
        setProblem(message(e));
      }
      return true;
    },
    REFRESH_MS,
    [user],
  );
  return (
    <main class="overview">
      <p>
        <a href="#/">All jobs</a>
      </p>
      <h1>{user}</h1>
      {problem !== "" && (
        <p class="fails" role="alert">
          {problem}
        </p>
      )}
      {totals && <Tiles tiles={tilesOf(board, totals)} />}
      <section aria-label="Jobs">
        <JobTable board={board} filter={{ ...ALL, user }} />
      </section>
    </main>
  );
}

const hours = (gpuSeconds: number) => number(gpuSeconds / 3600);

function tilesOf(board: Board, totals: User): Tile[] {
  const nodes = board.nodes.reduce((sum, node) => sum + node.gpus, 0);
  const { held_gpus: held, quota_gpus: quota, counts } = totals;
  const jobs = (chosen: (state: string) => boolean) =>
    Object.entries(counts).reduce((sum, [state, n]) => sum + (chosen(state) ? n : 0), 0);
  const waits = (state: string) => WAITING_STATES.includes(state);
  let asked = 0;
  for (const row of board.rows.values()) {
    asked += row.user === totals.user && waits(row.state) ? row.gpus : 0;
  }
  const ended = jobs(isOver);
  return [
    {
      key: "gpus",
      label: "GPUs held now",
      value: count(held),
      note: nodes > 0 ? `${percent(held / nodes)} of ${count(nodes)}` : undefined,
    },
    {
      key: "quota",
      label: "Quota",
      value: quota === null ? "none" : count(quota),
      note: quota === null ? undefined : `${count(Math.max(0, quota - held))} GPUs left`,
    },
    { key: "day", label: "GPU-hours, last day", value: hours(totals.day_gpu_s) },
    {
      key: "week",
      label: "GPU-hours, last week",
      value: hours(totals.week_gpu_s),
      note:
        totals.all_week_gpu_s > 0
          ? `${percent(totals.week_gpu_s / totals.all_week_gpu_s)} of all users'`
          : undefined,
    },
    { key: "running", label: "Jobs with GPUs", value: count(jobs(holds)) },
    {
      key: "waiting",
      label: "Jobs waiting",
      value: count(jobs(waits)),
      note: asked > 0 ? `for ${count(asked)} GPUs` : undefined,
    },
    {
      key: "ended",
      label: "Jobs ended",
      value: count(ended),
      note: ended > 0 ? `${count(counts["succeeded"] ?? 0)} succeeded` : undefined,
    },
  ];
}
