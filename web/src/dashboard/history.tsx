import { scaleLinear, scaleTime, timeFormat } from "d3";
import { useEffect, useRef, useState } from "preact/hooks";
import { useWidth } from "../ui/figure";
import { count, duration, number, timeUnit } from "../ui/format";
import { csv, saveText } from "../ui/save";
import { get, message, type Past, type PastStep } from "./api";
import { usePoll } from "./board";
import { EndedJobs } from "./ended";
import { changed } from "./query";

const SPANS = ["hour", "day", "week"];
const REFRESH_MS = 15_000;
const MARGIN = { left: 52, right: 10, top: 8, bottom: 22 };
const HEIGHT = 132;

/** Something that is drawn over time. */
interface Series {
  id: string;
  title: string;
  value: (step: PastStep) => number | null;
  /** What it is a part of: drawn as a line above it. */
  whole?: (step: PastStep) => number | null;
  text: (value: number) => string;
  /** In what the axis counts, if the greatest value is so much; whole numbers if left out. */
  unit?: (most: number) => { size: number; word: string };
  meaning: string;
}

const SERIES: Series[] = [
  {
    id: "held",
    title: "GPUs held",
    value: (step) => step.held_gpus,
    whole: (step) => step.gpus,
    text: number,
    meaning: "by jobs; the line is all GPUs of all nodes",
  },
  {
    id: "waiting",
    title: "Jobs waiting",
    value: (step) => step.waiting_jobs,
    text: number,
    meaning: "for GPUs, or for other jobs",
  },
  {
    id: "waits",
    title: "Wait before the first start",
    value: (step) => step.start_wait_mean_s,
    text: duration,
    unit: (most) => {
      const { seconds, short } = timeUnit(most);
      return { size: seconds, word: ` ${short}` };
    },
    meaning: "mean of the jobs that started then",
  },
  {
    id: "contention",
    title: "Jobs that contend for links",
    value: (step) => step.sharing_jobs,
    whole: (step) => step.spread_jobs,
    text: number,
    meaning: "run on several nodes and share one with another such job; the line is all on several",
  },
  {
    id: "restarts",
    title: "Restarts",
    value: (step) => step.restarts,
    text: count,
    meaning: "stops of jobs that go on elsewhere or later",
  },
  {
    id: "lost",
    title: "Work lost",
    value: (step) => step.lost_gpu_s / 3600,
    text: (hours) => `${number(hours)} GPU-h`,
    unit: () => ({ size: 1, word: " h" }),
    meaning: "GPU-hours that have to be run again",
  },
];

/** What the cluster was like, and the jobs that ended. */
export function HistoryPage({ query }: { query: string }) {
  const asked = new URLSearchParams(query).get("span") ?? "day";
  const [span, setSpan] = useState(SPANS.includes(asked) ? asked : "day");
  const [past, setPast] = useState<Past | null>(null);
  const [problem, setProblem] = useState("");
  useEffect(() => changed("/history", "span", span === "day" ? "" : span), [span]);
  usePoll(
    async () => {
      try {
        setPast(await get<Past>(`/history?span=${span}`));
        setProblem("");
      } catch (e) {
        setProblem(message(e));
      }
      return true;
    },
    REFRESH_MS,
    [span],
  );
  return (
    <main class="overview">
      <h1>History</h1>
      <div class="tools" role="group" aria-label="Over the last">
        {SPANS.map((each) => (
          <button key={each} aria-pressed={each === span} onClick={() => setSpan(each)}>
            {each}
          </button>
        ))}
        {past && (
          <button
            onClick={() => saveText(`history-${span}.csv`, table(past), "text/csv")}
            aria-label="Save the history as CSV"
          >
            CSV
          </button>
        )}
      </div>
      {problem !== "" && (
        <p class="fails" role="alert">
          {problem}
        </p>
      )}
      {past && past.steps.length === 0 && (
        <p class="empty">
          Nothing is known of the last {span} yet. The server looks once a minute while it leads.
        </p>
      )}
      {past && past.steps.length > 0 && <Plots past={past} />}
      <EndedJobs query={query} />
    </main>
  );
}

function Plots({ past }: { past: Past }) {
  const [at, setAt] = useState<number | null>(null);
  const steps = past.steps;
  const pointed = at === null ? -1 : steps.findIndex((step) => step.at_s === at);
  const shown = steps[pointed] ?? null;

  function key(event: KeyboardEvent) {
    const last = steps.length - 1;
    const from = pointed < 0 ? last + 1 : pointed;
    const next = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      setAt(steps[Math.min(last, Math.max(0, next))].at_s);
    }
  }

  return (
    <div
      class="past"
      tabIndex={0}
      role="group"
      aria-label="What the cluster was like. Left and right arrow keys go through the time."
      onKeyDown={key}
      onPointerLeave={() => setAt(null)}
      onBlur={() => setAt(null)}
    >
      <p class="pointed" role="status" data-figure="moment">
        {shown ? during(past, shown) : `${dated(past.from_s)} to now`}
      </p>
      <div class="columns">
        {SERIES.map((series) => (
          <Plot key={series.id} past={past} series={series} shown={shown} onPoint={setAt} />
        ))}
      </div>
    </div>
  );
}

/** Midnight is told as the day that begins. */
const clockOrDay = (time: Date) =>
  timeFormat(time.getHours() === 0 && time.getMinutes() === 0 ? "%a %-d" : "%H:%M")(time);

const dated = (seconds: number) => timeFormat("%a %-d %b %Y %H:%M")(new Date(1000 * seconds));

function during(past: Past, step: PastStep): string {
  return `${dated(step.at_s)}, ${duration(past.step_s)} long`;
}

interface PlotProps {
  past: Past;
  series: Series;
  shown: PastStep | null;
  onPoint: (at: number) => void;
}

function Plot({ past, series, shown, onPoint }: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = Math.max(240, useWidth(box));
  const { value, whole } = series;
  const most = past.steps.reduce(
    (greatest, step) => Math.max(greatest, value(step) ?? 0, whole?.(step) ?? 0),
    0,
  );
  const bottom = HEIGHT - MARGIN.bottom;
  const x = scaleTime(
    [new Date(1000 * past.from_s), new Date(1000 * past.to_s)],
    [MARGIN.left, width - MARGIN.right],
  );
  const y = scaleLinear([0, most > 0 ? most : 1], [bottom, MARGIN.top]);
  const left = (step: PastStep) => x(new Date(1000 * step.at_s));
  const plot = width - MARGIN.left - MARGIN.right;
  const step = (past.step_s / (past.to_s - past.from_s)) * plot;
  const unit = series.unit?.(most) ?? { size: 1, word: "" };
  const heights = scaleLinear([0, (most > 0 ? most : 1) / unit.size], [bottom, MARGIN.top])
    .ticks(3)
    .filter((tick) => series.unit || Number.isInteger(tick));
  const ticks = x.ticks(Math.max(2, Math.floor(width / 90)));
  const told = shown ?? past.steps[past.steps.length - 1];
  const now = value(told);

  function point(event: PointerEvent) {
    const svg = event.currentTarget as SVGSVGElement;
    const at = x.invert(event.clientX - svg.getBoundingClientRect().left).getTime() / 1000;
    const begin = past.from_s + Math.floor((at - past.from_s) / past.step_s) * past.step_s;
    const nearest = past.steps.reduce((a, b) =>
      Math.abs(b.at_s - begin) < Math.abs(a.at_s - begin) ? b : a,
    );
    onPoint(nearest.at_s);
  }

  return (
    <figure class="figure past-figure" aria-label={series.title}>
      <header>
        <h3>{series.title}</h3>
        <strong data-figure={`past-${series.id}`}>{now === null ? "–" : series.text(now)}</strong>
      </header>
      <div ref={box}>
        <svg
          width={width}
          height={HEIGHT}
          role="img"
          aria-label={series.title}
          onPointerMove={point}
        >
          <g class="grid">
            {heights.map((tick) => (
              <g key={tick} transform={`translate(0,${y(tick * unit.size)})`}>
                <line x1={MARGIN.left} x2={width - MARGIN.right} />
                <text x={MARGIN.left - 6} dy="0.32em" text-anchor="end">
                  {tick === 0 ? "0" : tick.toLocaleString("en") + unit.word}
                </text>
              </g>
            ))}
            {ticks.map((tick) => (
              <text key={+tick} x={x(tick)} y={HEIGHT - 6} text-anchor="middle">
                {clockOrDay(tick)}
              </text>
            ))}
          </g>
          {past.steps.map((each) => {
            const height = value(each);
            return height === null ? null : (
              <rect
                key={each.at_s}
                x={left(each)}
                width={step}
                y={y(height)}
                height={bottom - y(height)}
              />
            );
          })}
          {whole && <path class="whole" d={line(past, (each) => whole(each), left, y, step)} />}
          {shown && (
            <line
              class="crosshair"
              x1={left(shown) + step / 2}
              x2={left(shown) + step / 2}
              y1={MARGIN.top}
              y2={bottom}
            />
          )}
        </svg>
      </div>
      <figcaption>{series.meaning}</figcaption>
    </figure>
  );
}

/** Steps of a line, with gaps where nothing is known. */
function line(
  past: Past,
  value: (step: PastStep) => number | null,
  left: (step: PastStep) => number,
  y: (value: number) => number,
  width: number,
): string {
  return past.steps
    .map((step) => [step, value(step)] as const)
    .filter(([, height]) => height !== null)
    .map(([step, height]) => `M${left(step)},${y(height!)}h${width}`)
    .join("");
}

function table(past: Past): string {
  const keys = Object.keys(past.steps[0] ?? { at_s: 0 }) as (keyof PastStep)[];
  return csv(
    keys,
    past.steps.map((step) => keys.map((key) => step[key])),
  );
}
