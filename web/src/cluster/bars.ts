import { rgb } from "d3";
import type { Segments } from "../data";
import { assignLanes, firstAfter, firstFrom, type Pieces } from "./lanes";
import { Dust, type Raster } from "./raster";
import { shownRows, x, y, type Spot, type View } from "./view";

/** Segments ready to be drawn and to be found. */
export interface Bars {
  segments: Segments;
  pieces: Pieces;
  /** The server of each piece. */
  server: Int32Array;
  /** The pieces of job j are ofJob[firstOfJob[j]] up to ofJob[firstOfJob[j + 1]]. */
  firstOfJob: Int32Array;
  ofJob: Int32Array;
}

/** What a piece is painted with. */
export interface Paints {
  /** An index into colours for each job. */
  ofJob: ArrayLike<number>;
  colours: string[];
}

/** Lower bars would be all outline. */
const OUTLINED = 6;
const LABEL_HEIGHT = 11;
const LETTER = 6.2;
/** With more pieces in sight there is no room for names anyway. */
const MOST_LABELS = 1500;

export function barsOf(segments: Segments, gpus: number[]): Bars {
  const pieces = assignLanes(segments, gpus);
  const jobs = segments.jobs.id.length;
  const server = new Int32Array(pieces.row.length);
  gpus.forEach((_, s) => server.fill(s, pieces.first[s], pieces.first[s + 1]));
  const firstOfJob = new Int32Array(jobs + 1);
  pieces.row.forEach((row) => firstOfJob[segments.job[row] + 1]++);
  for (let job = 0; job < jobs; job++) {
    firstOfJob[job + 1] += firstOfJob[job];
  }
  const next = firstOfJob.slice();
  const ofJob = new Int32Array(pieces.row.length);
  pieces.row.forEach((row, i) => (ofJob[next[segments.job[row]]++] = i));
  return { segments, pieces, server, firstOfJob, ofJob };
}

export function piecesOf(bars: Bars, job: number): Int32Array {
  return bars.ofJob.subarray(bars.firstOfJob[job], bars.firstOfJob[job + 1]);
}

/** The piece under a place, or the nearest within two pixels in time; -1 if none. */
export function pieceAt(bars: Bars, { time, row, lane, secondsPerPixel }: Spot): number {
  const { pieces } = bars;
  const slack = 2 * secondsPerPixel;
  let best = -1;
  let nearest = slack;
  const least = firstAfter(pieces, row, time - slack);
  for (let i = firstFrom(pieces, row, time + slack) - 1; i >= least; i--) {
    const distance = Math.max(0, pieces.start[i] - time, time - pieces.end[i]);
    const holds = lane >= pieces.lane[i] && lane < pieces.lane[i] + pieces.lanes[i];
    if (holds && distance < nearest) {
      best = i;
      nearest = distance;
    }
  }
  return best;
}

/** Draws what is in sight. What is narrower than a pixel is gathered, so that it costs a pixel. */
export function drawBars(
  context: CanvasRenderingContext2D,
  view: View,
  bars: Bars,
  { ofJob, colours }: Paints,
  raster: Raster,
) {
  const { pieces, segments } = bars;
  const [from, to] = shownRows(view);
  raster.begin(view, colours);
  const labelled: number[] = [];
  for (let row = from; row < to; row++) {
    const lanes = view.above[row + 1] - view.above[row];
    const dust = new Dust(raster, row, lanes);
    const last = firstFrom(pieces, row, view.window[1]);
    for (let i = firstAfter(pieces, row, view.window[0]); i < last; i++) {
      if (pieces.end[i] <= view.window[0]) {
        continue;
      }
      const left = raster.column(pieces.start[i]);
      const right = raster.column(pieces.end[i]);
      const colour = ofJob[segments.job[pieces.row[i]]];
      if (right - left < 1) {
        dust.add(pieces.lane[i], pieces.lanes[i], left, right - left, colour);
      } else {
        raster.bar(row, pieces.lane[i], pieces.lanes[i], left, right, colour);
        if (labelled.length <= MOST_LABELS && pieces.lanes[i] * view.laneHeight >= LABEL_HEIGHT) {
          labelled.push(i);
        }
      }
    }
    dust.settle();
  }
  raster.show(context);
  if (labelled.length <= MOST_LABELS) {
    drawNames(context, view, bars, labelled, { ofJob, colours });
  }
}

/** Dims all but one job. */
export function drawJob(
  context: CanvasRenderingContext2D,
  view: View,
  bars: Bars,
  paints: Paints,
  job: number,
) {
  context.globalAlpha = 0.72;
  context.fillStyle = view.theme.paper;
  context.fillRect(view.left, view.top, view.width, view.height);
  context.globalAlpha = 1;
  const { pieces } = bars;
  context.strokeStyle = view.theme.ink;
  context.lineWidth = 1;
  context.fillStyle = paints.colours[paints.ofJob[job]];
  for (const i of piecesOf(bars, job)) {
    if (pieces.end[i] < view.window[0] || pieces.start[i] > view.window[1]) {
      continue;
    }
    const row = bars.server[i];
    const left = x(view, pieces.start[i]);
    const width = Math.max(2, x(view, pieces.end[i]) - left);
    const top = y(view, row, pieces.lane[i]);
    const height = Math.max(2, pieces.lanes[i] * view.laneHeight);
    context.fillRect(left, top, width, height);
    if (height >= OUTLINED) {
      context.strokeRect(left, top, width, height);
    }
  }
}

function drawNames(
  context: CanvasRenderingContext2D,
  view: View,
  bars: Bars,
  shown: number[],
  { ofJob, colours }: Paints,
) {
  const { pieces, segments } = bars;
  const inks = colours.map((colour) => (luminance(colour) > 0.36 ? "#14181f" : "#ffffff"));
  context.font = "10px system-ui, 'Noto Sans', 'DejaVu Sans', sans-serif";
  context.textAlign = "left";
  context.textBaseline = "middle";
  for (const i of shown) {
    const job = segments.job[pieces.row[i]];
    const id = segments.jobs.id[job];
    const left = Math.max(view.left, x(view, pieces.start[i]));
    const right = Math.min(view.left + view.width, x(view, pieces.end[i]));
    if (right - left > id.length * LETTER + 8) {
      context.fillStyle = inks[ofJob[job]];
      context.fillText(id, left + 4, y(view, bars.server[i], pieces.lane[i] + pieces.lanes[i] / 2));
    }
  }
}

/** Relative luminance, as the rules for contrast define it. */
function luminance(colour: string): number {
  const { r, g, b } = rgb(colour);
  const linear = (v: number) =>
    v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4;
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}
