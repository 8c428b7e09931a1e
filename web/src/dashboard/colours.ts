import { CATEGORIES, category, OTHERS, ramp } from "../ui/theme";
import type { Node } from "./api";
import type { Row } from "./board";
import { jobColour } from "./cells";

/** What the colour of a job tells, and the word for it in the address. */
export const COLOUR_BY: [value: string, label: string][] = [
  ["job", "job"],
  ["user", "user"],
  ["size", "size"],
  ["kind", "kind of GPU"],
  ["links", "jobs on a link"],
];

/** From so many jobs on several servers that share a server's link, it is as hot as can be. */
const HOTTEST = 4;

/** The most GPUs of each size but the last. */
const SIZES = [1, 2, 4, 8, 16];

export interface Colours {
  of: (row: Row) => string;
  /** Of the GPUs of a server, if that does not depend on whose they are. */
  ofServer?: (node: Node) => string;
  /** What the colours stand for; empty: too many to list. */
  key: [label: string, colour: string][];
}

/** The colours of jobs; of users, those who hold most GPUs have one of their own. */
export function coloursOf(by: string, rows: Iterable<Row>, nodes: Node[], dark: boolean): Colours {
  switch (by) {
    case "user": {
      const held = new Map<string, number>();
      for (const row of rows) {
        if (row.workers > 0) {
          held.set(row.user, (held.get(row.user) ?? 0) + row.workers);
        }
      }
      const users = [...held].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
      // In the order of names, so that a colour stays when one of them gets a GPU more.
      const named = users.slice(0, CATEGORIES.length).map(([user]) => user);
      named.sort();
      const key = named.map((user, i): [string, string] => [user, category(i)]);
      return {
        of: (row) => category(indexOf(named, row.user)),
        key: users.length > named.length ? [...key, ["others", OTHERS]] : key,
      };
    }
    case "size": {
      const colours = ramp(SIZES.length + 1);
      const size = (row: Row) => SIZES.findIndex((most) => (row.workers || row.gpus) <= most);
      return {
        of: (row) => colours[size(row) < 0 ? SIZES.length : size(row)],
        key: colours.map((colour, i) => [sizeLabel(i), colour]),
      };
    }
    case "kind": {
      const kinds = [...new Set(nodes.map(kindOf))].sort();
      const byNode = new Map(nodes.map((node) => [node.name, kindOf(node)]));
      return {
        of: (row) => category(indexOf(kinds, byNode.get(row.held[0]?.[0] ?? "") ?? "")),
        key: kinds.map((kind, i) => [kind, category(i)]),
      };
    }
    case "links": {
      const onNode = new Map<string, number>();
      for (const { held } of rows) {
        if (held.length > 1) {
          held.forEach(([node]) => onNode.set(node, (onNode.get(node) ?? 0) + 1));
        }
      }
      const heat = (jobs: number) => HEAT[Math.min(HOTTEST, jobs)];
      const hottest = (row: Row) =>
        row.held.reduce((most, [node]) => Math.max(most, onNode.get(node) ?? 0), 0);
      return {
        of: (row) => heat(row.held.length > 1 ? hottest(row) : 0),
        ofServer: (node) => heat(onNode.get(node.name) ?? 0),
        key: HEAT.map((colour, i) => [linkLabel(i), colour]),
      };
    }
    default:
      return { of: (row) => jobColour(row.id, dark), key: [] };
  }
}

/** Of one that is not among them: beyond the palette. */
function indexOf(all: string[], one: string): number {
  const at = all.indexOf(one);
  return at < 0 ? CATEGORIES.length : at;
}

export const kindOf = (node: Node) => node.gpu ?? "not told";

/** None, one that has the link for itself, and more and more that contend for it. */
const HEAT = [OTHERS, "#56b4e9", "#e69f00", "#d55e00", "#a3123a"];

function linkLabel(jobs: number): string {
  return jobs === 0 ? "no job uses the link" : jobs === HOTTEST ? `${jobs} or more` : `${jobs}`;
}

function sizeLabel(i: number): string {
  const least = i === 0 ? 1 : SIZES[i - 1] + 1;
  const most = SIZES[i];
  const range =
    most === undefined ? `${least} or more` : least === most ? `${most}` : `${least} to ${most}`;
  return `${range} ${most === 1 ? "GPU" : "GPUs"}`;
}
