import { group, line, scaleLinear, scaleLog } from "d3";
import { useRef, useState } from "preact/hooks";
import { Frame, useWidth } from "../ui/figure";
import { duration, number, percent } from "../ui/format";
import { csv } from "../ui/save";
import type { Attempt, Curve, Point } from "./api";

type Across = "iteration" | "samples" | "time";

const LABELS: Record<Across, string> = {
  iteration: "iterations",
  samples: "samples",
  time: "time",
};

const MARGIN = { left: 56, right: 12, top: 10 };
const PLOT = 220;
const STEPS = 56;
const BETWEEN = 26;
const AXIS = 34;
const LEAST_WIDTH = 260;

interface Placed {
  point: Point;
  x: number;
  y: number;
}

/** Where a stretch with so many workers lies. */
interface Stretch {
  attempt: number;
  workers: number;
  from: number;
  to: number;
}

/** When the first attempt began, from which time is counted. */
export function originOf(curve: Curve): number {
  const times = [
    ...curve.attempts.map((attempt) => attempt.from_s),
    ...curve.points.map((point) => point.at_s),
  ].filter((time) => time !== null);
  return times.reduce((least, time) => Math.min(least, time), Infinity);
}

function xOf(point: Point, across: Across, origin: number): number | null {
  if (across === "time") {
    return point.at_s === null ? null : point.at_s - origin;
  }
  return point[across];
}

/** What the points can be laid out by. */
export function choices(points: Point[]): Across[] {
  const all: Across[] = ["iteration", "samples", "time"];
  const found = all.filter((across) =>
    points.some((point) => (across === "time" ? point.at_s : point[across]) !== null),
  );
  return found;
}

/** Attempts as stretches of the same axis as the points; those without a point in it are left out. */
export function stretches(curve: Curve, across: Across, origin: number): Stretch[] {
  const found: Stretch[] = [];
  for (const attempt of curve.attempts) {
    const xs = curve.points
      .filter((point) => point.attempt === attempt.attempt)
      .map((point) => xOf(point, across, origin))
      .filter((x) => x !== null);
    const ends = across === "time" ? timesOf(attempt, xs, origin) : xs;
    if (ends.length > 0) {
      const from = ends.reduce((a, b) => Math.min(a, b));
      const to = ends.reduce((a, b) => Math.max(a, b));
      found.push({ attempt: attempt.attempt, workers: attempt.workers, from, to });
    }
  }
  return found;
}

function timesOf(attempt: Attempt, xs: number[], origin: number): number[] {
  const known = [attempt.from_s, attempt.to_s].filter((time) => time !== null);
  return [...xs, ...known.map((time) => time - origin)];
}

/** Loss, or the share done where there is none, with the workers of each attempt below. */
export function CurveFigure({ curve }: { curve: Curve }) {
  const box = useRef<HTMLDivElement>(null);
  const width = Math.max(LEAST_WIDTH, useWidth(box));
  const possible = choices(curve.points);
  const [wanted, setWanted] = useState<Across | null>(null);
  const [logarithmic, setLogarithmic] = useState(false);
  const [pointed, setPointed] = useState<Placed | null>(null);
  const across = wanted && possible.includes(wanted) ? wanted : possible[0];
  const hasLoss = curve.points.some((point) => point.loss !== null);
  const title = hasLoss ? "Loss" : "Progress";
  const origin = originOf(curve);
  const yOf = (point: Point) => (hasLoss ? point.loss : point.done);
  const placed = curve.points.flatMap((point): Placed[] => {
    const x = across ? xOf(point, across, origin) : null;
    const y = yOf(point);
    return x === null || y === null || (logarithmic && y <= 0) ? [] : [{ point, x, y }];
  });
  const tools = (
    <>
      <span class="tools" role="group" aria-label="Over">
        {possible.map((choice) => (
          <button key={choice} aria-pressed={choice === across} onClick={() => setWanted(choice)}>
            {LABELS[choice]}
          </button>
        ))}
      </span>
      {hasLoss && (
        <button aria-pressed={logarithmic} onClick={() => setLogarithmic(!logarithmic)}>
          log
        </button>
      )}
    </>
  );
  return (
    <Frame
      id="curve"
      title={title}
      tools={tools}
      csv={() => curveCsv(curve)}
      caption="Below, the number of workers of each attempt. A dashed line is a restart."
    >
      <div ref={box} class="curve">
        {across && placed.length > 0 && (
          <Drawing
            title={title}
            width={width}
            across={across}
            placed={placed}
            steps={stretches(curve, across, origin)}
            logarithmic={logarithmic && hasLoss}
            share={!hasLoss}
            pointed={pointed}
            onPoint={setPointed}
          />
        )}
      </div>
      <p class="muted pointed" role="status">
        {pointed ? told(pointed, curve) : "\u00a0"}
      </p>
    </Frame>
  );
}

function told({ point }: Placed, curve: Curve): string {
  const attempt = curve.attempts.find((each) => each.attempt === point.attempt);
  return [
    `attempt ${point.attempt}`,
    attempt && `${attempt.workers} workers`,
    point.iteration !== null && `iteration ${number(point.iteration)}`,
    point.samples !== null && `${number(point.samples)} samples`,
    `${percent(point.done)} done`,
    point.loss !== null && `loss ${point.loss.toPrecision(4)}`,
  ]
    .filter(Boolean)
    .join(", ");
}

interface DrawingProps {
  title: string;
  width: number;
  across: Across;
  placed: Placed[];
  steps: Stretch[];
  logarithmic: boolean;
  share: boolean;
  pointed: Placed | null;
  onPoint: (placed: Placed | null) => void;
}

function Drawing(props: DrawingProps) {
  const { title, width, across, placed, steps, logarithmic, share, pointed, onPoint } = props;
  const xs = [...placed.map((p) => p.x), ...steps.flatMap((step) => [step.from, step.to])];
  const [x0, x1] = ends(xs);
  const x = scaleLinear([x0, x1 > x0 ? x1 : x0 + 1], [MARGIN.left, width - MARGIN.right]);
  const [y0, y1] = share ? [0, 1] : ends(placed.map((p) => p.y));
  const room = y1 > y0 ? 0.04 * (y1 - y0) : 0.5 * Math.abs(y1) || 1;
  const bottom = MARGIN.top + PLOT;
  const y = logarithmic
    ? scaleLog([y0 * 0.97, y1 * 1.03], [bottom, MARGIN.top])
    : scaleLinear([share ? 0 : y0 - room, share ? 1 : y1 + room], [bottom, MARGIN.top]);
  const mostWorkers = steps.reduce((most, step) => Math.max(most, step.workers), 1);
  const stepsTop = bottom + BETWEEN;
  const w = scaleLinear([0, mostWorkers], [stepsTop + STEPS, stepsTop]);
  const path = line<Placed>(
    (p) => x(p.x),
    (p) => y(p.y),
  );
  const groups = group(placed, (p) => p.point.attempt);
  const ticksX = x.ticks(Math.max(2, Math.floor(width / 110)));
  const tickX = (value: number) =>
    across === "time" ? duration(value) : value.toLocaleString("en");

  function nearest(event: PointerEvent) {
    const svg = event.currentTarget as SVGSVGElement;
    const at = x.invert(event.clientX - svg.getBoundingClientRect().left);
    onPoint(placed.reduce((a, b) => (Math.abs(b.x - at) < Math.abs(a.x - at) ? b : a)));
  }

  return (
    <svg
      width={width}
      height={stepsTop + STEPS + AXIS}
      role="img"
      aria-label={`${title} over ${LABELS[across]}, ${groups.size} attempts`}
      onPointerMove={nearest}
      onPointerLeave={() => onPoint(null)}
    >
      <g class="grid">
        {y.ticks(5).map((tick) => (
          <g key={tick} transform={`translate(0,${y(tick)})`}>
            <line x1={MARGIN.left} x2={width - MARGIN.right} />
            <text x={MARGIN.left - 6} dy="0.32em" text-anchor="end">
              {share ? percent(tick) : Number(tick.toPrecision(6))}
            </text>
          </g>
        ))}
        {ticksX.map((tick) => (
          <text key={tick} x={x(tick)} y={stepsTop + STEPS + 16} text-anchor="middle">
            {tickX(tick)}
          </text>
        ))}
        <text x={MARGIN.left} y={stepsTop - 8}>
          workers
        </text>
        <text x={MARGIN.left - 6} y={stepsTop} dy="0.32em" text-anchor="end">
          {mostWorkers}
        </text>
        <line
          x1={MARGIN.left}
          x2={width - MARGIN.right}
          y1={stepsTop + STEPS}
          y2={stepsTop + STEPS}
        />
        <text x={width - MARGIN.right} y={stepsTop + STEPS + 30} text-anchor="end">
          {LABELS[across]}
        </text>
      </g>
      {steps.map((step) => (
        <g key={step.attempt} class="step">
          <rect
            x={x(step.from)}
            y={w(step.workers)}
            width={Math.max(1, x(step.to) - x(step.from))}
            height={stepsTop + STEPS - w(step.workers)}
          >
            <title>{`attempt ${step.attempt}: ${step.workers} workers`}</title>
          </rect>
          {x(step.to) - x(step.from) > 16 && (
            <text x={x(step.from) + 4} y={stepsTop + STEPS - 5}>
              {step.workers}
            </text>
          )}
        </g>
      ))}
      {steps.slice(1).map((step) => (
        <line
          key={step.attempt}
          class="restart"
          x1={x(step.from)}
          x2={x(step.from)}
          y1={MARGIN.top}
          y2={stepsTop + STEPS}
        />
      ))}
      {[...groups].map(([attempt, points]) =>
        points.length > 1 ? (
          <path key={attempt} class="loss" d={path(points) ?? ""} />
        ) : (
          <circle key={attempt} class="loss-dot" cx={x(points[0].x)} cy={y(points[0].y)} r={2.5} />
        ),
      )}
      {pointed && <circle class="loss-dot" cx={x(pointed.x)} cy={y(pointed.y)} r={4} />}
    </svg>
  );
}

function ends(values: number[]): [number, number] {
  return [
    values.reduce((a, b) => Math.min(a, b), Infinity),
    values.reduce((a, b) => Math.max(a, b), -Infinity),
  ];
}

function curveCsv(curve: Curve): string {
  return csv(
    ["attempt", "at_s", "done", "iteration", "samples", "loss"],
    curve.points.map((p) => [p.attempt, p.at_s, p.done, p.iteration, p.samples, p.loss]),
  );
}
