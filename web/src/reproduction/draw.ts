import * as Plot from "@observablehq/plot";
import { select, symbol } from "d3";
import type { ExperimentPlot } from "../data";
import { number } from "../ui/format";
import type { Line } from "./looks";

const LETTER = 6.8;
const LINE_HEIGHT = 14;
const LABEL_LETTERS = 24;
const SYMBOL_SIZE = 42;
const LEADER = 26;
const AXIS_LABELS = 10;

interface Point {
  line: Line;
  x: number;
  y: number;
  low: number;
  high: number;
}

function points(line: Line): Point[] {
  return line.x.map((x, i) => ({
    line,
    x,
    y: line.y[i],
    low: line.y[i] - line.halfWidth[i],
    high: line.y[i] + line.halfWidth[i],
  }));
}

/** So much above the highest point does an interval stretch a plot at most. */
const ROOM_FOR_BARS = 1.6;

/** Where the vertical axis goes: from 0, unless all values are far from it. */
export function verticalDomain(plot: ExperimentPlot): [number, number] {
  const values = plot.series.flatMap((series) => series.y);
  const bars = (sign: number) =>
    plot.series.flatMap((series) => series.y.map((y, i) => y + sign * series.halfWidth[i]));
  const highest = Math.max(...values);
  const lowest = Math.min(...values);
  const most = highest > 0 ? Math.min(Math.max(...bars(1)), ROOM_FOR_BARS * highest) : highest;
  const least = Math.max(Math.min(...bars(-1)), lowest < 0 ? -Infinity : 0);
  if (plot.logarithmic) {
    return [Math.max(least, lowest / ROOM_FOR_BARS) / 1.1, most * 1.1];
  }
  const room = 0.06 * (most - least || Math.abs(most) || 1);
  return [least > 0.4 * most ? least - room : Math.min(0, least), most + room];
}

/** Whether an interval is cut, so as not to flatten the lines. */
export function cutsBars(plot: ExperimentPlot): boolean {
  const [bottom, top] = verticalDomain(plot);
  return plot.series.some((series) =>
    series.y.some((y, i) => y - series.halfWidth[i] < bottom || y + series.halfWidth[i] > top),
  );
}

/** Values that are far apart by factors. */
export function isWide(plot: ExperimentPlot): boolean {
  const xs = plot.series.flatMap((series) => series.x);
  return Math.min(...xs) > 0 && Math.max(...xs) / Math.min(...xs) >= 8;
}

/** The places of points, if they are few: ticks that say more than round numbers. */
function horizontalTicks(plot: ExperimentPlot, inner: number): number[] | undefined {
  const xs = [...new Set(plot.series.flatMap((series) => series.x))].sort((a, b) => a - b);
  if (xs.length > AXIS_LABELS) {
    return undefined;
  }
  const at = (x: number) => (isWide(plot) ? Math.log(x) : x);
  const span = at(xs[xs.length - 1]) - at(xs[0]) || 1;
  const least = (26 / inner) * span;
  return xs.filter((x, i) => i === 0 || at(x) - at(xs[i - 1]) >= least);
}

function wrapped(text: string): string[] {
  const result = [""];
  for (const word of text.split(" ")) {
    const last = result[result.length - 1];
    if (last !== "" && last.length + 1 + word.length > LABEL_LETTERS) {
      result.push(word);
    } else {
      result[result.length - 1] = last === "" ? word : `${last} ${word}`;
    }
  }
  return result;
}

/** Draws lines with their intervals, each with its name at its right end. */
export function drawLines(plot: ExperimentPlot, all: Line[], width: number): SVGElement {
  const named = all.filter((line) => line.look !== null && line.x.length > 0);
  const texts = named.map((line) => wrapped(line.label));
  const longest = Math.max(0, ...texts.flat().map((text) => text.length));
  const marginRight = LEADER + 16 + longest * LETTER;
  const marginLeft = 52;
  const rows = texts.reduce((sum, text) => sum + text.length, 0);
  const height = Math.max(300, rows * LINE_HEIGHT + 80);
  const flat = all.flatMap(points);
  const domain = verticalDomain(plot);
  const svg = Plot.plot({
    width,
    height,
    style: { fontSize: "12px" },
    marginTop: 30,
    marginLeft,
    marginRight,
    marginBottom: 46,
    x: {
      type: isWide(plot) ? "log" : "linear",
      label: plot.horizontal,
      insetLeft: 10,
      insetRight: 6,
    },
    y: {
      type: plot.logarithmic ? "log" : "linear",
      domain,
      label: plot.vertical,
      ticks: 6,
      grid: true,
    },
    marks: [
      // A logarithmic scale would drop words of its own choice: these are all to be seen.
      Plot.axisX({
        ticks: horizontalTicks(plot, width - marginLeft - marginRight),
        text: (x: number) => `${x}`,
        labelAnchor: "center",
        labelArrow: "none",
      }),
      Plot.axisY({ labelArrow: "none", ...(plot.logarithmic && { text: logTick }) }),
      ...all.flatMap((line) => marks(line, domain)),
      Plot.tip(
        flat,
        Plot.pointer({ x: "x", y: "y", title: (point: Point) => tipText(plot, point) }),
      ),
    ],
  }) as SVGSVGElement & Plot.Plot;
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", plot.title);
  labels(svg, named, texts, width - marginRight, height);
  return svg;
}

/** Only 1, 2 and 5 of each power of ten have words. */
function logTick(y: number): string {
  const digit = Math.round(y / 10 ** Math.floor(Math.log10(y * 1.0001)));
  return [1, 2, 5].includes(digit) ? y.toLocaleString("en") : "";
}

function tipText(plot: ExperimentPlot, { line, x, y, high }: Point): string {
  const half = high - y;
  const interval = half > 0 ? ` ± ${number(half)}` : "";
  return `${line.label}\n${plot.horizontal}: ${x}\n${plot.vertical}: ${number(y)}${interval}`;
}

function marks(line: Line, [bottom, top]: [number, number]): Plot.Markish[] {
  const own = points(line);
  const at = { x: "x", y: "y" };
  if (line.look === null) {
    return [Plot.line(own, { ...at, stroke: "var(--muted)", strokeOpacity: 0.5 })];
  }
  const { color, symbol } = line.look;
  const bars = own.filter((point) => point.high > point.y);
  const marks: Plot.Markish[] = [
    Plot.ruleX(bars, {
      x: "x",
      y1: (point: Point) => Math.max(point.low, bottom),
      y2: (point: Point) => Math.min(point.high, top),
      stroke: color,
      strokeOpacity: 0.65,
      strokeWidth: 1.5,
      marker: "tick",
    }),
    Plot.line(own, {
      ...at,
      stroke: color,
      strokeWidth: line.paper ? 1.5 : 2,
      strokeDasharray: line.paper ? "5 4" : undefined,
    }),
    Plot.dot(own, {
      ...at,
      symbol,
      r: Math.sqrt(SYMBOL_SIZE / Math.PI),
      fill: line.paper ? "var(--paper)" : color,
      stroke: color,
      strokeWidth: 1.5,
    }),
  ];
  return marks;
}

/** Names beside the ends of lines, none over another. */
function labels(
  svg: SVGSVGElement & Plot.Plot,
  named: Line[],
  texts: string[][],
  right: number,
  height: number,
) {
  const x = svg.scale("x")!;
  const y = svg.scale("y")!;
  const places = named.map((line, i) => {
    const last = line.x.indexOf(Math.max(...line.x));
    const end = y.apply(line.y[last]) as number;
    const size = texts[i].length * LINE_HEIGHT;
    return { line, text: texts[i], from: x.apply(line.x[last]) as number, end, at: end, size };
  });
  places.sort((a, b) => a.end - b.end);
  dodge(places, 16, height - 30);
  const group = select(svg).append("g").attr("text-anchor", "start");
  for (const { line, text, from, end, at } of places) {
    const { color, symbol: type } = line.look!;
    group
      .append("path")
      .attr("d", `M${from + 7},${end}L${right + LEADER - 12},${at}H${right + LEADER - 7}`)
      .attr("fill", "none")
      .attr("stroke", color)
      .attr("stroke-opacity", 0.5);
    group
      .append("path")
      .attr("d", symbol(type, SYMBOL_SIZE)())
      .attr("transform", `translate(${right + LEADER},${at})`)
      .attr("fill", line.paper ? "var(--paper)" : color)
      .attr("stroke", color)
      .attr("stroke-width", 1.5);
    text.forEach((part, i) =>
      group
        .append("text")
        .attr("x", right + LEADER + 9)
        .attr("y", at + (i - (text.length - 1) / 2) * LINE_HEIGHT)
        .attr("dy", "0.32em")
        .attr("fill", "currentColor")
        .text(part),
    );
  }
}

/** Moves places, which are sorted, apart: down where they overlap, then up from the bottom. */
function dodge(places: { at: number; size: number }[], top: number, bottom: number) {
  let free = top;
  for (const place of places) {
    place.at = Math.max(place.at, free + place.size / 2);
    free = place.at + place.size / 2;
  }
  free = bottom;
  for (const place of [...places].reverse()) {
    place.at = Math.min(place.at, free - place.size / 2);
    free = place.at - place.size / 2;
  }
}
