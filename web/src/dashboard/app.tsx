import { useEffect, useMemo, useState } from "preact/hooks";
import { Brand } from "../ui/logo";
import { toggleTheme } from "../ui/theme";
import { get, message, onUnknown, Refused, setToken, token, type Caller } from "./api";
import { Board, useBoard } from "./board";
import { HistoryPage } from "./history";
import { JobPage } from "./job";
import { Overview } from "./overview";
import { PolicyPage } from "./policy";
import { SignIn } from "./signin";
import { SubmitPage } from "./submit";
import { UserPage } from "./user";
import { WatchPage } from "./watch";

/** What the part of the address after the sign points at, so that it can be linked and reloaded. */
function useRoute(): string {
  const [route, setRoute] = useState(location.hash.slice(1));
  useEffect(() => {
    const changed = () => {
      setRoute(location.hash.slice(1));
      scrollTo(0, 0);
    };
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return route;
}

const RETRY_MS = 2000;

/** Who the server says the caller is; or why it does not. */
function useCaller() {
  const [caller, setCaller] = useState<Caller | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [problem, setProblem] = useState("");
  async function look() {
    try {
      setCaller(await get<Caller>("/me"));
      setRefusal(null);
      setProblem("");
    } catch (e) {
      if (!(e instanceof Refused && e.status === 401)) {
        setProblem(message(e));
        setTimeout(() => void look(), RETRY_MS);
      }
    }
  }
  useEffect(() => {
    const stop = onUnknown((words) => {
      // Several requests may be refused at once; the first drops the token.
      setRefusal((old) => (token() === "" ? (old ?? "") : words));
      setToken("");
      setCaller(null);
    });
    void look();
    return stop;
  }, []);
  const signIn = (secret: string) => {
    setToken(secret);
    void look();
  };
  const signOut = () => signIn("");
  return { caller, refusal, problem, signIn, signOut };
}

export function App() {
  const { caller, refusal, problem, signIn, signOut } = useCaller();
  if (refusal !== null) {
    return <SignIn refusal={refusal} onToken={signIn} />;
  }
  if (caller === null) {
    return (
      <main>
        <h1>Ringmaster</h1>
        <p class="lead" role="status">
          {problem === "" ? "Connecting…" : `Reconnecting: ${problem}.`}
        </p>
      </main>
    );
  }
  if (caller.read_only) {
    return <WatchPage caller={caller} />;
  }
  return <Signed key={caller.user + caller.role} caller={caller} onSignOut={signOut} />;
}

const LINKS: [route: string, label: string][] = [
  ["/", "Cluster and jobs"],
  ["/history", "History"],
  ["/submit", "Submit"],
  ["/policy", "Policy and nodes"],
];

function Signed({ caller, onSignOut }: { caller: Caller; onSignOut: () => void }) {
  const board = useMemo(() => new Board(caller), [caller]);
  useEffect(() => {
    board.start();
    return () => board.stop();
  }, [board]);
  const route = useRoute();
  const [path, query = ""] = route.split("?", 2);
  const here = path === "" ? "/" : path;
  useEffect(() => {
    document.title = here.startsWith("/jobs/") ? `Job ${here.slice(6)} · Ringmaster` : "Ringmaster";
  }, [here]);
  return (
    <>
      <div class="top">
        <Brand />
        <nav aria-label="Pages">
          {LINKS.map(([to, label]) => (
            <a key={to} href={`#${to}`} aria-current={here === to ? "page" : undefined}>
              {label}
            </a>
          ))}
        </nav>
        <ConnectionSign board={board} />
        <span class="who" data-figure="caller">
          {caller.user} ({caller.role})
        </span>
        {caller.needs_token && <button onClick={onSignOut}>Sign out</button>}
        <button onClick={toggleTheme}>Light / dark</button>
      </div>
      <Page board={board} route={here} query={query} />
    </>
  );
}

function Page({ board, route, query }: { board: Board; route: string; query: string }) {
  const job = /^\/jobs\/(\d{1,18})$/.exec(route);
  if (job) {
    return <JobPage key={job[1]} board={board} id={Number(job[1])} />;
  }
  const user = /^\/users\/([^/]+)$/.exec(route);
  if (user) {
    return <UserPage key={user[1]} board={board} user={decoded(user[1])} />;
  }
  switch (route) {
    case "/":
      return <Overview board={board} query={query} />;
    case "/history":
      return <HistoryPage query={query} />;
    case "/submit":
      return <SubmitPage />;
    case "/policy":
      return <PolicyPage board={board} />;
    default:
      return (
        <main>
          <h1>There is no such page</h1>
          <p>
            <a href="#/">Cluster and jobs</a>
          </p>
        </main>
      );
  }
}

/** An address may be cut or mistyped. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function ConnectionSign({ board }: { board: Board }) {
  useBoard(board);
  const { connection } = board;
  const text = { live: "live", connecting: "connecting…", reconnecting: "reconnecting…" }[
    connection
  ];
  return (
    <span role="status" class={`connection ${connection}`} data-figure="connection">
      {text}
    </span>
  );
}
