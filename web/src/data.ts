// What a report holds. The module report writes it; a field here is a field there.
// Times are seconds. Arrays named alike are columns: entry i of each belongs together.

export type Report = Run | Comparison | Reproduction | WhatIf | Size;

/** summary.json, as it is. */
export type Summary = Record<string, unknown>;

export interface Run {
  kind: "run";
  title: string;
  version: string;
  summary: Summary;
  cluster: Cluster;
  /** The first submission and the last end. */
  start: number;
  end: number;
  /** Labels of size classes ("1", "2", "3-4", ...), smallest first. */
  sizes: string[];
  /** Users, the one with the most GPU time first; the last may stand for all others. */
  users: string[];
  /** Every segment; null if there are too many to draw one by one. */
  segments: Segments | null;
  /** What is drawn if there are no segments, and the rings of each server. */
  grid: Grid;
  timeline: Timeline;
  distributions: Distribution[];
  bySize: Group[];
  byUser: Group[];
  worst: WorstServed[];
}

export interface Cluster {
  name: string;
  network: string;
  servers: string[];
  /** GPUs of each server. */
  gpus: number[];
}

/** A row for each server of each segment in which a job's placement did not change. */
export interface Segments {
  /** Index into the columns of jobs. */
  job: number[];
  start: number[];
  end: number[];
  server: number[];
  gpus: number[];
  jobs: {
    id: string[];
    submit: number[];
    finish: number[];
    wait: number[];
    /** What the job asked for. */
    gpus: number[];
    restarts: number[];
    slowdown: number[];
    /** Index into sizes. */
    size: number[];
    /** Index into users. */
    user: number[];
    model: string[];
  };
}

/** The cluster in cells: rows of one server or some neighbours, columns of equal time. */
export interface Grid {
  start: number;
  binSeconds: number;
  bins: number;
  /** Names of the rows: a server, or the first and the last of some. */
  rows: string[];
  /** GPUs of each row. */
  gpus: number[];
  /** Bytes in base64, row after row: share of the row's GPUs in use, 0 to 255. */
  busy: string;
  /** Index of the size class with the most GPU time in the cell; 255 if none ran. */
  size: string;
  /** Index of the user with the most GPU time in the cell; 255 if none ran. */
  user: string;
  /** Mean number of rings that cross a server of the row, in sixteenths, 255 at most. */
  rings: string;
}

/** Means over equal spans of time. */
export interface Timeline {
  start: number;
  binSeconds: number;
  busyGpus: number[];
  runningJobs: number[];
  waitingJobs: number[];
  /** GPUs that waiting jobs ask for. */
  waitingGpus: number[];
  /** GPUs of jobs whose ring shares a server's link with another ring. */
  contendedGpus: number[];
}

/** Quantiles of a figure over jobs. */
export interface Distribution {
  /** jct, wait, run or slowdown. */
  name: string;
  /** From 0 to 1, rising. */
  share: number[];
  value: number[];
}

/** Jobs of one size class or one user. */
export interface Group {
  label: string;
  jobs: number;
  gpuHours: number;
  jctMean: number;
  jctP95: number;
  waitMean: number;
  waitP95: number;
  slowdownMean: number;
  restarts: number;
}

/**
 * Why a job waits, the first that holds. capacity: fewer GPUs (or CPUs, or memory) are free than it
 * needs. fragmented: enough are free, on servers where the placement rule does not put it.
 * placement: it would have to be scattered, and the policy holds out for better. behind: it would
 * have fitted.
 */
export type WaitReason = "capacity" | "fragmented" | "placement" | "behind";

export interface WorstServed {
  id: string;
  user: string;
  gpus: number;
  submit: number;
  start: number;
  finish: number;
  wait: number;
  /**
   * Its time from submission to end over its time alone on the best placement, or over ten minutes
   * if that is longer.
   */
  stretch: number;
  restarts: number;
  /** How long it waited for which reason, in the order of WaitReason; they add up to wait. */
  reasons: { reason: WaitReason; seconds: number }[];
  /** The jobs it waited behind though it would have fitted, the longest first, five at most. */
  behind: { id: string; gpus: number; seconds: number }[];
  /** How many such jobs there are. */
  behindJobs: number;
  /** How long it would have fitted and waited behind nobody that the schedule shows. */
  heldBack: number;
  /** Jobs that came later and got GPUs while it waited. */
  overtaken: number;
}

export interface Comparison {
  kind: "comparison";
  title: string;
  version: string;
  /** What was compared on what. */
  lead: string;
  /** True if every schedule was validated. */
  validated: boolean;
  seeds: number[];
  /** Where the jobs come from: hashes of files, or a generator and its seed. */
  inputs: Record<string, unknown>[];
  /** NAME=VALUE as given. */
  settings: string[];
  /** What no schedule can beat, mean over seeds. */
  boundJct: number;
  boundMakespan: number;
  /** What no schedule that does not stop jobs can beat, for each workload; empty if not searched. */
  noPreemptionBounds: { makespan: SearchedBound; mean_jct: SearchedBound; seconds: number }[];
  /** Shares of the quantiles of policies. */
  share: number[];
  /** The best mean JCT first. */
  policies: ComparedPolicy[];
  /** Above so many jobs of all runs together there are no pairs. */
  mostJobsKept: number;
  /** Null if there are too many jobs, or only one policy. */
  pairs: Pairs | null;
  /** Labels of size classes. */
  sizes: string[];
  pictures: Pictures | null;
  /** What happened to the jobs; null if nobody knows. */
  truth: Truth | null;
  /** What whoever reads the figures must know, in sentences. */
  notes: string[];
}

export interface Truth {
  /** Of which it is known. */
  jobs: number;
  /** Those that are known, by their keys in summary.json. */
  figures: Record<string, number>;
  /** Under policies that the site may have had, the closest first. */
  replayed: { policy: string; wait_error: number; jct_error: number }[];
}

export interface SearchedBound {
  any_schedule_s: number;
  no_preemption_s: number;
  best_found_s?: number;
  status: string;
  model: string;
}

export interface ComparedPolicy {
  name: string;
  /** What it knows of how long jobs will run: known, predicted or none. */
  lengths: string;
  /** The folder of its run, or of its first, beside the page. */
  folder: string;
  /** Keys as in summary.json. */
  figures: Record<string, { mean: number; ci95: number }>;
  /** Quantiles, mean over seeds. */
  jct: number[];
  wait: number[];
}

/** Policies two by two, job by job. Numbers are of all seeds together. */
export interface Pairs {
  jobs: number;
  /** Differences up to so many seconds, or this share of the longer time, are none. */
  sameSeconds: number;
  sameShare: number;
  groupings: {
    title: string;
    labels: string[];
    jobs: number[];
    /** By policy, then by group. */
    jctMean: number[][];
  }[];
  /** Shares of the quantiles of differences. */
  share: number[];
  /** Jobs that pairs name. */
  named: {
    id: string[];
    user: string[];
    seed: number[];
    gpus: number[];
    submit: number[];
    /** Time alone in the best place. */
    ideal: number[];
  };
  /** The first with the second, the first with the third, ..., the second with the third, ... */
  list: Pair[];
}

/** A difference is the JCT under the second minus that under the first. */
export interface Pair {
  /** Of the means, mean over seeds, and half of its 95 % interval. */
  difference: number;
  ci95: number;
  /** Jobs that end sooner and later under the first. */
  sooner: number;
  later: number;
  /** By grouping, then by group. */
  soonerByGroup: number[][];
  laterByGroup: number[][];
  quantiles: number[];
  /** Jobs that gain and lose most under the first. */
  gains: Members;
  losses: Members;
}

export interface Members {
  /** Index into named. */
  job: number[];
  /** JCT under the first and the second. */
  first: number[];
  second: number[];
}

/** The cluster under each policy with the first seed, over the same time. */
export interface Pictures {
  /** How much time they show. */
  seconds: number;
  makespans: number[];
  grids: Grid[];
}

export interface Reproduction {
  kind: "reproduction";
  title: string;
  version: string;
  /** The experiment's name, what it compares in a sentence, and the paper. */
  experiment: string;
  about: string;
  source: string;
  /** The page of the repository that explains the numbers. */
  docs: string;
  /** How many random workloads each figure is the mean of. */
  draws: number;
  /** The setting whose values are the columns of tables; empty: none. */
  columns: string;
  plots: ExperimentPlot[];
  rows: ExperimentRows;
  checks: ExperimentCheck[];
}

export interface ExperimentPlot {
  name: string;
  title: string;
  horizontal: string;
  vertical: string;
  /** Whether the vertical axis is. */
  logarithmic: boolean;
  series: ExperimentSeries[];
}

/** A line; its points are columns. */
export interface ExperimentSeries {
  name: string;
  /** Whether the numbers are the paper's. */
  paper: boolean;
  x: number[];
  y: number[];
  /** Half of the 95 % interval; 0 if there is none. */
  halfWidth: number[];
}

/** All figures, as in results.json. */
export interface ExperimentRows {
  /** What was varied; null where a row does not have the setting. */
  settings: { name: string; values: (string | number | null)[] }[];
  policy: string[];
  /** What the policy knew of lengths: known, predicted or none; empty of what is no policy. */
  lengths: string[];
  metric: string[];
  mean: number[];
  ci95: number[];
  /** What the paper reports; null where it reports nothing. */
  paper: (number | null)[];
}

/** Something that was expected to be at most so large. */
export interface ExperimentCheck {
  what: string;
  limit: number;
  measured: number;
  holds: boolean;
}

/** A figure over draws of what is not known: its mean, its least and its greatest value. */
export interface Spread {
  mean: number;
  low: number;
  high: number;
}

/** A site's history under changes. */
export interface WhatIf {
  kind: "whatif";
  title: string;
  version: string;
  /** What was replayed on what. */
  lead: string;
  draws: number;
  seed: number;
  /** What happened; null if the history does not tell. */
  truth: Happened | null;
  /** The first is the replay of what is. */
  cases: WhatIfCase[];
  sentences: string[];
}

/** What happened, and how far the replay is off, job by job. */
export interface Happened {
  jobs: number;
  waitMean: number;
  waitP95: number;
  jctMean: number;
  jctP95: number;
  waitError: number;
  jctError: number;
  /** Of the jobs: their replayed wait is within a minute of the true one. */
  nearShare: number;
  /** Of all waiting: as many GPUs were free as the job asked for; null if the history does not tell. */
  freeShare: number | null;
}

export interface WhatIfCase {
  name: string;
  policy: string;
  /** What the policy knew of lengths: known, predicted or none. */
  lengths: string;
  servers: number;
  gpus: number;
  waitMean: Spread;
  waitP95: Spread;
  jctMean: Spread;
  jctP95: Spread;
  goodput: Spread;
  lostGpuHours: Spread;
  stops: Spread;
  /** Over the replay: 0.1 is a tenth longer. */
  waitChange: number;
  waitP95Change: number;
  jctChange: number;
  jctP95Change: number;
  /** Of the mean wait of the same jobs from the replay. */
  waitDifference: Spread;
  soonerShare: number;
  laterShare: number;
  bySize: WhatIfPart[];
  byUser: WhatIfPart[];
}

/** Jobs that have something in common: their mean wait in the replay, and how it changes. */
export interface WhatIfPart {
  label: string;
  jobs: number;
  waitMean: number;
  change: number;
}

/** How many servers a goal takes. */
export interface Size {
  kind: "size";
  title: string;
  version: string;
  lead: string;
  draws: number;
  seed: number;
  /** What is to be below the limit: "p95 wait". */
  figure: string;
  limit: number;
  /** GPUs of the servers of which there are more or fewer. */
  serverGpus: number;
  presentServers: number;
  policies: SizePolicy[];
  sentences: string[];
}

export interface SizePolicy {
  name: string;
  lengths: string;
  /** The smallest cluster that meets the goal; null if none does. */
  fewest: SizePoint | null;
  /** All sizes that were tried, the smallest first. */
  curve: SizePoint[];
}

export interface SizePoint {
  servers: number;
  gpus: number;
  seconds: Spread;
}
