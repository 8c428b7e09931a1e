import type { Theme } from "../ui/theme";
import type { Run } from "../data";
import { search } from "./lanes";

/** From, to, in seconds. */
export type Span = [number, number];

/** What the pictures of a cluster are given. */
export interface PictureProps {
  run: Run;
  /** The part of the run in sight; the parent keeps it. */
  window: Span;
  onWindow: (window: Span) => void;
}

/** What is drawn from top to bottom: servers, or groups of neighbours, each with its GPUs. */
export interface Rows {
  names: string[];
  gpus: number[];
}

/** Where rows and times are on the canvas, in pixels of the page. */
export interface View {
  left: number;
  top: number;
  width: number;
  height: number;
  /** How far the rows are scrolled. */
  scroll: number;
  laneHeight: number;
  /** GPUs above each row, and at the end all of them. */
  above: Float64Array;
  window: Span;
  /** The start of the run, from which the axis counts. */
  origin: number;
  /** Pixels of the screen in one of the page. */
  scale: number;
  theme: Theme;
}

/** A place in the picture. */
export interface Spot {
  time: number;
  row: number;
  /** GPUs below the top of the row. */
  lane: number;
  /** How much time a pixel of the page is. */
  secondsPerPixel: number;
}

const TOP = 5;
const RIGHT = 12;
export const AXIS = 40;
const FITTED = 520;
const HIGHEST_LANE = 24;
const LOWEST_ROW = 4;

/** The height of a GPU with which all rows fit, unless they get too low to see. */
export function fittingLane(rows: Rows): number {
  const gpus = total(rows);
  return Math.max(Math.min(FITTED / gpus, HIGHEST_LANE), (LOWEST_ROW * rows.names.length) / gpus);
}

export function total(rows: Rows): number {
  return rows.gpus.reduce((sum, n) => sum + n, 0);
}

export function gpusAbove(rows: Rows): Float64Array {
  const above = new Float64Array(rows.gpus.length + 1);
  rows.gpus.forEach((n, i) => (above[i + 1] = above[i] + n));
  return above;
}

/** How high the rows are in all, and the part of the canvas that they get. */
export function heights(above: Float64Array, laneHeight: number) {
  const content = Math.ceil(above[above.length - 1] * laneHeight);
  return { content, shown: Math.min(content, FITTED) };
}

export function plotBox(left: number, width: number, height: number) {
  return { left, top: TOP, width: Math.max(40, width - left - RIGHT), height };
}

export function canvasHeight(shown: number): number {
  return TOP + shown + AXIS;
}

export function x(view: View, time: number): number {
  const [t0, t1] = view.window;
  return view.left + ((time - t0) / (t1 - t0)) * view.width;
}

export function y(view: View, row: number, lane = 0): number {
  return view.top - view.scroll + (view.above[row] + lane) * view.laneHeight;
}

/** The rows that are not scrolled away: from, and up to but without. */
export function shownRows(view: View): [number, number] {
  const gpus = view.above;
  const rows = gpus.length - 1;
  const from = view.scroll / view.laneHeight;
  const to = (view.scroll + view.height) / view.laneHeight;
  return [
    Math.max(0, search(gpus, 0, rows, (n) => n > from) - 1),
    search(gpus, 0, rows, (n) => n >= to),
  ];
}

/** What is at a place of the canvas; null beside the plot. */
export function spotAt(view: View, atX: number, atY: number): Spot | null {
  const rows = view.above.length - 1;
  const inside =
    atX >= view.left &&
    atX <= view.left + view.width &&
    atY >= view.top &&
    atY < view.top + view.height;
  const gpu = (atY - view.top + view.scroll) / view.laneHeight;
  if (!inside || gpu >= view.above[rows]) {
    return null;
  }
  const row = search(view.above, 0, rows, (n) => n > gpu) - 1;
  const secondsPerPixel = (view.window[1] - view.window[0]) / view.width;
  return {
    time: view.window[0] + (atX - view.left) * secondsPerPixel,
    row,
    lane: gpu - view.above[row],
    secondsPerPixel,
  };
}

/** To whole pixels of the screen, so that edges are sharp. */
export function snap(view: View, pixels: number): number {
  return Math.round(pixels * view.scale) / view.scale;
}

export function clipToPlot(context: CanvasRenderingContext2D, view: View) {
  context.beginPath();
  context.rect(view.left, view.top, view.width, view.height);
  context.clip();
}
