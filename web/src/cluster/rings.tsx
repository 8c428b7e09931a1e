import { interpolateLab, piecewise } from "d3";
import { useCallback, useMemo } from "preact/hooks";
import type { Run } from "../data";
import { number } from "../ui/format";
import { csv } from "../ui/save";
import { useTheme, type Theme } from "../ui/theme";
import { TimeCanvas, type Painter } from "./canvas";
import { cellPlace, usePointedCell } from "./cells";
import { Legend } from "./colours";
import { Facts } from "./facts";
import { cellPicture, cellsOf, drawCells, packed } from "./grid";
import type { PictureProps } from "./view";

const SIXTEENTHS = 16;
const MOST = 255;

/** From more than one number up to the next; the last has no end. */
const STEPS = [0, 1, 2, 3, 4, 6, 8, 12];

/** One ring is as pale where it is the most as where others are crossed by five. */
const FEWEST_COLOURS = 5;

/** How many rings cross each server over time. */
export function RingsPicture(props: PictureProps) {
  const rings = useMemo(() => cellsOf(props.run.grid).rings, [props.run]);
  const most = useMemo(() => rings.reduce((a, b) => Math.max(a, b), 0) / SIXTEENTHS, [rings]);
  return most === 0 ? (
    <p>No job's ring crosses from one server to another: no link is shared.</p>
  ) : (
    <CrossedPicture {...props} rings={rings} most={most} />
  );
}

function CrossedPicture(props: PictureProps & { rings: Uint8Array; most: number }) {
  const { run, rings, most, window, onWindow } = props;
  const { grid } = run;
  const theme = useTheme();
  const rows = useMemo(() => ({ names: grid.rows, gpus: grid.gpus }), [grid]);
  const steps = STEPS.filter((from) => from < most);
  const colours = useMemo(() => rising(steps.length, theme), [steps.length, theme]);
  const { spot, cell, frame, setSpot } = usePointedCell(grid);
  const picture = useMemo(() => {
    const paints = [theme.idle, ...colours].map(packed);
    const paintOf = Array.from(
      { length: MOST + 1 },
      (_, n) => paints[steps.filter((from) => from < n / SIXTEENTHS).length],
    );
    return cellPicture(grid, (i) => paintOf[rings[i]]);
  }, [grid, rings, theme, colours]);
  const paint = useCallback<Painter>(
    (context, view) => drawCells(context, view, grid, picture),
    [grid, picture],
  );
  const told = (value: number) =>
    value === MOST ? `${number(MOST / SIXTEENTHS)} or more` : number(value / SIXTEENTHS);
  const tip = spot &&
    cell && {
      at: spot,
      content: (
        <Facts
          facts={[
            ...cellPlace(run, cell.row, cell.bin),
            ["Mean rings", told(rings[cell.row * grid.bins + cell.bin])],
          ]}
        />
      ),
    };
  return (
    <TimeCanvas
      id="rings-over-time"
      title="How many rings share a server's link"
      caption={`Rings of jobs that span servers, a mean over each cell's time and servers. One ring has the server's link for itself; two or more slow each other down. Zoom and move as in the picture of GPUs.`}
      csv={() => ringsCsv(run, rings)}
      label={`Rings that cross each of ${grid.rows.length} rows of servers over time, at most ${number(most)}.`}
      rows={rows}
      bounds={[run.start, run.end]}
      window={window}
      onWindow={onWindow}
      paint={paint}
      overlay={frame}
      tip={tip}
      onHover={setSpot}
    >
      <Legend
        title="Mean rings across a server:"
        entries={[
          { colour: "var(--idle)", label: "0" },
          ...steps.map((from, i) => ({ colour: colours[i], label: stepLabel(steps, i, from) })),
        ]}
      />
    </TimeCanvas>
  );
}

function stepLabel(steps: number[], i: number, from: number): string {
  const to = steps[i + 1];
  if (from === 0) {
    return "up to 1";
  }
  return to === undefined ? `over ${from}` : `${from}–${to}`;
}

/** From near the idle colour to near the ink: few stand back, many stand out. */
function rising(n: number, theme: Theme): string[] {
  const colour = piecewise(interpolateLab, [theme.idle, theme.accent, theme.ink]);
  const steps = Math.max(n, FEWEST_COLOURS);
  return Array.from({ length: n }, (_, i) => colour(0.2 + (0.7 * i) / (steps - 1)));
}

function ringsCsv(run: Run, rings: Uint8Array): string {
  const { grid } = run;
  return csv(
    ["servers", "start_s", "end_s", "mean_rings"],
    Array.from(rings, (value, i) => {
      const start = grid.start + (i % grid.bins) * grid.binSeconds;
      return [
        grid.rows[Math.floor(i / grid.bins)],
        +start.toFixed(3),
        +(start + grid.binSeconds).toFixed(3),
        +(value / SIXTEENTHS).toFixed(3),
      ];
    }),
  );
}
