import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { number, timeUnit } from "./format";
import { csv, saveText } from "./save";

export interface Column<T> {
  label: string;
  /** Its name in the CSV file; the label if left out. */
  key?: string;
  /** What the column is sorted by; a number is set to the right. */
  value: (row: T) => string | number;
  /** How it is shown; the value itself if left out. */
  show?: (row: T) => ComponentChildren;
  title?: string;
}

interface TableProps<T> {
  caption: string;
  columns: Column<T>[];
  rows: T[];
  /** The rows come in this order until a reader chooses another. */
  sortedBy?: number;
  descending?: boolean;
  /** The name of the CSV file that holds the table, without ending; none is offered if left out. */
  file?: string;
  /** So many rows are shown until a reader asks for all. */
  most?: number;
}

/** A table whose rows a reader may sort by any column. The first column names the row. */
export function Table<T>(props: TableProps<T>) {
  const { caption, columns, rows, sortedBy, descending, file, most } = props;
  const [all, setAll] = useState(false);
  const [sort, setSort] = useState({ column: sortedBy ?? -1, descending: descending ?? false });
  const sorted = [...rows];
  if (sort.column >= 0) {
    const { value } = columns[sort.column];
    sorted.sort((a, b) => compare(value(a), value(b), sort.descending ? -1 : 1));
  }
  const isNumber = (column: Column<T>) =>
    rows.length > 0 && typeof column.value(rows[0]) === "number";
  const choose = (column: number) =>
    setSort((old) => ({
      column,
      descending: old.column === column ? !old.descending : isNumber(columns[column]),
    }));
  const shown = all ? sorted : sorted.slice(0, most);
  const save = () =>
    saveText(
      `${file}.csv`,
      csv(
        columns.map((column) => column.key ?? column.label),
        sorted.map((row) => columns.map((column) => column.value(row))),
      ),
      "text/csv",
    );
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
      <table>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column, i) => (
              <th
                key={column.key ?? column.label}
                scope="col"
                class={isNumber(column) ? "number" : ""}
                title={column.title}
                aria-sort={
                  sort.column !== i ? undefined : sort.descending ? "descending" : "ascending"
                }
              >
                <button onClick={() => choose(i)}>
                  {column.label}
                  {sort.column === i && <span aria-hidden>{sort.descending ? " ↓" : " ↑"}</span>}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, i) => (
            <tr key={i}>
              {columns.map((column, c) => {
                const content = column.show ? column.show(row) : column.value(row);
                const kind = isNumber(column) ? "number" : "";
                return c === 0 ? (
                  <th key={c} scope="row" class={kind}>
                    {content}
                  </th>
                ) : (
                  <td key={c} class={kind}>
                    {content}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <div class="tools">
        {shown.length < rows.length && (
          <button onClick={() => setAll(true)}>Show all {rows.length}</button>
        )}
        {file && (
          <span class="save">
            <button onClick={save} aria-label={`Save ${caption} as CSV`}>
              CSV
            </button>
          </span>
        )}
      </div>
    </div>
  );
}

/** A column of times, all in the unit that suits their mean. */
export function timeColumn<T>(
  rows: T[],
  label: string,
  key: string,
  value: (row: T) => number,
): Column<T> {
  const unit = timeUnit(rows.reduce((sum, row) => sum + value(row), 0) / rows.length);
  return {
    label: `${label}, ${unit.short}`,
    key,
    value,
    show: (row) => number(value(row) / unit.seconds),
  };
}

/** Numbers by size, with what is none at the end; texts by their letters, digits as numbers. */
function compare(a: string | number, b: string | number, sign: 1 | -1): number {
  if (typeof a === "number" && typeof b === "number") {
    const none = Number(Number.isNaN(a)) - Number(Number.isNaN(b));
    return none || (Number.isNaN(a) ? 0 : sign * (a - b));
  }
  return sign * String(a).localeCompare(String(b), "en", { numeric: true });
}
