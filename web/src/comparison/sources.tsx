import type { Comparison } from "../data";

/** Where the numbers come from. */
export function Sources({ comparison }: { comparison: Comparison }) {
  const { version, seeds, settings, inputs, validated } = comparison;
  return (
    <>
      <p>
        JCT, the job completion time, is from submission to end, waiting included. No schedule of
        these jobs on this cluster has a mean JCT or a makespan below its lower bound.
        {validated && " Every schedule was validated."}
      </p>
      <p>
        Made by Ringmaster {version}, {seeds.length === 1 ? "seed" : "seeds"} {told(seeds)}.{" "}
        {settings.length === 0 ? (
          "All settings are the defaults."
        ) : (
          <>
            Settings given:{" "}
            {settings.map((setting, i) => (
              <span key={setting}>
                {i > 0 && ", "}
                <code>{setting}</code>
              </span>
            ))}
            .
          </>
        )}{" "}
        The same inputs, seeds and version give the same page.
      </p>
      <details>
        <summary>Inputs</summary>
        {inputs.map((input, i) => (
          <p key={i}>
            {Object.entries(input).map(([key, value]) => (
              <span key={key}>
                {key}: <code>{String(value)}</code>{" "}
              </span>
            ))}
          </p>
        ))}
      </details>
    </>
  );
}

/** Seeds follow each other. */
function told(seeds: number[]): string {
  return seeds.length === 1 ? String(seeds[0]) : `${seeds[0]} to ${seeds[seeds.length - 1]}`;
}
