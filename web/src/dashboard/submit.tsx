import { useState } from "preact/hooks";
import { parseAllDocuments } from "yaml";
import { message, send, type Job } from "./api";

const EXAMPLE = `name: first
gpus: 1
command:
  - sh
  - -c
  - for i in 1 2 3; do echo step $i; sleep 1; done
`;

const KEYS =
  "name, command, env, directory, gpus, min_gpus, max_gpus, model, duration_s, iterations, group, " +
  "priority, after, time_limit_s, grace_s, checkpoint_s, retries, cpus_per_gpu, memory_gb_per_gpu, piece_gpus, nodes_marked, resumable";

let draft = EXAMPLE;

/**
 * The jobs of a text: one for each YAML document, as in a file that `ringmaster submit` takes. JSON
 * is YAML too.
 */
export function jobsOf(text: string): unknown[] {
  const documents = parseAllDocuments(text);
  if (!Array.isArray(documents) || documents.length === 0) {
    throw new Error("nothing is written; expected a job with at least command and gpus");
  }
  return documents.map((document) => {
    const [problem] = document.errors;
    if (problem) {
      throw new Error(problem.message.split("\n")[0].replace(/:$/, ""));
    }
    return document.toJS() as unknown;
  });
}

/** What a job means is checked by the server, which says best what is wrong. */
export function SubmitPage() {
  const [text, setText] = useState(draft);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  async function submit() {
    setBusy(true);
    setProblem("");
    try {
      const jobs = jobsOf(text);
      for (const [i, wanted] of jobs.entries()) {
        const key = crypto.getRandomValues(new Uint32Array(4)).join("-");
        const job = await submitted(wanted, key, jobs.length > 1 ? `document ${i + 1}: ` : "");
        location.hash = jobs.length === 1 ? `#/jobs/${job.id}` : "#/";
      }
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
        are needed. It is written as in a file for <code>ringmaster submit</code>: in YAML, or in
        JSON; several jobs with <code>---</code> between them.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <textarea
          class="description"
          aria-label="Description of the job, in YAML or JSON"
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

/** A refusal says which of several it is about: those before it are in. */
async function submitted(job: unknown, key: string, which: string): Promise<Job> {
  try {
    return await send<Job>("POST", "/jobs", JSON.stringify(job), { "Idempotency-Key": key });
  } catch (e) {
    throw new Error(which + message(e));
  }
}
