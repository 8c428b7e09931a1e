import { search } from "./lanes";
import { shownRows, snap, x, y, type Rows, type View } from "./view";

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86400;

const UNITS = [
  { seconds: DAY, long: "days", steps: [1, 2, 5, 7, 14, 28, 50, 100, 200, 500, 1000] },
  { seconds: HOUR, long: "hours", steps: [1, 2, 3, 6, 12] },
  { seconds: MINUTE, long: "minutes", steps: [1, 2, 5, 10, 15, 30] },
  { seconds: 1, long: "seconds", steps: [0.001, 0.01, 0.1, 0.5, 1, 2, 5, 10, 15, 30] },
];
const STEPS = UNITS.flatMap((unit) => unit.steps.map((n) => n * unit.seconds)).sort(
  (a, b) => a - b,
);

const TICK_WIDTH = 84;
const PLAIN_UP_TO = 120;
const LABEL_HEIGHT = 12;
/** Lines between lower rows would be most of what is seen. */
const LINED_ROW = 7;
const FONT = "11px system-ui, 'Noto Sans', 'DejaVu Sans', sans-serif";
const WIDEST_NAME = 130;
/** With short names, times are where they are in the plots over time. */
const LIKE_OTHER_PLOTS = 60;

export interface Ticks {
  /** Seconds since the origin. */
  at: number[];
  labels: string[];
  title: string;
}

/** Ticks at round times since the start: plain numbers, or days and clock times far from it. */
export function ticks(from: number, to: number, width: number): Ticks {
  const least = ((to - from) * TICK_WIDTH) / Math.max(width, TICK_WIDTH);
  const step = STEPS.find((s) => s >= least) ?? STEPS[STEPS.length - 1];
  const at: number[] = [];
  for (let i = Math.ceil(from / step - 1e-9); i * step <= to + step * 1e-9; i++) {
    at.push(i * step);
  }
  const unit = UNITS.find((u) => step % u.seconds === 0) ?? UNITS[UNITS.length - 1];
  if (unit.seconds === DAY || to / unit.seconds <= PLAIN_UP_TO) {
    const labels = at.map((t) => String(+(t / unit.seconds).toFixed(3)));
    return { at, labels, title: `${unit.long} since the start` };
  }
  let day = -1;
  const labels = at.map((t) => {
    const today = Math.floor(t / DAY);
    const text = (today !== day && today > 0 ? `${today} d ` : "") + clock(t % DAY, step);
    day = today;
    return text;
  });
  const parts = to >= DAY ? "days and hours" : "hours and minutes";
  return { at, labels, title: `${parts} since the start` };
}

function clock(seconds: number, step: number): string {
  const two = (n: number) => String(Math.floor(n)).padStart(2, "0");
  const minutes = `${two(seconds / HOUR)}:${two((seconds % HOUR) / MINUTE)}`;
  const rest = seconds % MINUTE;
  return step % MINUTE === 0 ? minutes : `${minutes}:${step < 1 ? rest.toFixed(3) : two(rest)}`;
}

/** The room that names of rows need. */
export function namesWidth(rows: Rows): number {
  const context = document.createElement("canvas").getContext("2d")!;
  context.font = FONT;
  const widest = rows.names.reduce((a, b) => (b.length > a.length ? b : a), "");
  const needed = Math.ceil(Math.min(WIDEST_NAME, context.measureText(widest).width)) + 10;
  return Math.max(LIKE_OTHER_PLOTS, needed);
}

/** Vertical lines behind the picture. */
export function drawGridlines(context: CanvasRenderingContext2D, view: View, shown: Ticks) {
  context.fillStyle = view.theme.line;
  for (const t of shown.at) {
    const at = snap(view, x(view, view.origin + t));
    context.fillRect(at, view.top, 1 / view.scale, view.height);
  }
}

export function drawTimeAxis(context: CanvasRenderingContext2D, view: View, shown: Ticks) {
  const { theme } = view;
  const bottom = view.top + view.height;
  context.font = FONT;
  context.textBaseline = "top";
  context.textAlign = "center";
  shown.at.forEach((t, i) => {
    const at = snap(view, x(view, view.origin + t));
    context.fillStyle = theme.muted;
    context.fillRect(at, bottom, 1 / view.scale, 4);
    context.fillText(shown.labels[i], at, bottom + 7);
  });
  context.textAlign = "right";
  context.fillStyle = theme.muted;
  context.fillText(`${shown.title} →`, view.left + view.width, bottom + 24);
}

/** Names on the left, as many as there is room for, and lines between rows. */
export function drawRows(context: CanvasRenderingContext2D, view: View, rows: Rows) {
  const [from, to] = shownRows(view);
  context.font = FONT;
  context.textBaseline = "middle";
  context.textAlign = "right";
  let free = -Infinity;
  for (let row = from; row < to; row++) {
    const top = y(view, row);
    const bottom = y(view, row + 1);
    const middle = (top + bottom) / 2;
    if (row > 0 && bottom - top >= LINED_ROW && top > view.top) {
      context.fillStyle = view.theme.paper;
      context.fillRect(view.left, snap(view, top), view.width, 1 / view.scale);
    }
    const inside = middle >= view.top && middle <= view.top + view.height;
    if (inside && middle - LABEL_HEIGHT / 2 >= free) {
      context.fillStyle = view.theme.muted;
      context.fillText(shortened(context, rows.names[row]), view.left - 6, middle);
      free = middle + LABEL_HEIGHT / 2;
    }
  }
}

/** Names of servers differ at their ends: these are kept. */
function shortened(context: CanvasRenderingContext2D, name: string): string {
  const fits = (text: string) => context.measureText(text).width <= WIDEST_NAME;
  if (fits(name)) {
    return name;
  }
  const cuts = Array.from({ length: name.length }, (_, i) => i);
  const cut = search(cuts, 1, name.length, (n) => fits(`…${name.slice(n)}`));
  return `…${name.slice(cut)}`;
}
