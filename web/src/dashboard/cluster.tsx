import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Facts, spoken, type Fact } from "../cluster/facts";
import { useWidth } from "../ui/figure";
import { count } from "../ui/format";
import { isDark, OTHERS, useTheme, type Theme } from "../ui/theme";
import type { Node } from "./api";
import { useBoard, type Board, type Row } from "./board";
import {
  arrange,
  cellAt,
  IDLE,
  OTHERS_JOB,
  serverAt,
  slotsOf,
  type Arrangement,
  type Cells,
  type Server,
  type Slot,
} from "./cells";
import { COLOUR_BY, coloursOf, type Colours } from "./colours";
import { ALL, test, type Filter } from "./filter";
import { GROUP_BY, groupsOf } from "./groups";

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
  const { arrangement, slots } = useMemo(() => {
    const groups = groupsOf(filter.group, servers);
    const arrangement = arrange(groups, mostGpus, width);
    return { arrangement, slots: slotsOf(groups, arrangement.columns) };
  }, [servers, mostGpus, width, filter.group]);
  const { nodes, rows, clusterVersion } = board;
  const colours = useMemo(
    () => coloursOf(filter.colour, rows.values(), nodes, isDark()),
    [filter.colour, rows, nodes, clusterVersion, theme],
  );
  useLayoutEffect(() => {
    if (width > 0) {
      const look = { dimmed: dimming(rows, filter), colour: colouring(rows, colours, theme) };
      draw(canvas.current!, width, arrangement, slots, theme, spot, look);
    }
  }, [width, arrangement, theme, spot, servers, filter, board.clusterVersion, board.jobsVersion]);

  const at = (event: MouseEvent) => {
    const { left, top } = canvas.current!.getBoundingClientRect();
    return cellAt(arrangement, slots, event.clientX - left, event.clientY - top);
  };
  const pointed = spot && serverAt(slots, spot.server);
  const job = pointed ? pointed.cells[spot.gpu] : IDLE;
  const facts = pointed && factsOf(board, pointed, spot.gpu);

  function key(event: KeyboardEvent) {
    if (event.key === "Enter") {
      open(job);
      return;
    }
    const next = moved(event.key, spot ?? { server: -1, gpu: 0 }, slots, arrangement.columns);
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
            open(serverAt(slots, found.server)!.cells[found.gpu]);
          }
        }}
        onKeyDown={key}
      />
      {facts && (
        <div class="tip" style={tipPlace(arrangement, spot!, width)}>
          <Facts facts={facts} />
        </div>
      )}
      <p class="visually-hidden" role="status">
        {facts ? spoken(facts) : ""}
      </p>
      <div class="legend cluster-legend">
        {onFilter ? (
          <>
            <Choice
              label="Colour by"
              choices={COLOUR_BY}
              value={filter.colour}
              onChoice={(colour) => onFilter({ ...filter, colour })}
            />
            <Choice
              label="Group by"
              choices={GROUP_BY}
              value={filter.group}
              onChoice={(group) => onFilter({ ...filter, group })}
            />
          </>
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

interface ChoiceProps {
  label: string;
  choices: [value: string, label: string][];
  value: string;
  onChoice: (value: string) => void;
}

function Choice({ label, choices, value, onChoice }: ChoiceProps) {
  return (
    <span>
      {label}{" "}
      <select
        aria-label={label}
        value={value}
        onChange={(event) => onChoice(event.currentTarget.value)}
      >
        {choices.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    </span>
  );
}

/** What colour a cell has; each job is looked at once for a picture. */
function colouring(
  rows: Map<number, Row>,
  colours: Colours,
  theme: Theme,
): (job: number, node: Node) => string {
  const known = new Map<number, string>([
    [IDLE, theme.idle],
    [OTHERS_JOB, OTHERS],
  ]);
  return (job, node) => {
    if (colours.ofServer && job > 0) {
      return colours.ofServer(node);
    }
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

/** To the next cell; where there is no server in that direction, it stays. */
function moved(key: string, from: Spot, slots: Slot[], columns: number): Spot | null {
  const { server, gpu } = from;
  const last = (at: number) => (serverAt(slots, at)?.cells.length ?? 0) - 1;
  /** The next server, so many places on at a time. */
  const next = (step: number): number | null => {
    for (let at = server + step; at >= 0 && at < slots.length; at += step) {
      if (serverAt(slots, at)) {
        return at;
      }
    }
    return null;
  };
  const at = (place: number | null, cell: number): Spot =>
    place === null ? from : { server: place, gpu: Math.min(Math.max(cell, 0), last(place)) };
  switch (key) {
    case "ArrowRight":
      return server >= 0 && gpu < last(server) ? { server, gpu: gpu + 1 } : at(next(1), 0);
    case "ArrowLeft":
      return gpu > 0 ? { server, gpu: gpu - 1 } : at(next(-1), Infinity);
    case "ArrowDown":
      return server < 0 ? at(next(1), 0) : at(next(columns), gpu);
    case "ArrowUp":
      return at(next(-columns), gpu);
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
  slots: Slot[],
  theme: Theme,
  spot: Spot | null,
  look: { dimmed: (job: number) => boolean; colour: (job: number, node: Node) => string },
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
  slots.forEach((slot, i) => {
    const left = (i % columns) * tileWidth;
    const top = Math.floor(i / columns) * tileHeight;
    if (slot === null) {
      return;
    }
    if (typeof slot === "string") {
      context.fillStyle = theme.ink;
      context.fillText(slot, left, top + tileHeight - 14);
      return;
    }
    const { node, cells } = slot;
    if (label > 0) {
      context.fillStyle = node.up && !node.drained ? theme.muted : bad;
      context.fillText(fitted(context, node.name, tileWidth - 8), left, top + 2);
    }
    for (let gpu = 0; gpu < cells.length; gpu++) {
      context.fillStyle = look.colour(cells[gpu], node);
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
  if (spot && serverAt(slots, spot.server)) {
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
