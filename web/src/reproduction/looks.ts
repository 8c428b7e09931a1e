import {
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolStar,
  symbolTriangle,
  symbolWye,
  type SymbolType,
} from "d3";
import type { ExperimentPlot, ExperimentSeries } from "../data";
import { CATEGORIES, category } from "../ui/theme";

const upsideDown: SymbolType = {
  draw(context, size) {
    const y = -Math.sqrt(size / (Math.sqrt(3) * 3));
    context.moveTo(0, -y * 2);
    context.lineTo(-Math.sqrt(3) * y, y);
    context.lineTo(Math.sqrt(3) * y, y);
    context.closePath();
  },
};

/** As many as there are colours, so that lines are told apart without them. */
const SYMBOLS: SymbolType[] = [
  symbolCircle,
  symbolSquare,
  symbolTriangle,
  symbolDiamond,
  upsideDown,
  symbolCross,
  symbolStar,
  symbolWye,
];

/** How many lines can be told apart. */
export const MOST_LINES = CATEGORIES.length;

/** A line with its looks. The paper's has those of ours of the same name. */
export interface Line extends ExperimentSeries {
  label: string;
  /** Null if it is one of many that are not chosen: thin and grey. */
  look: { color: string; symbol: SymbolType } | null;
}

export function names(plot: ExperimentPlot): string[] {
  return [...new Set(plot.series.map((series) => series.name))];
}

/** The lines of a plot; if only some are chosen, those have looks, and they come last. */
export function lines(plot: ExperimentPlot, chosen: string[]): Line[] {
  const all = plot.series.map((series) => {
    const i = chosen.indexOf(series.name);
    const says = series.name.includes("paper");
    return {
      ...series,
      label: series.paper && !says ? `${series.name}, paper` : series.name,
      look: i < 0 ? null : { color: category(i), symbol: SYMBOLS[i % SYMBOLS.length] },
    };
  });
  return [...all.filter((line) => line.look === null), ...all.filter((line) => line.look !== null)];
}
