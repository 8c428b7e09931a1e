import { useCallback, useMemo, useState } from "preact/hooks";
import type { ExperimentPlot } from "../data";
import { PlotFigure } from "../ui/figure";
import { csv } from "../ui/save";
import { cutsBars, drawLines, isWide, verticalDomain } from "./draw";
import { lines, MOST_LINES, names } from "./looks";

/** How many of many lines have colours at first. */
const CHOSEN_AT_FIRST = 5;

/** A plot of the experiment; a reader chooses among lines that are too many to tell apart. */
export function ExperimentFigure({ plot }: { plot: ExperimentPlot }) {
  const all = useMemo(() => names(plot), [plot]);
  const many = all.length > MOST_LINES;
  const [chosen, setChosen] = useState(many ? all.slice(0, CHOSEN_AT_FIRST) : all);
  const draw = useCallback(
    (width: number) => drawLines(plot, lines(plot, chosen), width),
    [plot, chosen],
  );
  const toggle = (name: string) =>
    setChosen(chosen.includes(name) ? chosen.filter((n) => n !== name) : [...chosen, name]);
  return (
    <div>
      <PlotFigure
        id={plot.name}
        title={plot.title}
        caption={caption(plot, many)}
        csv={() => table(plot)}
        draw={draw}
      />
      {many && (
        <div class="tools" role="group" aria-label={`Lines to highlight in ${plot.title}`}>
          {all.map((name) => (
            <button
              key={name}
              aria-pressed={chosen.includes(name)}
              disabled={!chosen.includes(name) && chosen.length >= MOST_LINES}
              onClick={() => toggle(name)}
            >
              {name}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function caption(plot: ExperimentPlot, many: boolean): string {
  const said: string[] = [];
  if (plot.series.some((series) => series.halfWidth.some((half) => half > 0))) {
    said.push(
      `Bars are 95 % intervals${cutsBars(plot) ? ", cut where they would leave the plot" : ""}.`,
    );
  }
  if (plot.series.some((series) => series.paper)) {
    said.push("Dashed, with hollow markers: the paper.");
  }
  if (plot.logarithmic || isWide(plot)) {
    const both = plot.logarithmic && isWide(plot);
    const which = both ? "Both axes are" : plot.logarithmic ? "The vertical axis is" : "";
    said.push(`${which || "The horizontal axis is"} logarithmic.`);
  }
  if (!plot.logarithmic && verticalDomain(plot)[0] > 0) {
    said.push("The vertical axis does not begin at 0.");
  }
  if (many) {
    said.push("Grey lines have their names under the pointer; choose below which ones stand out.");
  }
  return said.join(" ");
}

function table(plot: ExperimentPlot): string {
  return csv(
    ["series", "whose", plot.horizontal, plot.vertical, "ci95"],
    plot.series.flatMap((series) =>
      series.x.map((x, i) => [
        series.name,
        series.paper ? "paper" : "ours",
        x,
        series.y[i],
        series.paper ? null : series.halfWidth[i],
      ]),
    ),
  );
}
