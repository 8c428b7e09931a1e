import type { Summary } from "../data";

/** Where the numbers come from: all that a summary says, so that a run can be repeated. */
export function Provenance({ summary }: { summary: Summary }) {
  return (
    <>
      <p>
        JCT, the job completion time, is from submission to end, waiting included. No schedule of
        these jobs on this cluster has a mean JCT or a makespan below its lower bound. Made by
        Ringmaster {String(summary.version)}; the same inputs, seed and version give the same page.
      </p>
      <details>
        <summary>All of summary.json</summary>
        <table>
          <tbody>
            {flat(summary).map(([key, value]) => (
              <tr key={key}>
                <th scope="row">{key}</th>
                <td>
                  <code data-summary={key}>{value}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}

/** Members of members as "settings.placement". */
function flat(value: object, prefix = ""): [string, string][] {
  return Object.entries(value).flatMap(([key, member]): [string, string][] =>
    member !== null && typeof member === "object" && !Array.isArray(member)
      ? flat(member, `${prefix}${key}.`)
      : [[prefix + key, typeof member === "string" ? member : JSON.stringify(member)]],
  );
}
