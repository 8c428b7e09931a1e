/** What the server answers; see docs/api.md. A test compares it with the server's records. */

export interface Job {
  id: number;
  name: string;
  user: string;
  /** What the cluster manager calls it, if it was submitted there. */
  arrival: string | null;
  state: string;
  reason: string;
  gpus: number;
  min_gpus: number;
  max_gpus: number;
  workers: number;
  allocation: string | null;
  attempt: number;
  restarts: number;
  failures: number;
  losses: number;
  priority: number;
  submitted_s: number;
  started_s: number | null;
  ended_s: number | null;
  ran_s: number;
  restart_s: number;
  lost_s: number;
  lost_gpu_s: number;
  done: number;
  speed: Speed | null;
  exit_code: number | null;
  spec: Record<string, unknown>;
}

/** Of the present attempt, as far as it can be told. */
export interface Speed {
  workers: number;
  done_per_s: number;
  predicted_done_per_s: number | null;
  step_s: number | null;
}

export type JobWithHistory = Job & { history: Entry[] };

export interface Entry {
  serial: number;
  at_s: number;
  from: string | null;
  to: string;
  attempt: number;
  allocation: string | null;
  reason: string;
}

export type JobEvent = Entry & { job: number; user: string };

export interface Jobs {
  jobs: Job[];
  next: number | null;
  counts: Record<string, number>;
}

export interface Node {
  name: string;
  gpus: number;
  free_gpus: number;
  up: boolean;
  drained: boolean;
  reason: string;
  jobs: number[];
  declared_gpus: number | null;
  gpu: string | null;
  cpus: number | null;
  memory_bytes: number | null;
  path: string[];
  labels: Record<string, string>;
  others: HeldByOthers;
}

export interface HeldByOthers {
  gpus: number;
  cpus: number;
  memory_bytes: number;
}

export interface Policy {
  policy: string;
  settings: Record<string, string>;
  lengths: "predicted" | "none";
  error: string | null;
}

export interface PolicySpec {
  name: string;
  summary: string;
  source: string;
  parameters: {
    name: string;
    default: string;
    expected: string;
    choices: string[];
    help: string;
    simulation_only: boolean;
  }[];
}

export interface PreviewedPolicy {
  policy: string;
  settings: Record<string, string>;
  lengths: "predicted" | "none";
  wait_mean_s: number | null;
  wait_p95_s: number | null;
  end_mean_s: number | null;
  stops: number;
  at_risk_gpu_s: number;
}

export interface PreviewedJob {
  job: number;
  name: string;
  user: string;
  state: string;
  gpus: number;
  start_s: number | null;
  present_start_s: number | null;
  stops: number;
  present_stops: number;
  at_risk_gpu_s: number;
}

export interface Preview {
  present: PreviewedPolicy;
  preview: PreviewedPolicy;
  jobs: PreviewedJob[];
  left_off: number;
  basis: string;
}

export interface Caller {
  user: string;
  role: "admin" | "user";
  needs_token: boolean;
  read_only: boolean;
}

/** The queue of another scheduler, on a server that only looks at one. */
export interface WatchedQueue {
  at_s: number | null;
  scheduler: string;
  policy: string;
  basis: string;
  cost: string;
  trouble: string | null;
  nodes: WatchedNode[];
  running: WatchedRun[];
  jobs: WatchedJob[];
  policies: WatchedPolicy[];
  fragments: WatchedFragment[];
  notes: string[];
}

export interface WatchedNode {
  name: string;
  gpus: number;
  free_gpus: number;
  is_up: boolean;
  takes_jobs: boolean;
  reason: string;
}

export interface WatchedRun {
  id: string;
  user: string;
  gpus: number;
  started_s: number;
  allocation: string;
}

export interface WatchedJob {
  id: string;
  user: string;
  state: string;
  gpus: number;
  start: WatchedStart | null;
  why: string;
  helps: WatchedHelp[];
}

export interface WatchedStart {
  /** Null: nobody knows. */
  median_s: number | null;
  low_s: number;
  /** Null: then or later. */
  high_s: number | null;
}

export interface WatchedHelp {
  change: string;
  sooner_s: number;
}

export interface WatchedPolicy {
  policy: string;
  mean_s: number;
  sooner: number;
  later: number;
}

export interface WatchedFragment {
  server: string;
  free_gpus: number;
  gpus: number;
  why: string;
}

export interface Attempt {
  attempt: number;
  workers: number;
  from_s: number | null;
  to_s: number | null;
}

export interface Point {
  attempt: number;
  at_s: number | null;
  done: number;
  iteration: number | null;
  samples: number | null;
  loss: number | null;
}

export interface Curve {
  attempts: Attempt[];
  points: Point[];
}

export interface Explanation {
  job: number;
  state: string;
  why: string[];
  ahead: number;
  predicted_start_s: number | null;
  predicted_end_s: number | null;
  as_of_s: number | null;
  basis: string;
}

/** What is expected of all open jobs, from one simulation of the queue. */
export interface QueueForecast {
  as_of_s: number | null;
  basis: string;
  jobs: JobForecast[];
}

export interface JobForecast {
  id: number;
  place: number | null;
  start_s: number | null;
  end_s: number | null;
}

/** What a user has, had and may have. */
export interface User {
  user: string;
  quota_gpus: number | null;
  held_gpus: number;
  day_gpu_s: number;
  week_gpu_s: number;
  all_week_gpu_s: number;
  counts: Record<string, number>;
}

/** What the cluster was like; steps of which nothing is known are left out. */
export interface Past {
  from_s: number;
  to_s: number;
  step_s: number;
  steps: PastStep[];
}

export interface PastStep {
  at_s: number;
  gpus: number | null;
  held_gpus: number | null;
  waiting_jobs: number | null;
  waiting_gpus: number | null;
  spread_jobs: number | null;
  sharing_jobs: number | null;
  starts: number;
  start_wait_mean_s: number | null;
  restarts: number;
  lost_gpu_s: number;
}

/** A refusal, in the server's own words. Status 0: the server could not be reached. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const TOKEN = "ringmaster-token";
const unknown = new EventTarget();

/** The token lives as long as the tab, and goes nowhere but into a header. */
export function token(): string {
  return sessionStorage.getItem(TOKEN) ?? "";
}

export function setToken(value: string) {
  if (value === "") {
    sessionStorage.removeItem(TOKEN);
  } else {
    sessionStorage.setItem(TOKEN, value);
  }
}

/** Calls back when the server does not know who asks. Returns how to stop that. */
export function onUnknown(listener: (message: string) => void): () => void {
  const heard = (event: Event) => listener((event as CustomEvent<string>).detail);
  unknown.addEventListener("unknown", heard);
  return () => unknown.removeEventListener("unknown", heard);
}

/** Asks, with the token if there is one. Throws {@link Refused}. */
export async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (token() !== "") {
    headers.set("Authorization", `Bearer ${token()}`);
  }
  let response: Response;
  try {
    response = await fetch(`/api/v1${path}`, { ...init, headers, cache: "no-store" });
  } catch (e) {
    if (init.signal?.aborted) {
      throw e;
    }
    throw new Refused(0, "the server cannot be reached");
  }
  if (!response.ok) {
    const message = await words(response);
    if (response.status === 401) {
      unknown.dispatchEvent(new CustomEvent("unknown", { detail: message }));
    }
    throw new Refused(response.status, message);
  }
  return response;
}

async function words(response: Response): Promise<string> {
  try {
    return String(((await response.json()) as { error: string }).error);
  } catch {
    return `the server answered with status ${response.status}`;
  }
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await ask(path, { signal })).json() as Promise<T>;
}

/** Sends JSON, as text: what is wrong with it the server says best. */
export async function send<T>(
  method: string,
  path: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<T> {
  const response = await ask(path, {
    method,
    body,
    headers: { "Content-Type": "application/json", ...headers },
  });
  return response.json() as Promise<T>;
}

export function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
