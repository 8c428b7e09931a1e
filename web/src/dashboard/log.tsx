import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ask, message, type Job } from "./api";
import { usePoll } from "./board";

const POLL_MS = 1000;

/** So many characters are kept; of longer logs the end. */
const MOST = 500_000;

const COLOURS = /\u001b\[[0-9;?]*[A-Za-z]/g;

/** What a worker printed, as it prints it. */
export function LogViewer({ job }: { job: Job }) {
  const [attempt, setAttempt] = useState(0);
  const [rank, setRank] = useState(0);
  const [stream, setStream] = useState("stdout");
  const [follow, setFollow] = useState(true);
  const shown = attempt === 0 ? job.attempt : attempt;
  const { text, cut, problem } = useLog(job.id, shown, rank, stream);
  const pre = useRef<HTMLPreElement>(null);
  useLayoutEffect(() => {
    if (follow && pre.current) {
      pre.current.scrollTop = pre.current.scrollHeight;
    }
  }, [text, follow]);
  if (job.attempt === 0) {
    return <p class="muted">It has not been started yet.</p>;
  }
  const ranks = Math.max(job.workers, job.max_gpus, job.gpus);
  return (
    <>
      <div class="tools">
        <label>
          Attempt{" "}
          <select
            value={attempt}
            onChange={(event) => setAttempt(Number(event.currentTarget.value))}
          >
            <option value={0}>newest ({job.attempt})</option>
            {numbers(job.attempt).map((n) => (
              <option key={n} value={n + 1}>
                {n + 1}
              </option>
            ))}
          </select>
        </label>
        <label>
          Rank{" "}
          <input
            class="rank"
            type="number"
            min={0}
            max={ranks - 1}
            value={rank}
            onInput={(event) => setRank(Math.max(0, Number(event.currentTarget.value) || 0))}
          />
        </label>
        <label>
          Stream{" "}
          <select value={stream} onChange={(event) => setStream(event.currentTarget.value)}>
            <option>stdout</option>
            <option>stderr</option>
          </select>
        </label>
        <label>
          <input
            type="checkbox"
            checked={follow}
            onChange={(event) => setFollow(event.currentTarget.checked)}
          />{" "}
          Follow
        </label>
        {cut && <span class="muted">Only the end is shown.</span>}
        <span class="fails" role="alert">
          {problem}
        </span>
      </div>
      <pre
        class="log"
        ref={pre}
        tabIndex={0}
        role="region"
        aria-label={`Log of rank ${rank}, ${stream}`}
      >
        {text}
      </pre>
    </>
  );
}

/** So many lines tell what went wrong, mostly. */
const TAIL_LINES = 20;

/** The last that a job wrote to standard error, or if it wrote nothing there to standard output. */
export function LogTail({ job }: { job: Job }) {
  const errors = useLog(job.id, job.attempt, 0, "stderr").text.trimEnd();
  const output = useLog(job.id, job.attempt, 0, "stdout").text.trimEnd();
  const text = errors === "" ? output : errors;
  if (text === "") {
    return null;
  }
  return (
    <section data-figure="tail">
      <p class="muted">
        The end of {errors === "" ? "standard output" : "standard error"}, rank 0
        {job.exit_code !== null && `, exit code ${job.exit_code}`}:
      </p>
      <pre class="tail" tabIndex={0} role="region" aria-label="What it wrote last">
        {text.split("\n").slice(-TAIL_LINES).join("\n")}
      </pre>
    </section>
  );
}

const numbers = (n: number) => Array.from({ length: n }, (_, i) => i);

/** Reads a log to where it ends now, and goes on until nothing follows. */
function useLog(job: number, attempt: number, rank: number, stream: string) {
  const [log, setLog] = useState({ text: "", cut: false });
  const [problem, setProblem] = useState("");
  const at = useRef({ from: 0, decoder: new TextDecoder() });
  const key = [job, attempt, rank, stream];
  useEffect(() => {
    at.current = { from: 0, decoder: new TextDecoder() };
    setLog({ text: "", cut: false });
    setProblem("");
  }, key);
  usePoll(
    async () => {
      if (attempt === 0) {
        return false;
      }
      const place = at.current;
      try {
        for (;;) {
          const response = await ask(
            `/jobs/${job}/logs?attempt=${attempt}&rank=${rank}&stream=${stream}&from=${place.from}`,
          );
          const bytes = await response.arrayBuffer();
          if (place !== at.current) {
            return false;
          }
          place.from = Number(response.headers.get("Ringmaster-Next-Byte"));
          const more = place.decoder.decode(bytes, { stream: true }).replace(COLOURS, "");
          if (more !== "") {
            setLog((old) => {
              const text = old.text + more;
              return { text: text.slice(-MOST), cut: old.cut || text.length > MOST };
            });
          }
          setProblem("");
          if (response.headers.get("Ringmaster-Ended") === "true") {
            return false;
          }
          if (bytes.byteLength === 0) {
            return true;
          }
        }
      } catch (e) {
        setProblem(message(e));
        return true;
      }
    },
    POLL_MS,
    key,
  );
  return { ...log, problem };
}
