import { IDLE, type Group, type Server } from "./cells";
import { kindOf } from "./colours";

/** What servers are put together by, and the word for it in the address. */
export const GROUP_BY: [value: string, label: string][] = [
  ["", "nothing"],
  ["rack", "rack"],
  ["kind", "kind of GPU"],
  ["state", "state"],
];

const STATES = ["down", "drained", "full", "partly held", "idle"];

function stateOf({ node, cells }: Server): string {
  if (!node.up || node.drained) {
    return node.up ? "drained" : "down";
  }
  const free = cells.reduce((sum, cell) => sum + (cell === IDLE ? 1 : 0), 0);
  return free === 0 ? "full" : free < cells.length ? "partly held" : "idle";
}

/** Racks and kinds by name; of states those first that want to be looked at. */
export function groupsOf(by: string, servers: Server[]): Group[] {
  const of: Record<string, (server: Server) => string> = {
    rack: ({ node }) => node.path.join(" / ") || "rack not told",
    kind: ({ node }) => kindOf(node),
    state: stateOf,
  };
  if (!of[by]) {
    return [{ label: "", servers }];
  }
  const groups = new Map<string, Server[]>();
  for (const server of servers) {
    const label = of[by](server);
    groups.set(label, [...(groups.get(label) ?? []), server]);
  }
  const order = (label: string) => (by === "state" ? STATES.indexOf(label) : 0);
  return [...groups]
    .sort(([a], [b]) => order(a) - order(b) || a.localeCompare(b, "en", { numeric: true }))
    .map(([label, found]) => ({ label: `${label} (${found.length})`, servers: found }));
}
