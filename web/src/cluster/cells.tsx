import { useCallback, useMemo, useState } from "preact/hooks";
import type { Grid, Run } from "../data";
import { count, duration, moment, percent } from "../ui/format";
import { csv } from "../ui/save";
import { useTheme } from "../ui/theme";
import { HOW_TO_MOVE, TimeCanvas, type Painter } from "./canvas";
import { ClusterLegend, ColourChoice, coloursOf, userLabel, type ColourBy } from "./colours";
import { Facts, type Fact } from "./facts";
import {
  busyColour,
  cellAt,
  cellPicture,
  cellsOf,
  drawCellFrame,
  drawCells,
  NONE,
  type Cells,
} from "./grid";
import type { PictureProps, Spot } from "./view";

export const TITLE = "Who held which GPU";

/** The cell that is pointed at, and where. */
export function usePointedCell(grid: Grid) {
  const [spot, setSpot] = useState<Spot | null>(null);
  const cell = spot && cellAt(grid, spot);
  const frame: Painter = (context, view) => {
    if (cell) {
      drawCellFrame(context, view, grid, cell);
    }
  };
  return { spot, cell, frame, setSpot };
}

/** The cluster over time in cells, for runs with too many segments. */
export function CellsPicture({ run, window, onWindow }: PictureProps) {
  const { grid } = run;
  const [by, setBy] = useState<ColourBy>("size");
  const theme = useTheme();
  const cells = useMemo(() => cellsOf(grid), [grid]);
  const rows = useMemo(() => ({ names: grid.rows, gpus: grid.gpus }), [grid]);
  const { spot, cell, frame, setSpot } = usePointedCell(grid);
  const picture = useMemo(
    () => cellPicture(grid, busyColour(cells.busy, cells[by], coloursOf(run, by), theme)),
    [grid, cells, by, theme, run],
  );
  const paint = useCallback<Painter>(
    (context, view) => drawCells(context, view, grid, picture),
    [grid, picture],
  );
  const tip = spot &&
    cell && { at: spot, content: <Facts facts={cellFacts(run, cells, cell.row, cell.bin)} /> };
  return (
    <TimeCanvas
      id="gpus-over-time"
      title={TITLE}
      caption={`The nearer a cell is to the idle colour, the fewer of its GPUs were in use. ${HOW_TO_MOVE}`}
      csv={() => cellsCsv(run, cells)}
      tools={<ColourChoice by={by} onChange={setBy} />}
      label={`GPUs in use over time in ${grid.rows.length} rows of servers, in the colour of the ${by} with the most GPU time.`}
      rows={rows}
      bounds={[run.start, run.end]}
      window={window}
      onWindow={onWindow}
      paint={paint}
      overlay={frame}
      tip={tip}
      onHover={setSpot}
    >
      <p class="muted">
        This run has too many segments to draw them one by one. Each cell sums up{" "}
        {duration(grid.binSeconds)} of {serversInRow(run)}; its colour is that of the{" "}
        {by === "size" ? "job size" : "user"} with the most GPU time in it.
      </p>
      <ClusterLegend run={run} by={by} />
    </TimeCanvas>
  );
}

function serversInRow(run: Run): string {
  const servers = Math.ceil(run.cluster.servers.length / Math.max(1, run.grid.rows.length));
  return servers === 1 ? "a server" : `${count(servers)} servers`;
}

/** Where and when a cell is. */
export function cellPlace(run: Run, row: number, bin: number): Fact[] {
  const { grid } = run;
  const from = grid.start + bin * grid.binSeconds;
  const to = Math.min(from + grid.binSeconds, Math.max(run.end, from));
  return [
    ["Servers", `${grid.rows[row]} (${count(grid.gpus[row])} GPUs)`],
    ["Time", `${moment(from - run.start)} to ${moment(to - run.start)}`],
  ];
}

function cellFacts(run: Run, cells: Cells, row: number, bin: number): Fact[] {
  const i = row * run.grid.bins + bin;
  const facts = cellPlace(run, row, bin);
  facts.push(["GPUs in use", percent(cells.busy[i] / 255)]);
  if (cells.size[i] !== NONE) {
    facts.push(["Most GPU time", `jobs of ${run.sizes[cells.size[i]]} GPUs`]);
  }
  if (cells.user[i] !== NONE) {
    facts.push(["", `user ${userLabel(run, cells.user[i])}`]);
  }
  return facts;
}

function cellsCsv(run: Run, cells: Cells): string {
  const { grid } = run;
  return csv(
    ["servers", "start_s", "end_s", "gpus", "busy_share", "most_size", "most_user"],
    Array.from(cells.busy, (busy, i) => {
      const row = Math.floor(i / grid.bins);
      const start = grid.start + (i % grid.bins) * grid.binSeconds;
      return [
        grid.rows[row],
        +start.toFixed(3),
        +(start + grid.binSeconds).toFixed(3),
        grid.gpus[row],
        +(busy / 255).toFixed(3),
        cells.size[i] === NONE ? "" : run.sizes[cells.size[i]],
        cells.user[i] === NONE ? "" : userLabel(run, cells.user[i]),
      ];
    }),
  );
}
