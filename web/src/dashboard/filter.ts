import { ENDED_STATES, holds, OPEN_STATES, WAITING_STATES, type Row } from "./board";

/** Which jobs are looked for. */
export interface Filter {
  text: string;
  user: string;
  state: string;
  /** What colours tell: one of COLOUR_BY. */
  colour: string;
  /** What servers are put together by: one of GROUP_BY. */
  group: string;
}

export const ALL: Filter = { text: "", user: "", state: "all", colour: "job", group: "" };

export const GROUPS: [value: string, label: string, states: string[]][] = [
  ["all", "All states", []],
  ["open", "Open", OPEN_STATES],
  ["waiting", "Waiting", WAITING_STATES],
  ["holding", "Holding GPUs", OPEN_STATES.filter(holds)],
  ["ended", "Ended", ENDED_STATES],
];

/** What tells whether a job is looked for; null: all are. */
export function test(filter: Filter): ((row: Row) => boolean) | null {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const group = GROUPS.find(([value]) => value === filter.state);
  const states = new Set(group ? group[2] : [filter.state]);
  if (words.length === 0 && states.size === 0 && filter.user === "") {
    return null;
  }
  return (row) =>
    (states.size === 0 || states.has(row.state)) &&
    (filter.user === "" || row.user === filter.user) &&
    words.every((word) => row.text.includes(word) || row.state.includes(word));
}

/** As a part of an address, so that it can be sent to others: without what is not asked for. */
export function queryOf(filter: Filter): string {
  const parts = (Object.keys(ALL) as (keyof Filter)[])
    .filter((key) => filter[key] !== ALL[key])
    .map((key) => `${key}=${encodeURIComponent(filter[key])}`);
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}

export function filterOf(query: string): Filter {
  const said = new URLSearchParams(query);
  return {
    text: said.get("text") ?? ALL.text,
    user: said.get("user") ?? ALL.user,
    state: said.get("state") ?? ALL.state,
    colour: said.get("colour") ?? ALL.colour,
    group: said.get("group") ?? ALL.group,
  };
}
