import { group, rollup } from "d3";
import { useMemo, useState } from "preact/hooks";
import type { Reproduction } from "../data";
import { count, number } from "../ui/format";
import { saveText } from "../ui/save";
import { Table, type Column } from "../ui/table";
import { figure, metricText, rowsCsv, rowsOf, settingText, type Row } from "./rows";

const ROWS_WITHOUT_FILTERS = 40;
const ROWS_AT_FIRST = 200;

interface Filter {
  name: string;
  of: (row: Row) => string;
  values: string[];
}

const NOT_SET = "not set";

/** All figures in tables, with a choice of settings where they are many. */
export function Numbers({ reproduction }: { reproduction: Reproduction }) {
  const names = reproduction.rows.settings.map((setting) => setting.name);
  const all = useMemo(() => rowsOf(reproduction.rows), [reproduction]);
  const filters = useMemo(() => filtersOf(names, all), [all]);
  const [chosen, setChosen] = useState<Record<string, string>>({});
  const rows = all.filter((row) =>
    filters.every((filter) => !chosen[filter.name] || filter.of(row) === chosen[filter.name]),
  );
  const metrics = [...new Set(all.map((row) => row.metric))];
  return (
    <>
      <div class="tools">
        {all.length > ROWS_WITHOUT_FILTERS &&
          filters.map((filter) => (
            <label key={filter.name}>
              {filter.name}{" "}
              <select
                value={chosen[filter.name] ?? ""}
                onChange={(event) =>
                  setChosen({ ...chosen, [filter.name]: event.currentTarget.value })
                }
              >
                <option value="">all</option>
                {filter.values.map((value) => (
                  <option key={value} value={value}>
                    {value}
                  </option>
                ))}
              </select>
            </label>
          ))}
        <span class="muted">
          {rows.length === all.length
            ? `${count(all.length)} rows`
            : `${count(rows.length)} of ${count(all.length)} rows`}
        </span>
        <button
          onClick={() =>
            saveText(`${reproduction.experiment}-rows.csv`, rowsCsv(names, rows), "text/csv")
          }
        >
          Save these rows as CSV
        </button>
      </div>
      {reproduction.columns === "" ? (
        <Plain names={names} all={all} rows={rows} />
      ) : (
        <Grouped names={names} all={all} rows={rows} columns={reproduction.columns} />
      )}
      <dl class="muted">
        {metrics.map((metric) => (
          <div key={metric}>
            <strong>{metric}</strong>
            {metricText(metric) && `: ${metricText(metric)}`}
          </div>
        ))}
      </dl>
    </>
  );
}

/** What rows differ in. */
function filtersOf(names: string[], rows: Row[]): Filter[] {
  const of: [string, (row: Row) => string][] = names.map((name, i) => [
    name,
    (row) => (row.setting[i] === null ? NOT_SET : String(row.setting[i])),
  ]);
  of.push(["policy", (row) => row.policy], ["metric", (row) => row.metric]);
  return of
    .map(([name, value]) => ({
      name,
      of: value,
      values: [...new Set(rows.map(value))].sort((a, b) =>
        name === "policy" ? 0 : a.localeCompare(b, "en", { numeric: true }),
      ),
    }))
    .filter((filter) => filter.values.length > 1);
}

interface Shown {
  names: string[];
  /** All rows, which say what columns there are, so that a choice of rows does not change them. */
  all: Row[];
  rows: Row[];
}

/** A line for each figure. */
function Plain({ names, all, rows }: Shown) {
  const columns: Column<Row>[] = [
    ...names.map((name, i) => setting(name, i, all)),
    {
      label: "policy",
      value: (row) => row.policy,
      show: (row) => <span class="nowrap">{row.policy}</span>,
    },
    {
      label: "lengths",
      key: "policy_lengths",
      value: (row) => row.lengths,
      title: "what the policy knew of lengths",
    },
    { label: "metric", value: (row) => row.metric },
    {
      label: "mean ± ci95",
      title: "ci95: half of the 95 % confidence interval of the mean",
      value: (row) => row.mean,
      show: (row) => figure(row),
    },
  ];
  if (all.some((row) => row.paper !== null)) {
    const none = (value: number | null) => value ?? NaN;
    columns.push(
      {
        label: "paper",
        value: (row) => none(row.paper),
        show: (row) => (row.paper === null ? "" : number(row.paper)),
      },
      {
        label: "ours / paper",
        value: (row) => none(row.paper && row.mean / row.paper),
        show: (row) => (row.paper === null ? "" : number(row.mean / row.paper)),
      },
    );
  }
  return <Table caption="All figures" columns={columns} rows={rows} most={ROWS_AT_FIRST} />;
}

function setting(name: string, i: number, rows: Row[]): Column<Row> {
  const isNumber = rows.every((row) => typeof row.setting[i] !== "string");
  return {
    label: name,
    value: (row) => row.setting[i] ?? (isNumber ? NaN : ""),
    show: (row) => row.setting[i] ?? "",
  };
}

/** A table for all that differs in one setting alone, with its values as columns. */
function Grouped({ names, all, rows, columns }: Shown & { columns: string }) {
  const at = names.indexOf(columns);
  const titleOf = (row: Row) => `${row.metric}, ${settingText(names, row, columns)}`;
  const values = rollup(all, (own) => [...new Set(own.map((row) => row.setting[at]))], titleOf);
  const groups = group(rows, titleOf);
  return (
    <div class="columns">
      {[...groups].map(([title, own]) => (
        <Group
          key={title}
          title={title}
          rows={own}
          at={at}
          name={columns}
          values={values.get(title)!}
        />
      ))}
    </div>
  );
}

function Group(props: {
  title: string;
  rows: Row[];
  at: number;
  name: string;
  values: (string | number | null)[];
}) {
  const { title, rows, at, name, values } = props;
  const policies = [...group(rows, (row) => row.policy).values()];
  const columns: Column<Row[]>[] = [
    {
      label: "policy",
      value: (own) => own[0].policy,
      show: (own) => <span class="nowrap">{own[0].policy}</span>,
    },
    {
      label: "lengths",
      key: "policy_lengths",
      value: (own) => own[0].lengths,
      title: "what the policy knew of lengths",
    },
  ];
  for (const value of values) {
    const find = (own: Row[]) => own.find((row) => row.setting[at] === value);
    columns.push({
      label: `${name} ${value}`,
      value: (own) => find(own)?.mean ?? NaN,
      show: (own) => {
        const row = find(own);
        const paper = row && row.paper !== null ? ` (paper ${number(row.paper)})` : "";
        return row ? figure(row) + paper : "";
      },
    });
  }
  return (
    <div>
      <h3>{title}</h3>
      <Table caption={title} columns={columns} rows={policies} />
    </div>
  );
}
