import { ask, Refused, type JobEvent } from "./api";

export type Connection = "connecting" | "live" | "reconnecting";

interface Listener {
  /** Connected: what follows happened after this serial. */
  opened: (after: number) => void;
  events: (events: JobEvent[]) => void;
  connection: (connection: Connection) => void;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8000;

/** The server sends something every 15 seconds; after so long without, the connection is dead. */
const SILENCE_MS = 40_000;

/**
 * Server-sent events by fetch, since an EventSource sends no token. Comes back by itself, with the
 * last id it saw, until it is stopped or the server does not know the caller.
 */
export function listen(listener: Listener): () => void {
  const stopped = new AbortController();
  let last = -1;
  let wait = FIRST_WAIT_MS;

  async function once() {
    const silent = new AbortController();
    const signal = AbortSignal.any([stopped.signal, silent.signal]);
    let timer = setTimeout(() => silent.abort(), SILENCE_MS);
    try {
      const headers: Record<string, string> = last >= 0 ? { "Last-Event-ID": String(last) } : {};
      const response = await ask("/events", { headers, signal });
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      const parser = new Parser();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) {
          return;
        }
        clearTimeout(timer);
        timer = setTimeout(() => silent.abort(), SILENCE_MS);
        const { events, opened } = parser.take(value);
        if (opened !== null) {
          wait = FIRST_WAIT_MS;
          last = Math.max(last, opened);
          listener.connection("live");
          listener.opened(opened);
        }
        if (events.length > 0) {
          last = events[events.length - 1].serial;
          listener.events(events);
        }
      }
    } finally {
      clearTimeout(timer);
    }
  }

  async function forever() {
    listener.connection("connecting");
    while (!stopped.signal.aborted) {
      try {
        await once();
      } catch (e) {
        if (e instanceof Refused && e.status === 401) {
          return;
        }
      }
      if (stopped.signal.aborted) {
        return;
      }
      listener.connection("reconnecting");
      // Not all pages at the same moment.
      await sleep(wait * (0.75 + Math.random() / 2), stopped.signal);
      wait = Math.min(2 * wait, LONGEST_WAIT_MS);
    }
  }

  void forever();
  return () => stopped.abort();
}

/** Takes a stream of events apart as it comes, in pieces that end anywhere. */
export class Parser {
  private rest = "";
  private ending = false;

  take(piece: string): { events: JobEvent[]; opened: number | null } {
    const lines = (this.rest + piece).split("\n");
    this.rest = lines.pop()!;
    const events: JobEvent[] = [];
    let opened: number | null = null;
    for (const line of lines) {
      const after = /^: history after (\d+)/.exec(line);
      if (after) {
        opened = Number(after[1]);
      } else if (line === "event: end") {
        // The caller may listen no more; the next request is told why.
        this.ending = true;
      } else if (line.startsWith("data: ") && !this.ending) {
        events.push(JSON.parse(line.slice(6)) as JobEvent);
      }
    }
    return { events, opened };
  }
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
