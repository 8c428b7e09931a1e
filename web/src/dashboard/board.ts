import { useEffect, useState } from "preact/hooks";
import {
  get,
  type Caller,
  type Job,
  type JobEvent,
  type Jobs,
  type Node,
  type Policy,
  type QueueForecast,
} from "./api";
import { listen, type Connection } from "./stream";

export const OPEN_STATES = [
  "submitted",
  "queued",
  "placed",
  "starting",
  "running",
  "checkpointing",
  "stopping",
  "cancelling",
  "timing-out",
  "lost",
];
export const ENDED_STATES = ["succeeded", "failed", "cancelled", "timed-out"];
export const WAITING_STATES = ["submitted", "queued", "placed"];

const HOLDING = new Set(OPEN_STATES.slice(3));
const ENDED = new Set(ENDED_STATES);

export const holds = (state: string) => HOLDING.has(state);
export const isOver = (state: string) => ENDED.has(state);

/** A job as the table and the picture of the cluster need it: one for each, changed in place. */
export interface Row {
  id: number;
  /** What it is called, if not by its number. */
  label?: string;
  name: string;
  user: string;
  state: string;
  reason: string;
  gpus: number;
  /** GPUs that it holds: of which servers how many. */
  held: [node: string, gpus: number][];
  workers: number;
  attempt: number;
  submitted: number;
  started: number;
  ended: number;
  done: number;
  /** Among those that wait, when it starts and ends as far as is expected; NaN: not known. */
  place: number;
  expectedStart: number;
  expectedEnd: number;
  /** Grows whenever it changes. */
  version: number;
  /** What a filter looks at, in small letters. */
  text: string;
}

const PAGE = 1000;
const RECENTLY_ENDED = 500;
/** So many that ended are kept while the page is open. */
const MOST_ENDED = 2000;
const NODES_MS = 1000;
const POLICY_MS = 5000;
/** The server simulates the queue no more often. */
const FORECAST_MS = 5000;

export function sharesOf(allocation: string | null): [string, number][] {
  return (allocation ?? "")
    .split(",")
    .filter((part) => part !== "")
    .map((part) => {
      const colon = part.lastIndexOf(":");
      return [part.slice(0, colon), Number(part.slice(colon + 1))];
    });
}

const workersOf = (held: [string, number][]) => held.reduce((sum, [, gpus]) => sum + gpus, 0);

/** All that the page knows. Loaded once, then kept up to date by events. */
export class Board {
  readonly rows = new Map<number, Row>();
  nodes: Node[] = [];
  policy: Policy | null = null;
  /** What expected starts and ends rest on, and when that was so. */
  forecast = { basis: "", asOf: NaN };
  connection: Connection = "connecting";
  loaded = false;
  problem = "";
  /** Grows with every change of jobs, of the cluster, of the rest. */
  jobsVersion = 0;
  clusterVersion = 0;

  private readonly listeners = new Set<() => void>();
  private scheduled = false;
  private waiting: JobEvent[] = [];
  private newest = 0;
  private early: JobEvent[] = [];
  private fetching = false;
  private nodesDue = 0;
  private policyDue = 0;
  private forecastDue = 0;
  private stopListening = () => {};
  private timer = 0;

  constructor(readonly caller: Caller) {}

  start() {
    this.stopListening = listen({
      opened: () => void this.opened(),
      events: (events) => this.take(events),
      connection: (connection) => {
        this.connection = connection;
        this.changed();
      },
    });
    this.timer = window.setInterval(() => void this.tick(), 250);
  }

  stop() {
    this.stopListening();
    clearInterval(this.timer);
  }

  /** Calls back at most once in a frame. Returns how to stop that. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  changed() {
    if (!this.scheduled) {
      this.scheduled = true;
      // Frames are not drawn while the tab is hidden; nobody looks then.
      requestAnimationFrame(() => {
        this.scheduled = false;
        this.listeners.forEach((listener) => listener());
      });
    }
  }

  /** Events come from here on. Those that come while the lists are loaded wait until they are there. */
  private async opened() {
    this.nodesDue = this.policyDue = this.forecastDue = 0;
    if (this.loaded || this.fetching) {
      return;
    }
    this.fetching = true;
    try {
      await Promise.all([this.loadNodes(), this.loadPolicy(), this.loadJobs()]);
      this.loaded = true;
      this.problem = "";
      this.take([]);
    } catch (e) {
      this.problem = e instanceof Error ? e.message : String(e);
    } finally {
      this.fetching = false;
      this.changed();
    }
  }

  private async loadJobs() {
    await this.pages(`/jobs?state=${OPEN_STATES.join(",")}&limit=${PAGE}`, 0);
    const ended = await get<Jobs>(`/jobs?state=${ENDED_STATES.join(",")}&limit=${RECENTLY_ENDED}`);
    ended.jobs.forEach((job) => this.put(job));
  }

  private async loadNodes() {
    this.nodesDue = Infinity;
    this.nodes = (await get<{ nodes: Node[] }>("/nodes")).nodes;
    this.nodesDue = Math.min(this.nodesDue, performance.now() + POLICY_MS);
    this.clusterVersion++;
    this.changed();
  }

  private async loadPolicy() {
    this.policyDue = performance.now() + POLICY_MS;
    this.policy = await get<Policy>("/policy");
    this.changed();
  }

  private async loadForecast() {
    this.forecastDue = performance.now() + FORECAST_MS;
    const { as_of_s: asOf, basis, jobs } = await get<QueueForecast>("/forecast");
    this.forecast = { basis, asOf: asOf ?? NaN };
    for (const { id, place, start_s: start, end_s: end } of jobs) {
      const row = this.rows.get(id);
      if (row) {
        row.place = place ?? NaN;
        row.expectedStart = start ?? NaN;
        row.expectedEnd = end ?? NaN;
        row.version++;
      }
    }
    this.jobsVersion++;
    this.changed();
  }

  /** Pages of jobs, newest first, down to an id. What is there already shows before the rest is. */
  private async pages(query: string, downTo: number) {
    let below = "";
    for (;;) {
      const page = await get<Jobs>(query + below);
      page.jobs.filter((job) => job.id > downTo).forEach((job) => this.put(job));
      this.jobsVersion++;
      this.clusterVersion++;
      this.changed();
      if (page.next === null || page.next <= downTo + 1) {
        return;
      }
      below = `&below=${page.next}`;
    }
  }

  put(job: Job) {
    const held = holds(job.state) ? sharesOf(job.allocation) : [];
    this.newest = Math.max(this.newest, job.id);
    const old = this.rows.get(job.id);
    this.rows.set(job.id, {
      id: job.id,
      name: job.name,
      user: job.user,
      state: job.state,
      reason: job.reason,
      gpus: job.gpus,
      held,
      workers: workersOf(held),
      attempt: job.attempt,
      submitted: job.submitted_s,
      started: job.started_s ?? NaN,
      ended: job.ended_s ?? NaN,
      done: job.done,
      place: old?.place ?? NaN,
      expectedStart: old?.expectedStart ?? NaN,
      expectedEnd: old?.expectedEnd ?? NaN,
      version: (old?.version ?? 0) + 1,
      text: `${job.id} ${job.name} ${job.user}`.toLowerCase(),
    });
    this.jobsVersion++;
  }

  private take(events: JobEvent[]) {
    this.waiting.push(...events);
    if (!this.loaded || this.waiting.length === 0) {
      return;
    }
    for (const event of this.waiting) {
      this.apply(event);
    }
    this.waiting = [];
    this.jobsVersion++;
    this.nodesDue = Math.min(this.nodesDue, performance.now() + NODES_MS);
    this.forecastDue = Math.min(this.forecastDue, performance.now() + NODES_MS);
    this.changed();
  }

  private apply(event: JobEvent) {
    const row = this.rows.get(event.job);
    if (!row) {
      // Only a newer one is missing; older ones ended long ago. What its events say may be newer
      // than the list that it will come with.
      if (event.job > this.newest) {
        this.early.push(event);
      }
      return;
    }
    if (holds(event.to)) {
      // Later events of an attempt may name where it goes next; it holds what it was started on.
      if (event.to === "starting" || row.held.length === 0) {
        row.held = sharesOf(event.allocation);
        this.clusterVersion++;
      }
    } else if (row.held.length > 0) {
      row.held = [];
      this.clusterVersion++;
    }
    if (event.to === "running" && Number.isNaN(row.started)) {
      row.started = event.at_s;
    }
    if (isOver(event.to)) {
      row.ended = event.at_s;
      row.done = event.to === "succeeded" ? 1 : row.done;
    }
    row.workers = workersOf(row.held);
    row.state = event.to;
    row.reason = event.reason;
    row.attempt = event.attempt;
    row.version++;
  }

  /** What is done now and then, if anybody looks. */
  private async tick() {
    if (document.hidden || this.connection !== "live" || this.fetching) {
      return;
    }
    if (!this.loaded) {
      return this.opened();
    }
    const now = performance.now();
    this.fetching = true;
    try {
      if (this.early.length > 0) {
        await this.pages(`/jobs?limit=${PAGE}`, this.newest);
        const early = this.early;
        this.early = [];
        this.take(early);
        this.forgetOld();
      }
      if (now >= this.nodesDue) {
        await this.loadNodes();
      }
      if (now >= this.policyDue) {
        await this.loadPolicy();
      }
      if (now >= this.forecastDue) {
        await this.loadForecast();
      }
    } catch {
      // Asked again later; whether there is a connection is shown by the events.
      this.nodesDue = now + POLICY_MS;
    } finally {
      this.fetching = false;
    }
  }

  /** Asks for nodes and the policy at once: somebody just changed them. */
  refresh() {
    this.nodesDue = this.policyDue = 0;
  }

  private forgetOld() {
    const ended = [...this.rows.values()].filter((row) => isOver(row.state));
    if (ended.length > MOST_ENDED) {
      ended.sort((a, b) => a.ended - b.ended);
      ended.slice(0, ended.length - MOST_ENDED).forEach((row) => this.rows.delete(row.id));
    }
  }
}

/**
 * How far a job is. One that has said nothing of it is as far as the time since its start is of the
 * time that it is expected to take, which is an estimate.
 */
export function doneOf(row: Row): { done: number; estimated: boolean } {
  const length = row.expectedEnd - row.started;
  if (row.done > 0 || row.state !== "running" || !(length > 0)) {
    return { done: row.done, estimated: false };
  }
  const done = (Date.now() / 1000 - row.started) / length;
  return { done: Math.min(0.99, Math.max(0, done)), estimated: true };
}

/** Renders again when something changed, at most once in so many milliseconds. */
export function useBoard(board: Board, everyMs = 0): void {
  const [, render] = useState(0);
  useEffect(() => {
    let timer = 0;
    let last = 0;
    const now = () => {
      timer = 0;
      last = performance.now();
      render((n) => n + 1);
    };
    const stop = board.subscribe(() => {
      const wait = last + everyMs - performance.now();
      if (wait <= 0) {
        now();
      } else if (timer === 0) {
        timer = window.setTimeout(now, wait);
      }
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [board, everyMs]);
}

/** Does something now and every so often, while the tab is seen and until it returns false. */
export function usePoll(work: () => Promise<boolean>, everyMs: number, inputs: unknown[]): void {
  useEffect(() => {
    let over = false;
    let timer = 0;
    const run = async () => {
      const more = document.hidden || (await work().catch(() => true));
      if (!over && more) {
        timer = window.setTimeout(() => void run(), everyMs);
      }
    };
    void run();
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, inputs);
}
