import { rgb } from "d3";
import type { View } from "./view";

const SHADES = 8;
const FAINTEST = 0.35;
/** A gap between bars is left where they are higher and wider than this, in pixels of the screen. */
const NARROW = 3;

/**
 * Bars as pixels. A canvas takes long to fill tens of thousands of rectangles one by one; writing
 * their pixels does not.
 */
export class Raster {
  private readonly canvas = document.createElement("canvas");
  private image = new ImageData(1, 1);
  private pixels = new Uint32Array(1);
  private shades: Uint32Array[] = [];
  /** The line of pixels at which each GPU begins. */
  private edges = new Int32Array(0);
  private view!: View;
  private perSecond = 0;
  private perLane = 0;

  begin(view: View, colours: string[]) {
    this.view = view;
    const width = Math.max(1, Math.round(view.width * view.scale));
    const height = Math.max(1, Math.round(view.height * view.scale));
    if (this.image.width !== width || this.image.height !== height) {
      this.image = new ImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
      this.canvas.width = width;
      this.canvas.height = height;
    }
    this.pixels.fill(0);
    this.perSecond = width / (view.window[1] - view.window[0]);
    this.perLane = view.laneHeight * view.scale;
    this.shades = colours.map(shadesOf);
    const scrolled = view.scroll * view.scale;
    const gpus = view.above[view.above.length - 1];
    this.edges = Int32Array.from({ length: gpus + 1 }, (_, gpu) =>
      Math.round(gpu * this.perLane - scrolled),
    );
  }

  /** The pixel at a time, from the left of the plot, not rounded. */
  column(time: number): number {
    return (time - this.view.window[0]) * this.perSecond;
  }

  bar(row: number, lane: number, lanes: number, left: number, right: number, colour: number) {
    const from = Math.round(left);
    const to = Math.max(from + 1, Math.round(right));
    const gap = lanes * this.perLane >= NARROW && to - from > NARROW ? 1 : 0;
    this.fill(row, lane, lanes, from, to - gap, this.shades[colour][SHADES]);
  }

  /** A pixel of a lane that is covered in part. */
  speck(row: number, lane: number, column: number, share: number, colour: number) {
    const shade = Math.ceil(Math.min(1, Math.max(FAINTEST, share)) * SHADES);
    this.fill(row, lane, 1, column, column + 1, this.shades[colour][shade]);
  }

  private fill(row: number, lane: number, lanes: number, from: number, to: number, pixel: number) {
    const { width, height } = this.image;
    const gpu = this.view.above[row] + lane;
    const top = this.edges[gpu];
    const gap = this.perLane >= NARROW ? 1 : 0;
    const bottom = Math.max(top + 1, this.edges[gpu + lanes] - gap);
    const left = Math.max(0, from);
    const right = Math.min(width, to);
    if (left >= right) {
      return;
    }
    const last = Math.min(height, bottom) * width;
    for (let line = Math.max(0, top) * width; line < last; line += width) {
      // A call costs more than a few pixels do.
      if (right - left < 8) {
        for (let i = line + left; i < line + right; i++) {
          this.pixels[i] = pixel;
        }
      } else {
        this.pixels.fill(pixel, line + left, line + right);
      }
    }
  }

  show(context: CanvasRenderingContext2D) {
    const { left, top, scale } = this.view;
    this.canvas.getContext("2d")!.putImageData(this.image, 0, 0);
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.canvas, Math.round(left * scale), Math.round(top * scale));
    context.restore();
  }
}

/** A colour from clear to full, in the order of bytes that this machine has. */
function shadesOf(colour: string): Uint32Array {
  const { r, g, b } = rgb(colour);
  const bytes = Array.from({ length: SHADES + 1 }, (_, i) => [r, g, b, (255 * i) / SHADES]);
  return new Uint32Array(Uint8ClampedArray.from(bytes.flat()).buffer);
}

/** Pieces of a row narrower than a pixel: each pixel gets the colour of the widest among them. */
export class Dust {
  private readonly column: Int32Array;
  private readonly covered: Float64Array;
  private readonly widest: Float64Array;
  private readonly colour: Int32Array;

  constructor(
    private readonly raster: Raster,
    private readonly row: number,
    lanes: number,
  ) {
    this.column = new Int32Array(lanes).fill(-1);
    this.covered = new Float64Array(lanes);
    this.widest = new Float64Array(lanes);
    this.colour = new Int32Array(lanes);
  }

  add(lane: number, lanes: number, left: number, width: number, colour: number) {
    const column = Math.max(0, Math.floor(left));
    for (let l = lane; l < lane + lanes; l++) {
      if (this.column[l] !== column) {
        this.drop(l);
        this.column[l] = column;
        this.covered[l] = 0;
        this.widest[l] = -1;
      }
      this.covered[l] += width;
      if (width > this.widest[l]) {
        this.widest[l] = width;
        this.colour[l] = colour;
      }
    }
  }

  settle() {
    this.column.forEach((_, lane) => this.drop(lane));
  }

  private drop(lane: number) {
    const column = this.column[lane];
    if (column >= 0) {
      this.raster.speck(this.row, lane, column, this.covered[lane], this.colour[lane]);
    }
  }
}
