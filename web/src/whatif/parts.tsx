import type { WhatIf, WhatIfCase, WhatIfPart } from "../data";
import { duration, number, timeUnit } from "../ui/format";
import { Table, type Column } from "../ui/table";

/** Rows that are shown until a reader asks for all. */
const MOST = 12;

/** A change below this is none. */
const NOTICED_SECONDS = 60;

interface PartsProps {
  whatif: WhatIf;
  title: string;
  label: string;
  of: (each: WhatIfCase) => WhatIfPart[];
}

/** How much longer or shorter jobs of a kind wait, by case. */
export function PartsTable({ whatif, title, label, of }: PartsProps) {
  const [replay, ...cases] = whatif.cases;
  const rows = of(replay);
  const changes = cases.map((each) => new Map(of(each).map((part) => [part.label, part.change])));
  const largest = Math.max(
    ...changes.flatMap((byLabel) => [...byLabel.values()].map(Math.abs)),
    60,
  );
  const unit = timeUnit(largest / 10);
  const sizes = rows.every((row) => Number.isFinite(Number(row.label)));
  const columns: Column<WhatIfPart>[] = [
    { label, value: (row) => (sizes ? Number(row.label) : row.label) },
    { label: "jobs", value: (row) => row.jobs },
    {
      label: "wait in the replay",
      key: "wait_mean_s",
      value: (row) => row.waitMean,
      show: (row) => duration(row.waitMean),
    },
    ...cases.map((each, i): Column<WhatIfPart> => {
      const change = (row: WhatIfPart) => changes[i].get(row.label) ?? NaN;
      return {
        label: each.name,
        key: each.name,
        value: change,
        show: (row) => <Change seconds={change(row)} unit={unit.seconds} />,
      };
    }),
  ];
  return (
    <>
      <h3>{title}</h3>
      <p class="muted">
        How much longer (+) or shorter (-) their mean wait is than in the replay, in {unit.long}.
        Below a minute it is left grey.
      </p>
      <Table
        caption={`Change of waits ${title.toLowerCase()}`}
        file={`waits-${title.toLowerCase().replace(" ", "-")}`}
        columns={columns}
        rows={rows}
        sortedBy={sizes ? 0 : 1}
        descending={!sizes}
        most={MOST}
      />
    </>
  );
}

function Change({ seconds, unit }: { seconds: number; unit: number }) {
  if (Number.isNaN(seconds)) {
    return <>–</>;
  }
  const kind = Math.abs(seconds) < NOTICED_SECONDS ? "muted" : seconds < 0 ? "sooner" : "later";
  return (
    <span class={kind}>
      {seconds > 0 ? "+" : ""}
      {number(seconds / unit)}
    </span>
  );
}
