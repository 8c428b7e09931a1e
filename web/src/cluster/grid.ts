import { rgb } from "d3";
import type { Grid } from "../data";
import { ramp, type Theme } from "../ui/theme";
import { shownRows, x, y, type Spot, type View } from "./view";

/** A grid's cells as bytes. */
export interface Cells {
  busy: Uint8Array;
  size: Uint8Array;
  user: Uint8Array;
  rings: Uint8Array;
}

/** What stands for no class or no user. */
export const NONE = 255;

/** Cells in which little runs must still be seen. */
const FAINTEST = 0.18;

export function cellsOf(grid: Grid): Cells {
  return {
    busy: bytes(grid.busy),
    size: bytes(grid.size),
    user: bytes(grid.user),
    rings: bytes(grid.rings),
  };
}

function bytes(base64: string): Uint8Array {
  const text = atob(base64);
  const out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    out[i] = text.charCodeAt(i);
  }
  return out;
}

/** A pixel for each cell. */
export function cellPicture(grid: Grid, colour: (cell: number) => number): HTMLCanvasElement {
  const picture = document.createElement("canvas");
  picture.width = Math.max(1, grid.bins);
  picture.height = Math.max(1, grid.rows.length);
  const context = picture.getContext("2d")!;
  const image = context.createImageData(picture.width, picture.height);
  const pixels = new DataView(image.data.buffer);
  for (let cell = 0; cell < grid.bins * grid.rows.length; cell++) {
    pixels.setUint32(4 * cell, colour(cell));
  }
  context.putImageData(image, 0, 0);
  return picture;
}

/** Red, green, blue and opacity in four bytes. */
export function packed(colour: string): number {
  const { r, g, b } = rgb(colour);
  return ((Math.round(r) << 24) | (Math.round(g) << 16) | (Math.round(b) << 8) | 255) >>> 0;
}

/** Colours of cells: that of what dominates, the paler the fewer GPUs are in use. */
export function busyColour(
  busy: Uint8Array,
  kind: Uint8Array,
  colours: string[],
  theme: Theme,
): (cell: number) => number {
  const idle = rgb(theme.idle);
  const shades = colours.map((name) => {
    const full = rgb(name);
    return Array.from({ length: 256 }, (_, level) => {
      const share = FAINTEST + (1 - FAINTEST) * (level / 255);
      const mix = (a: number, b: number) => Math.round(a + (b - a) * share);
      return packed(rgb(mix(idle.r, full.r), mix(idle.g, full.g), mix(idle.b, full.b)).formatHex());
    });
  });
  const none = packed(theme.idle);
  return (cell) =>
    busy[cell] === 0 || kind[cell] === NONE ? none : (shades[kind[cell]]?.[busy[cell]] ?? none);
}

/** Draws the part of a picture of cells that is in sight. */
export function drawCells(
  context: CanvasRenderingContext2D,
  view: View,
  grid: Grid,
  picture: HTMLCanvasElement,
) {
  const [t0, t1] = view.window;
  const firstBin = Math.max(0, Math.floor((t0 - grid.start) / grid.binSeconds));
  const lastBin = Math.min(grid.bins, Math.ceil((t1 - grid.start) / grid.binSeconds));
  if (lastBin <= firstBin) {
    return;
  }
  const left = x(view, grid.start + firstBin * grid.binSeconds);
  const width = x(view, grid.start + lastBin * grid.binSeconds) - left;
  const bins = lastBin - firstBin;
  // Cells narrower than a pixel are blended; wider ones keep their edges.
  context.imageSmoothingEnabled = width * view.scale < bins;
  const [from, to] = shownRows(view);
  for (let row = from; row < to; row++) {
    const top = Math.round(y(view, row) * view.scale) / view.scale;
    const bottom = Math.round(y(view, row + 1) * view.scale) / view.scale;
    context.drawImage(picture, firstBin, row, bins, 1, left, top, width, bottom - top);
  }
}

/** The cell at a place: its row and its bin; null beside the grid. */
export function cellAt(grid: Grid, spot: Spot): { row: number; bin: number } | null {
  const bin = Math.floor((spot.time - grid.start) / grid.binSeconds);
  return bin >= 0 && bin < grid.bins ? { row: spot.row, bin } : null;
}

/** Frames a cell. */
export function drawCellFrame(
  context: CanvasRenderingContext2D,
  view: View,
  grid: Grid,
  cell: { row: number; bin: number },
) {
  const left = x(view, grid.start + cell.bin * grid.binSeconds);
  const right = x(view, grid.start + (cell.bin + 1) * grid.binSeconds);
  const top = y(view, cell.row);
  context.strokeStyle = view.theme.ink;
  context.lineWidth = 1.5;
  context.strokeRect(left, top, Math.max(2, right - left), y(view, cell.row + 1) - top);
}

/** The whole grid on a canvas of some size, without axes: size classes in their colours. */
export function drawGrid(
  canvas: HTMLCanvasElement,
  grid: Grid,
  sizes: string[],
  theme: Theme,
  width: number,
  height: number,
) {
  const scale = globalThis.devicePixelRatio || 1;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d")!;
  context.fillStyle = theme.idle;
  context.fillRect(0, 0, canvas.width, canvas.height);
  const colour = busyColour(bytes(grid.busy), bytes(grid.size), ramp(sizes.length), theme);
  const picture = cellPicture(grid, colour);
  const gpus = grid.gpus.reduce((sum, n) => sum + n, 0);
  context.imageSmoothingEnabled = canvas.width < grid.bins || canvas.height < grid.rows.length;
  let above = 0;
  grid.gpus.forEach((n, row) => {
    const top = Math.round((above / gpus) * canvas.height);
    above += n;
    const bottom = Math.max(top + 1, Math.round((above / gpus) * canvas.height));
    context.drawImage(picture, 0, row, grid.bins, 1, 0, top, canvas.width, bottom - top);
  });
}
