import { useEffect, useState } from "preact/hooks";
import { count, duration } from "../ui/format";
import { useSettled } from "../ui/figure";
import { get, message, type Job, type Jobs } from "./api";
import { ENDED_STATES } from "./board";
import { State } from "./jobs";
import { minute } from "./moments";
import { changed } from "./query";

const PAGE = 50;
const TYPING_MS = 300;

/** What is looked for, as it stands in the address. */
interface Search {
  name: string;
  user: string;
  state: string;
  /** As a field for date and time has it, such as 2026-11-18T20:30; empty: any time. */
  from: string;
  to: string;
}

const KEYS: (keyof Search)[] = ["name", "user", "state", "from", "to"];

function searchOf(query: string): Search {
  const said = new URLSearchParams(query);
  return Object.fromEntries(KEYS.map((key) => [key, said.get(key) ?? ""])) as unknown as Search;
}

function pathOf(search: Search): string {
  const words = new URLSearchParams({
    state: ENDED_STATES.includes(search.state) ? search.state : ENDED_STATES.join(","),
    limit: String(PAGE),
  });
  const give = (key: string, value: string) => value !== "" && words.set(key, value);
  give("name", search.name.trim());
  give("user", search.user.trim());
  give("ended_from", seconds(search.from));
  give("ended_to", seconds(search.to));
  return `/jobs?${words}`;
}

function seconds(local: string): string {
  const time = new Date(local).getTime();
  return Number.isNaN(time) ? "" : String(Math.max(0, Math.floor(time / 1000)));
}

/** Jobs that ended, however long ago: what the table of all jobs has not loaded. */
export function EndedJobs({ query }: { query: string }) {
  const [search, setSearch] = useState(() => searchOf(query));
  const path = useSettled(pathOf(search), TYPING_MS);
  const [found, setFound] = useState<Jobs | null>(null);
  const [problem, setProblem] = useState("");
  useEffect(() => KEYS.forEach((key) => changed("/history", key, search[key])), [search]);
  useEffect(() => {
    const stop = new AbortController();
    void load(path, stop.signal).then((page) => page && setFound(page));
    return () => stop.abort();
  }, [path]);

  async function load(from: string, signal?: AbortSignal): Promise<Jobs | null> {
    try {
      const page = await get<Jobs>(from, signal);
      setProblem("");
      return page;
    } catch (e) {
      if (!signal?.aborted) {
        setProblem(message(e));
      }
      return null;
    }
  }

  async function older() {
    const page = await load(`${path}&below=${found!.next}`);
    if (page) {
      setFound({ ...page, jobs: [...found!.jobs, ...page.jobs] });
    }
  }

  const field = (key: keyof Search) => ({
    value: search[key],
    onInput: (event: { currentTarget: HTMLInputElement | HTMLSelectElement }) =>
      setSearch({ ...search, [key]: event.currentTarget.value }),
  });
  return (
    <section aria-label="Jobs that ended">
      <h2>Jobs that ended</h2>
      <div class="tools filters" role="search" aria-label="Jobs that ended">
        <input type="search" placeholder="Name" aria-label="Name" {...field("name")} />
        <input type="search" placeholder="User" aria-label="User" {...field("user")} />
        <select aria-label="State" {...field("state")}>
          <option value="">However they ended</option>
          {ENDED_STATES.map((state) => (
            <option key={state}>{state}</option>
          ))}
        </select>
        <label>
          ended from <input type="datetime-local" {...field("from")} />
        </label>
        <label>
          to <input type="datetime-local" {...field("to")} />
        </label>
        <span class="muted" role="status" data-figure="found">
          {found && `${count(found.jobs.length)}${found.next === null ? "" : " or more"} found`}
        </span>
      </div>
      {problem !== "" && (
        <p class="fails" role="alert">
          {problem}
        </p>
      )}
      {found && found.jobs.length > 0 && <Found jobs={found.jobs} />}
      {found && found.jobs.length === 0 && <p class="empty">No job that ended is like this.</p>}
      {found && found.next !== null && <button onClick={() => void older()}>Older ones</button>}
    </section>
  );
}

function Found({ jobs }: { jobs: Job[] }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Jobs that ended">
      <table class="ended-jobs">
        <thead>
          <tr>
            <th scope="col" class="number">
              Job
            </th>
            <th scope="col">Name</th>
            <th scope="col">User</th>
            <th scope="col">State</th>
            <th scope="col" class="number">
              GPUs
            </th>
            <th scope="col" class="number">
              Submitted
            </th>
            <th scope="col" class="number">
              Ended
            </th>
            <th scope="col" class="number">
              Ran
            </th>
            <th scope="col">Reason</th>
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <tr key={job.id} data-ended={job.id}>
              <th scope="row" class="number">
                <a href={`#/jobs/${job.id}`}>{job.id}</a>
              </th>
              <td>{job.name}</td>
              <td>
                <a href={`#/users/${encodeURIComponent(job.user)}`}>{job.user}</a>
              </td>
              <td>
                <State state={job.state} />
              </td>
              <td class="number">{job.gpus}</td>
              <td class="number">{minute(job.submitted_s)}</td>
              <td class="number">{job.ended_s === null ? "" : minute(job.ended_s)}</td>
              <td class="number">{duration(job.ran_s)}</td>
              <td>{job.reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
