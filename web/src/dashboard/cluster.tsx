import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Facts, spoken, type Fact } from "../cluster/facts";
import { useWidth } from "../ui/figure";
import { count } from "../ui/format";
import { isDark, OTHERS, useTheme, type Theme } from "../ui/theme";
import { useBoard, type Board, type Row } from "./board";
import {
  arrange,
  cellAt,
  IDLE,
  OTHERS_JOB,
  type Arrangement,
  type Cells,
  type Server,
} from "./cells";
import { COLOUR_BY, coloursOf, type Colours } from "./colours";
import { ALL, test, type Filter } from "./filter";

interface Spot {
  server: number;
  gpu: number;
}

/** A picture of this size is redrawn so often at most while events pour in. */
const REDRAW_MS = 200;

/** What is not looked for is still seen. */
const DIMMED = 0.18;

interface PictureProps {
  board: Board;
  cells: Cells;
  /** Cells of other jobs are dimmed. */
  filter?: Filter;
  /** If left out, the colours are fixed. */
  onFilter?: (filter: Filter) => void;
  /** What a click on a job does; if left out, its page is opened. */
  open?: (job: number) => void;
}

/** Every server with its GPUs as cells, in the colours of the jobs that hold them. */
export function ClusterPicture(props: PictureProps) {
  const { board, cells, filter = ALL, onFilter, open = openPage } = props;
  useBoard(board, REDRAW_MS);
  cells.sync(board);
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useWidth(box);
  /** A finger cannot hover: its first tap only tells. */
  const touched = useRef(false);
  const theme = useTheme();
  const [spot, setSpot] = useState<Spot | null>(null);
  const { servers } = cells;
  const mostGpus = servers.reduce((most, server) => Math.max(most, server.cells.length), 1);
  const arrangement = useMemo(
    () => arrange(servers.length, mostGpus, width),
    [servers.length, mostGpus, width],
  );
  const { nodes, rows, clusterVersion } = board;
  const colours = useMemo(
    () => coloursOf(filter.colour, rows.values(), nodes, isDark()),
    [filter.colour, rows, nodes, clusterVersion, theme],
  );
  useLayoutEffect(() => {
    if (width > 0) {
      const look = { dimmed: dimming(rows, filter), colour: colouring(rows, colours, theme) };
      draw(canvas.current!, width, arrangement, servers, theme, spot, look);
    }
  }, [width, arrangement, theme, spot, servers, filter, board.clusterVersion, board.jobsVersion]);

  const at = (event: MouseEvent) => {
    const { left, top } = canvas.current!.getBoundingClientRect();
    return cellAt(arrangement, servers, event.clientX - left, event.clientY - top);
  };
  const shown = spot && spot.server < servers.length ? spot : null;
  const job = shown ? servers[shown.server].cells[shown.gpu] : IDLE;
  const facts = shown && factsOf(board, servers[shown.server], shown.gpu);

  function key(event: KeyboardEvent) {
    if (event.key === "Enter") {
      open(job);
      return;
    }
    const next = moved(event.key, spot ?? { server: 0, gpu: -1 }, servers, arrangement.columns);
    if (next && servers.length > 0) {
      event.preventDefault();
      setSpot(next);
    }
  }

  return (
    <div class="cluster live-cluster" ref={box}>
      <canvas
        ref={canvas}
        tabIndex={0}
        role="img"
        aria-label={`${count(servers.length)} servers with ${count(cells.total)} GPUs, of which ${count(cells.busy)} are held. Arrow keys go through them, Enter opens the job.`}
        onPointerDown={(event) => (touched.current = event.pointerType === "touch")}
        onPointerMove={(event) => setSpot(at(event))}
        onPointerLeave={() => setSpot(null)}
        onBlur={() => setSpot(null)}
        onClick={(event) => {
          const found = at(event);
          setSpot(found);
          if (found && !touched.current) {
            open(servers[found.server].cells[found.gpu]);
          }
        }}
        onKeyDown={key}
      />
      {facts && (
        <div class="tip" style={tipPlace(arrangement, shown!, width)}>
          <Facts facts={facts} />
        </div>
      )}
      <p class="visually-hidden" role="status">
        {facts ? spoken(facts) : ""}
      </p>
      <div class="legend cluster-legend">
        {onFilter ? (
          <label>
            Colour by{" "}
            <select
              value={filter.colour}
              onChange={(event) => onFilter({ ...filter, colour: event.currentTarget.value })}
            >
              {COLOUR_BY.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        ) : (
          <span>A job has a colour of its own.</span>
        )}
        {colours.key.map(([label, colour]) => (
          <span key={label} data-colour={colour}>
            <i style={{ background: colour }} />
            {label}
          </span>
        ))}
        <span>
          <i style={{ background: "var(--idle)" }} />
          idle
        </span>
        {board.caller.role !== "admin" && (
          <span>
            <i style={{ background: OTHERS }} />
            held by others
          </span>
        )}
        <span>
          <i class="drained-key" />
          drained
        </span>
        <span>
          <i class="down-key" />
          down
        </span>
      </div>
    </div>
  );
}

/** What colour a cell has; each job is looked at once for a picture. */
function colouring(
  rows: Map<number, Row>,
  colours: Colours,
  theme: Theme,
): (job: number) => string {
  const known = new Map<number, string>([
    [IDLE, theme.idle],
    [OTHERS_JOB, OTHERS],
  ]);
  return (job) => {
    let colour = known.get(job);
    if (colour === undefined) {
      const row = rows.get(job);
      colour = row ? colours.of(row) : OTHERS;
      known.set(job, colour);
    }
    return colour;
  };
}

/** Whether a job's cells are dimmed; each job is looked at once for a picture. */
function dimming(rows: Map<number, Row>, filter: Filter): (job: number) => boolean {
  const wanted = test(filter);
  const known = new Map<number, boolean>();
  return (job) => {
    if (wanted === null || job === IDLE) {
      return false;
    }
    let dimmed = known.get(job);
    if (dimmed === undefined) {
      const row = rows.get(job);
      dimmed = !(row && wanted(row));
      known.set(job, dimmed);
    }
    return dimmed;
  };
}

function openPage(job: number) {
  if (job > 0) {
    location.hash = `#/jobs/${job}`;
  }
}

function moved(key: string, from: Spot, servers: Server[], columns: number): Spot | null {
  const { server, gpu } = from;
  const last = (i: number) => (servers[i]?.cells.length ?? 0) - 1;
  const within = (i: number) =>
    i >= 0 && i < servers.length
      ? { server: i, gpu: Math.min(Math.max(gpu, 0), last(i)) }
      : { server, gpu: Math.max(gpu, 0) };
  switch (key) {
    case "ArrowRight":
      return gpu < last(server)
        ? { server, gpu: gpu + 1 }
        : server + 1 < servers.length
          ? { server: server + 1, gpu: 0 }
          : from;
    case "ArrowLeft":
      return gpu > 0
        ? { server, gpu: gpu - 1 }
        : server > 0
          ? { server: server - 1, gpu: last(server - 1) }
          : { server, gpu: 0 };
    case "ArrowDown":
      return within(server + columns);
    case "ArrowUp":
      return within(server - columns);
    default:
      return null;
  }
}

function tipPlace(arrangement: Arrangement, spot: Spot, width: number) {
  const { columns, tileWidth, tileHeight, cell, gap } = arrangement;
  const x = (spot.server % columns) * tileWidth + spot.gpu * (cell + gap);
  const y = (Math.floor(spot.server / columns) + 1) * tileHeight + 4;
  return x > width / 2
    ? { right: `${width - x - cell}px`, top: `${y}px` }
    : { left: `${x}px`, top: `${y}px` };
}

function factsOf(board: Board, { node, cells }: Server, gpu: number): Fact[] {
  const facts: Fact[] = [["Server", `${node.name} (${stateOf(node)}), GPU ${gpu}`]];
  if (node.reason !== "") {
    facts.push(["Reason", node.reason]);
  }
  const job = cells[gpu];
  const row = board.rows.get(job);
  if (job === OTHERS_JOB) {
    facts.push(["Job", "of another user"]);
  } else if (row) {
    facts.push(["Job", row.label ?? `${row.id} ${row.name}`]);
    facts.push(["User", row.user], ["State", row.state], ["GPUs", String(row.workers)]);
  } else {
    facts.push(["Job", "none"]);
  }
  return facts;
}

export function stateOf(node: { up: boolean; drained: boolean }): string {
  return (node.up ? "up" : "down") + (node.drained ? ", drained" : "");
}

function draw(
  canvas: HTMLCanvasElement,
  width: number,
  arrangement: Arrangement,
  servers: Server[],
  theme: Theme,
  spot: Spot | null,
  look: { dimmed: (job: number) => boolean; colour: (job: number) => string },
) {
  const scale = devicePixelRatio || 1;
  const height = Math.max(1, arrangement.height);
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext("2d")!;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  const bad = getComputedStyle(document.documentElement).getPropertyValue("--bad").trim();
  const { columns, tileWidth, tileHeight, cell, gap, label } = arrangement;
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "top";
  servers.forEach(({ node, cells }, i) => {
    const left = (i % columns) * tileWidth;
    const top = Math.floor(i / columns) * tileHeight;
    if (label > 0) {
      context.fillStyle = node.up && !node.drained ? theme.muted : bad;
      context.fillText(fitted(context, node.name, tileWidth - 8), left, top + 2);
    }
    for (let gpu = 0; gpu < cells.length; gpu++) {
      context.fillStyle = look.colour(cells[gpu]);
      context.globalAlpha = look.dimmed(cells[gpu]) ? DIMMED : 1;
      context.fillRect(left + gpu * (cell + gap), top + label, cell, cell);
    }
    context.globalAlpha = 1;
    const wide = cells.length * (cell + gap) - gap;
    if (node.drained || !node.up) {
      context.strokeStyle = bad;
      context.lineWidth = 1.5;
      context.beginPath();
      if (node.drained) {
        context.rect(left - 0.5, top + label - 1.5, wide + 1, cell + 3);
      }
      if (!node.up) {
        context.moveTo(left, top + label);
        context.lineTo(left + wide, top + label + cell);
        context.moveTo(left, top + label + cell);
        context.lineTo(left + wide, top + label);
      }
      context.stroke();
    }
  });
  if (spot && spot.server < servers.length) {
    const left = (spot.server % columns) * tileWidth + spot.gpu * (cell + gap);
    const top = Math.floor(spot.server / columns) * tileHeight + label;
    context.strokeStyle = theme.ink;
    context.lineWidth = 1.5;
    context.strokeRect(left - 0.5, top - 0.5, cell + 1, cell + 1);
  }
}

function fitted(context: CanvasRenderingContext2D, text: string, width: number): string {
  let shown = text;
  while (shown.length > 1 && context.measureText(shown).width > width) {
    shown = `${shown.slice(0, -2)}…`;
  }
  return shown;
}
