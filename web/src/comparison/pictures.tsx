import { useEffect, useRef } from "preact/hooks";
import { Legend } from "../cluster/colours";
import { drawGrid } from "../cluster/grid";
import type { Comparison } from "../data";
import { Frame } from "../ui/figure";
import { duration } from "../ui/format";
import { csv } from "../ui/save";
import { ramp, useTheme } from "../ui/theme";
import { hasSeeds, mean } from "./metrics";
import { saveAll } from "./sheet";

export const WIDTH = 240;
export const HEIGHT = 96;

/** The cluster under each policy, small, over the same time. */
export function PicturesPart({ comparison }: { comparison: Comparison }) {
  const pictures = comparison.pictures!;
  const { sizes, policies } = comparison;
  const colours = ramp(sizes.length);
  const cut = pictures.makespans.filter((m) => m > pictures.seconds * 1.0001).length;
  const box = useRef<HTMLDivElement>(null);
  return (
    <Frame
      id="pictures"
      title="Servers from top to bottom, time from left to right"
      csv={() => gridsCsv(comparison)}
      onPng={() => saveAll(comparison, box.current!)}
      caption={
        `All over the same ${duration(pictures.seconds)} from the first submission. ` +
        (cut > 0
          ? `${cut} of ${policies.length} policies take longer than that: what they do after it is not shown. `
          : "") +
        "The colour is that of the size with the most GPU time in a cell, the paler the fewer GPUs are in use." +
        (hasSeeds(comparison) ? ` With seed ${comparison.seeds[0]}.` : "")
      }
    >
      <Legend
        title="GPUs that the job asked for:"
        entries={[
          ...sizes.map((label, i) => ({ colour: colours[i], label })),
          { colour: "var(--idle)", label: "idle" },
        ]}
      />
      <div class="pictures" ref={box}>
        {policies.map((policy, i) => (
          <div key={policy.name}>
            <a href={`${policy.folder}/report.html`}>{policy.name}</a>{" "}
            <span class="muted">mean JCT {duration(mean(policy, "jct_mean_s"))}</span>
            <Small comparison={comparison} policy={i} />
            <small class="muted">
              <span>0</span>
              {pictures.makespans[i] > pictures.seconds * 1.0001 && (
                <span>goes on until {duration(pictures.makespans[i])}</span>
              )}
              <span>{duration(pictures.seconds)}</span>
            </small>
          </div>
        ))}
      </div>
    </Frame>
  );
}

function Small({ comparison, policy }: { comparison: Comparison; policy: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useTheme();
  const { pictures, sizes, policies } = comparison;
  useEffect(() => {
    drawGrid(canvas.current!, pictures!.grids[policy], sizes, theme, WIDTH, HEIGHT);
  }, [comparison, theme]);
  return (
    <canvas ref={canvas} role="img" aria-label={`The cluster under ${policies[policy].name}`} />
  );
}

/** Mean GPUs in use in each column of time. */
function gridsCsv(comparison: Comparison): string {
  const { grids } = comparison.pictures!;
  const rows = grids.flatMap((grid, i) => {
    const busy = atob(grid.busy);
    return Array.from({ length: grid.bins }, (_, bin) => {
      const gpus = grid.gpus.reduce(
        (sum, n, row) => sum + (n * busy.charCodeAt(row * grid.bins + bin)) / 255,
        0,
      );
      const start = grid.start + bin * grid.binSeconds;
      return [comparison.policies[i].name, Math.round(start), gpus.toFixed(1)];
    });
  });
  return csv(["policy", "start_s", "gpus_in_use"], rows);
}
