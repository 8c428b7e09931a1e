import type { Node } from "./api";
import type { Board, Row } from "./board";

/** Nobody holds it; somebody does whom the caller may not see. */
export const IDLE = 0;
export const OTHERS_JOB = -1;

/** GPUs of a server: for each the job that holds it. */
export interface Server {
  node: Node;
  cells: Int32Array;
}

/**
 * Which cell of which server is whose. The server says how many GPUs of a node a job holds, not
 * which; a job keeps the cells that it was once given, so that nothing jumps.
 */
export class Cells {
  private version = -1;
  private byName = new Map<string, Server>();
  servers: Server[] = [];
  busy = 0;
  total = 0;

  /** An admin sees all jobs: nothing is held by others. */
  constructor(private readonly seesAll: boolean) {}

  /** Brings it up to date, if it is not. */
  sync(board: Board) {
    if (this.version !== board.clusterVersion) {
      this.version = board.clusterVersion;
      this.update(board.nodes, board.rows.values());
    }
  }

  private update(nodes: Node[], rows: Iterable<Row>) {
    const wanted = new Map<string, Map<number, number>>();
    for (const row of rows) {
      for (const [node, gpus] of row.held) {
        const jobs = wanted.get(node) ?? new Map<number, number>();
        wanted.set(node, jobs.set(row.id, gpus));
      }
    }
    const old = this.byName;
    this.byName = new Map();
    this.busy = this.total = 0;
    this.servers = nodes.map((node) => {
      const before = old.get(node.name);
      const cells = before?.cells.length === node.gpus ? before.cells : new Int32Array(node.gpus);
      this.fill(cells, wanted.get(node.name) ?? new Map<number, number>(), node);
      const server = { node, cells };
      this.byName.set(node.name, server);
      return server;
    });
  }

  private fill(cells: Int32Array, jobs: Map<number, number>, node: Node) {
    const missing = new Map(jobs);
    for (let i = 0; i < cells.length; i++) {
      const left = missing.get(cells[i]) ?? 0;
      if (left > 0) {
        missing.set(cells[i], left - 1);
      } else {
        cells[i] = IDLE;
      }
    }
    let at = 0;
    for (const [job, gpus] of [...missing].sort(([a], [b]) => a - b)) {
      for (let n = 0; n < gpus && at < cells.length; at++) {
        if (cells[at] === IDLE) {
          cells[at] = job;
          n++;
        }
      }
    }
    const own = [...jobs.values()].reduce((sum, gpus) => sum + gpus, 0);
    let others = this.seesAll ? node.others.gpus : node.gpus - node.free_gpus - own;
    for (let i = cells.length - 1; i >= 0 && others > 0; i--) {
      if (cells[i] === IDLE) {
        cells[i] = OTHERS_JOB;
        others--;
      }
    }
    this.total += cells.length;
    this.busy += cells.reduce((sum, cell) => sum + (cell === IDLE ? 0 : 1), 0);
  }
}

/** Where servers and their cells are in a picture of some width. */
export interface Arrangement {
  cell: number;
  gap: number;
  /** Room for the name above the cells; 0: names are not written. */
  label: number;
  tileWidth: number;
  tileHeight: number;
  columns: number;
  height: number;
}

const SIZES = [22, 18, 15, 12, 10, 8, 6, 5, 4];
const MOST_HEIGHT = 420;
const LABELLED = 10;
const LABEL_WIDTH = 52;
const HEADING_HEIGHT = 20;

/** Servers that belong together, under a heading; without one if it is empty. */
export interface Group {
  label: string;
  servers: Server[];
}

/** A place in the grid: a server, a heading, or nothing. */
export type Slot = Server | string | null;

/** The largest cells with which all servers fit into the height; the smallest if none do. */
export function arrange(groups: Group[], mostGpus: number, width: number): Arrangement {
  let found: Arrangement | null = null;
  for (const cell of SIZES) {
    const gap = cell >= 8 ? 2 : 1;
    const label = cell >= LABELLED ? 16 : 0;
    const wide = Math.max(mostGpus * (cell + gap), label > 0 ? LABEL_WIDTH : 0);
    const tileWidth = wide + (cell >= 8 ? 12 : 6);
    // A heading needs a row of its own that it fits into.
    const least = groups.some((group) => group.label !== "") ? HEADING_HEIGHT : 0;
    const tileHeight = Math.max(least, label + cell + (cell >= 8 ? 10 : 5));
    const columns = Math.max(1, Math.floor(width / tileWidth));
    const rows = groups.reduce(
      (sum, { label, servers }) =>
        sum + (label === "" ? 0 : 1) + Math.ceil(servers.length / columns),
      0,
    );
    const height = rows * tileHeight;
    found = { cell, gap, label, tileWidth, tileHeight, columns, height };
    if (height <= MOST_HEIGHT) {
      return found;
    }
  }
  return found!;
}

/** What is where in the grid, row by row; each group begins in a new row. */
export function slotsOf(groups: Group[], columns: number): Slot[] {
  const slots: Slot[] = [];
  const fillRow = () => {
    while (slots.length % columns !== 0) {
      slots.push(null);
    }
  };
  for (const { label, servers } of groups) {
    fillRow();
    if (label !== "") {
      slots.push(label);
      fillRow();
    }
    slots.push(...servers);
  }
  return slots;
}

export const serverAt = (slots: Slot[], at: number): Server | null => {
  const slot = slots[at];
  return slot && typeof slot !== "string" ? slot : null;
};

/** The server's place and the cell at a point; null beside them. */
export function cellAt(
  arrangement: Arrangement,
  slots: Slot[],
  x: number,
  y: number,
): { server: number; gpu: number } | null {
  const { columns, tileWidth, tileHeight, cell, gap } = arrangement;
  const column = Math.floor(x / tileWidth);
  const at = Math.floor(y / tileHeight) * columns + column;
  const server = column < 0 || column >= columns ? null : serverAt(slots, at);
  const gpu = Math.floor((x - column * tileWidth) / (cell + gap));
  return server && gpu < server.cells.length ? { server: at, gpu } : null;
}

/** Colours that neighbours in number do not share: the hue goes round by the golden angle. */
export function jobColour(job: number, dark: boolean): string {
  const hue = (job * 137.508) % 360;
  const light = [46, 58, 38][job % 3] + (dark ? 10 : 0);
  return `hsl(${hue.toFixed(0)} 58% ${light}%)`;
}
