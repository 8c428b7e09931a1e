import { useState } from "preact/hooks";
import { count } from "../ui/format";
import { message, Refused, send, type Job } from "./api";
import { isOver, type Board } from "./board";

/** How long to wait if the server asks for patience, and how often. */
const PAUSE_MS = 1000;
const MOST_PAUSES = 60;

interface SeveralProps {
  board: Board;
  chosen: Set<number>;
  onChosen: (chosen: Set<number>) => void;
}

/** What can be done with all jobs that were chosen. */
export function Several({ board, chosen, onChosen }: SeveralProps) {
  const [asked, setAsked] = useState(false);
  const [words, setWords] = useState("");
  const [priority, setPriority] = useState(0);
  const open = [...chosen].filter((id) => !isOver(board.rows.get(id)?.state ?? "failed"));

  /** Asks for one after the other; what was refused is told, and the others are done. */
  async function each(doing: string, done: string, path: string, body: string) {
    setAsked(false);
    const problems: string[] = [];
    for (const [i, id] of open.entries()) {
      setWords(`${doing} ${i + 1} of ${open.length}…`);
      try {
        await patiently(() => send<Job>("POST", `/jobs/${id}/${path}`, body));
      } catch (e) {
        problems.push(`job ${id}: ${message(e)}`);
      }
    }
    setWords(
      problems.length === 0
        ? `${jobs(open.length)} ${done}.`
        : `${open.length - problems.length} of ${open.length} ${done}; ${problems[0]}`,
    );
    onChosen(new Set());
  }

  const cancel = () => each("Cancelling", "cancelled", "cancel", "{}");
  const prioritize = () =>
    each("Changing", `given priority ${priority}`, "priority", JSON.stringify({ priority }));

  if (chosen.size === 0) {
    return words === "" ? null : (
      <p class="several muted" role="status">
        {words}
      </p>
    );
  }
  return (
    <div class="tools several" role="group" aria-label="Chosen jobs">
      <strong data-figure="chosen">{jobs(open.length)} chosen</strong>
      {asked ? (
        <>
          <span>Stop {open.length === 1 ? "it" : "all of them"} for good?</span>
          <button class="danger" onClick={() => void cancel()}>
            Yes, cancel {jobs(open.length)}
          </button>
          <button onClick={() => setAsked(false)}>No</button>
        </>
      ) : (
        <>
          <button onClick={() => setAsked(true)} disabled={open.length === 0}>
            Cancel them
          </button>
          <label>
            Priority{" "}
            <input
              type="number"
              class="rank"
              min={-1000}
              max={1000}
              step={1}
              value={priority}
              onInput={(event) => setPriority(Math.round(Number(event.currentTarget.value)))}
            />
          </label>
          <button onClick={() => void prioritize()} disabled={open.length === 0}>
            Set it
          </button>
          <button onClick={() => onChosen(new Set())}>Choose none</button>
        </>
      )}
      <span role="status">{words}</span>
    </div>
  );
}

const jobs = (n: number) => `${count(n)} job${n === 1 ? "" : "s"}`;

/** Again if the server has too much to do just now. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let pauses = 0; ; pauses++) {
    try {
      return await work();
    } catch (e) {
      const busy = e instanceof Refused && (e.status === 429 || e.status === 503);
      if (!busy || pauses === MOST_PAUSES) {
        throw e;
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
