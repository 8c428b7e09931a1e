/** Rows of segments: what a job held on a server from start to end. */
export interface Held {
  job: ArrayLike<number>;
  start: ArrayLike<number>;
  end: ArrayLike<number>;
  server: ArrayLike<number>;
  gpus: ArrayLike<number>;
}

/** Rectangles: neighbouring lanes of a server that a segment holds. Server after server, by start. */
export interface Pieces {
  /** The pieces of server s are those from first[s] up to first[s + 1]. */
  first: Int32Array;
  /** The segment that each belongs to. */
  row: Int32Array;
  start: Float64Array;
  end: Float64Array;
  lane: Int32Array;
  lanes: Int32Array;
  /** The latest end among a server's pieces up to this one: it rises, so that it can be searched. */
  reach: Float64Array;
}

/**
 * Gives each segment lanes of its server. Which GPUs it held is not known: a job that stays keeps
 * its lanes, others get the smallest run of free lanes that suits, or several runs if none does.
 */
export function assignLanes(held: Held, gpus: number[]): Pieces {
  const order = Array.from({ length: held.start.length }, (_, i) => i).sort(
    (a, b) =>
      held.server[a] - held.server[b] || held.start[a] - held.start[b] || held.job[a] - held.job[b],
  );
  const row: number[] = [];
  const lane: number[] = [];
  const lanes: number[] = [];
  const first = new Int32Array(gpus.length + 1);
  let next = 0;
  for (let server = 0; server < gpus.length; server++) {
    first[server] = row.length;
    const seats = new Seats(gpus[server]);
    while (next < order.length && held.server[order[next]] === server) {
      const i = order[next++];
      for (const [from, to] of seats.take(held.job[i], held.gpus[i], held.start[i], held.end[i])) {
        row.push(i);
        lane.push(from);
        lanes.push(to - from);
      }
    }
  }
  first[gpus.length] = row.length;
  return withTimes(held, first, row, lane, lanes);
}

function withTimes(
  held: Held,
  first: Int32Array,
  row: number[],
  lane: number[],
  lanes: number[],
): Pieces {
  const start = Float64Array.from(row, (i) => held.start[i]);
  const end = Float64Array.from(row, (i) => held.end[i]);
  const reach = end.slice();
  for (let server = 0; server + 1 < first.length; server++) {
    for (let i = first[server] + 1; i < first[server + 1]; i++) {
      reach[i] = Math.max(reach[i], reach[i - 1]);
    }
  }
  return {
    first,
    row: Int32Array.from(row),
    start,
    end,
    lane: Int32Array.from(lane),
    lanes: Int32Array.from(lanes),
    reach,
  };
}

type Run = [from: number, to: number];

/** The lanes of one server and until when each is held. */
class Seats {
  private readonly until: Float64Array;
  private readonly holder: Int32Array;

  constructor(private readonly size: number) {
    this.until = new Float64Array(size).fill(-Infinity);
    this.holder = new Int32Array(size).fill(-1);
  }

  take(job: number, wanted: number, start: number, end: number): Run[] {
    const chosen = new Set<number>();
    const choose = (lane: number) => chosen.size < wanted && chosen.add(lane);
    for (let lane = 0; lane < this.size; lane++) {
      if (this.holder[lane] === job && this.until[lane] === start) {
        choose(lane);
      }
    }
    while (chosen.size < wanted) {
      const runs = this.runs((lane) => this.until[lane] <= start && !chosen.has(lane));
      if (runs.length === 0) {
        break;
      }
      const [from, to] = fittest(runs, wanted - chosen.size);
      for (let lane = from; lane < to; lane++) {
        choose(lane);
      }
    }
    for (const lane of chosen) {
      this.until[lane] = end;
      this.holder[lane] = job;
    }
    return this.runs((lane) => chosen.has(lane));
  }

  private runs(has: (lane: number) => boolean): Run[] {
    const runs: Run[] = [];
    for (let lane = 0; lane < this.size; lane++) {
      if (!has(lane)) {
        continue;
      }
      const last = runs[runs.length - 1];
      if (last && last[1] === lane) {
        last[1]++;
      } else {
        runs.push([lane, lane + 1]);
      }
    }
    return runs;
  }
}

/** The shortest run that is long enough, else the longest. */
function fittest(runs: Run[], wanted: number): Run {
  const length = ([from, to]: Run) => to - from;
  return runs.reduce((best, run) => {
    const fits = length(run) >= wanted;
    const bestFits = length(best) >= wanted;
    if (fits !== bestFits) {
      return fits ? run : best;
    }
    const longer = length(run) > length(best);
    const shorter = length(run) < length(best);
    return (fits ? shorter : longer) ? run : best;
  });
}

/** The first piece of a server that may end after a time. */
export function firstAfter(pieces: Pieces, server: number, time: number): number {
  return search(pieces.reach, pieces.first[server], pieces.first[server + 1], (v) => v > time);
}

/** The first piece of a server that starts at a time or later. */
export function firstFrom(pieces: Pieces, server: number, time: number): number {
  return search(pieces.start, pieces.first[server], pieces.first[server + 1], (v) => v >= time);
}

/** The first index whose value passes; values that pass come after those that do not. */
export function search(
  values: ArrayLike<number>,
  from: number,
  to: number,
  passes: (value: number) => boolean,
): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (passes(values[middle])) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}
