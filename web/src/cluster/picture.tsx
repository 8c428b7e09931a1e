import { useCallback, useMemo, useState } from "preact/hooks";
import type { Run, Segments } from "../data";
import { csv } from "../ui/save";
import { barsOf, drawBars, drawJob, pieceAt, piecesOf, type Bars } from "./bars";
import { HOW_TO_MOVE, TimeCanvas, type Painter, type Tip } from "./canvas";
import { CellsPicture, TITLE } from "./cells";
import { ClusterLegend, ColourChoice, coloursOf, type ColourBy } from "./colours";
import { Facts, jobFacts, spoken } from "./facts";
import { Raster } from "./raster";
import { within } from "./timewindow";
import type { PictureProps, Span, Spot } from "./view";

/** The cluster over time: each segment, or a summary if there are too many. */
export function ClusterPicture(props: PictureProps) {
  const { segments } = props.run;
  return segments ? (
    <SegmentsPicture {...props} segments={segments} />
  ) : (
    <CellsPicture {...props} />
  );
}

/** A job in the picture, and where it is pointed at. */
interface Pointed {
  job: number;
  at: Tip["at"];
}

function SegmentsPicture(props: PictureProps & { segments: Segments }) {
  const { run, segments, window, onWindow } = props;
  const [by, setBy] = useState<ColourBy>("size");
  const [hovered, setHovered] = useState<Pointed | null>(null);
  const [pinned, setPinned] = useState<Pointed | null>(null);
  const [reveal, setReveal] = useState<{ row: number }>();
  const bars = useMemo(() => barsOf(segments, run.cluster.gpus), [segments, run]);
  const raster = useMemo(() => new Raster(), []);
  const rows = useMemo(() => ({ names: run.cluster.servers, gpus: run.cluster.gpus }), [run]);
  const paints = useMemo(
    () => ({ ofJob: segments.jobs[by], colours: coloursOf(run, by) }),
    [segments, run, by],
  );
  const paint = useCallback<Painter>(
    (context, view) => drawBars(context, view, bars, paints, raster),
    [bars, paints, raster],
  );
  const shown = pinned ?? hovered;
  const overlay: Painter = (context, view) => {
    if (shown) {
      drawJob(context, view, bars, paints, shown.job);
    }
  };
  const told = hovered ?? pinned;
  const tip = told && { at: told.at, content: <Facts facts={factsAt(run, bars, told)} /> };
  const find = (job: number) => {
    const found = pointedBySearch(bars, job);
    setPinned(found.pointed);
    setReveal({ row: found.pointed.at.row });
    onWindow(within(found.window, [run.start, run.end]));
  };
  return (
    <TimeCanvas
      id="gpus-over-time"
      title={TITLE}
      caption={`A band for each server, a lane for each GPU; which GPU of its server a job had is made up. Point at a job to see it alone, click to pin it, Escape to let it go. ${HOW_TO_MOVE}`}
      csv={() => segmentsCsv(run, segments)}
      tools={
        <>
          <FindJob
            ids={segments.jobs.id}
            ran={(job) => piecesOf(bars, job).length > 0}
            onFound={find}
          />
          <ColourChoice by={by} onChange={setBy} />
        </>
      }
      label={`GPUs of ${run.cluster.servers.length} servers over time, each job in the colour of its ${by}. Find a job with the field Find job.`}
      rows={rows}
      bounds={[run.start, run.end]}
      window={window}
      onWindow={onWindow}
      paint={paint}
      overlay={overlay}
      tip={tip}
      onHover={(spot) => setHovered(spot && pointedAt(bars, spot))}
      onPick={(spot) => setPinned(spot && pointedAt(bars, spot))}
      onEscape={() => setPinned(null)}
      reveal={reveal}
    >
      <ClusterLegend run={run} by={by} />
      <p class="visually-hidden" aria-live="polite">
        {pinned && spoken(factsAt(run, bars, pinned))}
      </p>
    </TimeCanvas>
  );
}

function pointedAt(bars: Bars, spot: Spot): Pointed | null {
  const piece = pieceAt(bars, spot);
  if (piece < 0) {
    return null;
  }
  const { start, end, row } = bars.pieces;
  // A near miss counts as a hit of the piece's edge.
  const inside = spot.time >= start[piece] && spot.time < end[piece];
  return {
    job: bars.segments.job[row[piece]],
    at: { ...spot, time: inside ? spot.time : start[piece] },
  };
}

/** The job's first segment, and a window with as much time around the job as it took. */
function pointedBySearch(bars: Bars, job: number) {
  const { start, end, lane } = bars.pieces;
  const own = [...piecesOf(bars, job)];
  const first = own.reduce((a, b) => (start[b] < start[a] ? b : a));
  const last = Math.max(...own.map((i) => end[i]));
  const length = last - start[first];
  const pointed: Pointed = {
    job,
    at: { time: start[first], row: bars.server[first], lane: lane[first] + 0.5 },
  };
  const window: Span = [start[first] - length / 2, last + length / 2];
  return { pointed, window };
}

function factsAt(run: Run, bars: Bars, { job, at }: Pointed) {
  const rows = [...new Set([...piecesOf(bars, job)].map((i) => bars.pieces.row[i]))];
  return jobFacts(run, bars.segments, rows, at.time);
}

/** Enter finds the job of that name, else the first whose name begins with it or has it inside. */
function FindJob(props: {
  ids: string[];
  ran: (job: number) => boolean;
  onFound: (job: number) => void;
}) {
  const [problem, setProblem] = useState("");
  const find = (text: string) => {
    const wanted = text.trim().toLowerCase();
    if (wanted === "") {
      return;
    }
    const ids = props.ids.map((id) => id.toLowerCase());
    const job = [
      ids.indexOf(wanted),
      ids.findIndex((id) => id.startsWith(wanted)),
      ids.findIndex((id) => id.includes(wanted)),
    ].find((i) => i >= 0);
    if (job === undefined) {
      setProblem(`No job is called ${text.trim()}.`);
    } else if (!props.ran(job)) {
      setProblem(`Job ${props.ids[job]} never ran.`);
    } else {
      setProblem("");
      props.onFound(job);
    }
  };
  return (
    <span class="tools cluster-find">
      <span role="status">{problem}</span>
      <input
        type="search"
        placeholder="Find job"
        aria-label="Find job"
        spellcheck={false}
        onKeyDown={(event) => event.key === "Enter" && find(event.currentTarget.value)}
        onInput={() => setProblem("")}
      />
    </span>
  );
}

function segmentsCsv(run: Run, segments: Segments): string {
  return csv(
    ["job_id", "start_s", "end_s", "server", "gpus"],
    segments.job.map((job, i) => [
      segments.jobs.id[job],
      segments.start[i],
      segments.end[i],
      run.cluster.servers[segments.server[i]],
      segments.gpus[i],
    ]),
  );
}
