import { useState } from "preact/hooks";
import { message, send, type Job } from "./api";

const EXAMPLE = `{
  "name": "first",
  "gpus": 1,
  "command": ["sh", "-c", "for i in 1 2 3; do echo step $i; sleep 1; done"]
}
`;

const KEYS =
  "name, command, env, directory, gpus, min_gpus, max_gpus, model, duration_s, iterations, group, " +
  "priority, after, time_limit_s, grace_s, retries, cpus_per_gpu, memory_gb_per_gpu, resumable";

let draft = EXAMPLE;

/** Sends what is written as it is: the server checks it, and says best what is wrong. */
export function SubmitPage() {
  const [text, setText] = useState(draft);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  async function submit() {
    setBusy(true);
    setProblem("");
    try {
      const key = crypto.getRandomValues(new Uint32Array(4)).join("-");
      const job = await send<Job>("POST", "/jobs", text, { "Idempotency-Key": key });
      location.hash = `#/jobs/${job.id}`;
    } catch (e) {
      setProblem(message(e));
    } finally {
      setBusy(false);
    }
  }
  return (
    <main>
      <h1>Submit a job</h1>
      <p class="lead">
        A job is a program that is run once for each GPU. <code>command</code> and <code>gpus</code>{" "}
        are needed.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <textarea
          class="description"
          aria-label="Description of the job, in JSON"
          spellcheck={false}
          rows={14}
          value={text}
          onInput={(event) => setText((draft = event.currentTarget.value))}
        />
        <p class="fails" role="alert">
          {problem}
        </p>
        <button class="primary" disabled={busy}>
          Submit
        </button>
      </form>
      <p class="muted">Keys: {KEYS}.</p>
    </main>
  );
}
