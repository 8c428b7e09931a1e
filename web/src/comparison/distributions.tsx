import * as Plot from "@observablehq/plot";
import { useCallback, useState } from "preact/hooks";
import type { ComparedPolicy, Comparison } from "../data";
import { PlotFigure } from "../ui/figure";
import { duration, percent } from "../ui/format";
import { csv } from "../ui/save";
import { category } from "../ui/theme";
import { logTimeAxis, wholePercent } from "../ui/ticks";
import { hasSeeds } from "./metrics";

const MOST_CHOSEN = 6;
const DASHES = ["", "7,3", "2,3", "9,3,2,3", "4,2", "1,2"];

/** A logarithm of zero is nowhere: what is below is drawn at the axis. */
const LEAST_SECONDS = 1;

/** The axis of completion times begins at that of the fastest hundredth. */
const FIRST = 2;

/** Slots of colours; an empty one is free. */
type Chosen = (string | null)[];

/** How completion and waiting times are spread over jobs. */
export function Distributions({ comparison }: { comparison: Comparison }) {
  const [chosen, setChosen] = useState<Chosen>(() => first(comparison.policies));
  const full = chosen.filter((name) => name !== null).length >= MOST_CHOSEN;
  const toggle = (name: string) =>
    setChosen((old) => {
      const slot = old.indexOf(name);
      const free = slot >= 0 ? slot : old.indexOf(null);
      return old.map((each, i) => (i === free ? (slot >= 0 ? null : name) : each));
    });
  return (
    <>
      <p>
        Each curve tells what share of the jobs is at or below a time. Choose up to {MOST_CHOSEN}{" "}
        policies; the others are grey.
        {hasSeeds(comparison) && " Each time is the mean over seeds, as in the table."}
      </p>
      <fieldset class="choices">
        <legend class="visually-hidden">Policies with a colour</legend>
        {comparison.policies.map(({ name }) => {
          const slot = chosen.indexOf(name);
          return (
            <label key={name} class={slot < 0 && full ? "muted" : ""}>
              <input
                type="checkbox"
                checked={slot >= 0}
                disabled={slot < 0 && full}
                onChange={() => toggle(name)}
              />
              {slot >= 0 && <i style={{ background: category(slot) }} />}
              {name}
            </label>
          );
        })}
      </fieldset>
      <div class="columns">
        <Cumulative
          comparison={comparison}
          of="jct"
          title="Completion time (JCT)"
          chosen={chosen}
        />
        <Cumulative comparison={comparison} of="wait" title="Waiting time" chosen={chosen} />
      </div>
    </>
  );
}

/** The best, the middle and the worst, and fifo, which everybody knows. */
function first(policies: ComparedPolicy[]): Chosen {
  const names = policies.map((p) => p.name);
  const wanted = [names[0], names[names.length >> 1], names[names.length - 1], "fifo"];
  const distinct: Chosen = [...new Set(wanted)].filter((name) => names.includes(name));
  return [...distinct, ...Array<null>(MOST_CHOSEN - distinct.length).fill(null)];
}

interface CumulativeProps {
  comparison: Comparison;
  of: "jct" | "wait";
  title: string;
  chosen: Chosen;
}

function Cumulative({ comparison, of, title, chosen }: CumulativeProps) {
  const { policies, share } = comparison;
  const coloured = chosen.flatMap((name, slot) => {
    const policy = policies.find((p) => p.name === name);
    return policy ? [{ policy, slot }] : [];
  });
  const draw = useCallback(
    (width: number) => {
      const most = Math.max(2, ...policies.map((p) => p[of][p[of].length - 1]));
      const least = of === "wait" ? LEAST_SECONDS : leastOf(policies, most);
      return Plot.plot({
        width,
        height: 320,
        marginLeft: 46,
        marginRight: 16,
        x: { type: "log", domain: [least, most], label: null },
        y: { domain: [0, 1], grid: true, tickFormat: wholePercent, ticks: 5, label: null },
        style: { fontSize: "12px" },
        marks: [
          Plot.ruleY([0]),
          logTimeAxis(least, most),
          ...policies
            .filter((p) => !chosen.includes(p.name))
            .map((p) => line(points(p[of], share, least), "var(--line)", 1, "")),
          ...coloured.map(({ policy, slot }) =>
            line(points(policy[of], share, least), category(slot), 2, DASHES[slot]),
          ),
          ...labels(coloured, of, share, least),
        ],
      });
    },
    [comparison, chosen],
  );
  return (
    <PlotFigure
      id={`distribution-${of}`}
      title={title}
      draw={draw}
      caption={caption(of, coloured, share)}
      csv={() =>
        csv(
          ["share_of_jobs", ...policies.map((p) => `${p.name}_${of}_s`)],
          share.map((s, i) => [s, ...policies.map((p) => p[of][i])]),
        )
      }
    />
  );
}

function leastOf(policies: ComparedPolicy[], most: number): number {
  return Math.min(
    most / 2,
    Math.max(LEAST_SECONDS, Math.min(...policies.map((p) => p.jct[FIRST]))),
  );
}

function points(values: number[], share: number[], least: number) {
  return values.map((value, i) => ({ x: Math.max(value, least), y: share[i] }));
}

function line(data: { x: number; y: number }[], stroke: string, width: number, dash: string) {
  // Up from the axis at the share that did not wait, not along it.
  const from = data.findLastIndex((p) => p.x <= data[0].x);
  return Plot.line(data.slice(Math.max(0, from)), {
    x: "x",
    y: "y",
    stroke,
    strokeWidth: width,
    strokeDasharray: dash || undefined,
  });
}

/** Names at their lines, each at another height: the leftmost curve highest. */
function labels(
  coloured: { policy: ComparedPolicy; slot: number }[],
  of: "jct" | "wait",
  share: number[],
  least: number,
) {
  const at = (values: number[], height: number) => values[share.findIndex((s) => s >= height)];
  const middle = (p: ComparedPolicy) => at(p[of], 0.5) + at(p[of], 0.8) + at(p[of], 0.95);
  return [...coloured]
    .sort((a, b) => middle(a.policy) - middle(b.policy))
    .map(({ policy, slot }, i) => {
      const height = 0.88 - 0.12 * i;
      const x = Math.max(least, at(policy[of], height));
      const left = i === 0 && x > least * 100;
      // A curve that begins above the label's height is named where it begins.
      const above = x > least ? height : share[policy[of].findLastIndex((v) => v <= least)];
      return Plot.text([policy.name], {
        x,
        y: above,
        dx: left ? -8 : 8,
        dy: x > least ? 0 : 10,
        textAnchor: left ? "end" : "start",
        fill: category(slot),
        stroke: "var(--paper)",
        strokeWidth: 4,
        fontWeight: 600,
      });
    });
}

function caption(
  of: "jct" | "wait",
  coloured: { policy: ComparedPolicy; slot: number }[],
  share: number[],
): string {
  const median = share.findIndex((s) => s >= 0.5);
  if (of === "jct") {
    const parts = coloured.map(({ policy }) => `${policy.name} ${duration(policy.jct[median])}`);
    return `Half of the jobs are done within: ${parts.join(", ")}.`;
  }
  const parts = coloured.map(
    ({ policy }) =>
      `${policy.name} ${percent(share[policy.wait.findLastIndex((w) => w < LEAST_SECONDS)] ?? 0)}`,
  );
  return `A curve begins at the share of jobs that waited less than a second: ${parts.join(", ")}.`;
}
