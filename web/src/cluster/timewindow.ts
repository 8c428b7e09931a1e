import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Span } from "./view";

const ZOOM_STEP = 2;
const PAN_SHARE = 0.2;
const CLICK_PIXELS = 4;
/** The most that one can zoom in. */
const DEEPEST = 100_000;

/** The window moved and narrowed until it is within the bounds. */
export function within([from, to]: Span, [start, end]: Span): Span {
  const whole = end - start;
  const length = Math.min(whole, Math.max(to - from, Math.min(whole, 1), whole / DEEPEST));
  const middle = (from + to) / 2;
  const t0 = Math.min(Math.max(middle - length / 2, start), end - length);
  return length === whole ? [start, end] : [t0, t0 + length];
}

/** The window narrowed by a factor, with one time staying where it is. */
export function zoomed(window: Span, bounds: Span, factor: number, at?: number): Span {
  const [from, to] = window;
  const fixed = at ?? (from + to) / 2;
  return within([fixed - (fixed - from) / factor, fixed + (to - fixed) / factor], bounds);
}

export function panned([from, to]: Span, bounds: Span, seconds: number): Span {
  return within([from + seconds, to + seconds], bounds);
}

export const zoomedIn = (window: Span, bounds: Span) => zoomed(window, bounds, ZOOM_STEP);
export const zoomedOut = (window: Span, bounds: Span) => zoomed(window, bounds, 1 / ZOOM_STEP);

export interface Gestures {
  bounds: Span;
  window: Span;
  onWindow: (window: Span) => void;
  plot: { left: number; width: number };
  /** What scrolls when a drag goes up or down. */
  scroller: RefObject<HTMLElement | null>;
  onHover: (place: { x: number; y: number } | null) => void;
  onClick: (place: { x: number; y: number }) => void;
  onEscape: () => void;
}

/** Zooms and pans by wheel, pinch, drag and keys. Tells the range that is being chosen, in pixels. */
export function useTimeWindow(canvas: RefObject<HTMLCanvasElement | null>, gestures: Gestures) {
  const latest = useRef(gestures);
  useLayoutEffect(() => {
    latest.current = gestures;
  });
  const [chosen, setChosen] = useState<[number, number] | null>(null);
  useEffect(() => {
    const element = canvas.current!;
    const wheel = (event: WheelEvent) => onWheel(event, element, latest.current);
    const key = (event: KeyboardEvent) => onKey(event, latest.current);
    element.addEventListener("wheel", wheel, { passive: false });
    element.addEventListener("keydown", key);
    const stop = followPointers(element, () => latest.current, setChosen);
    return () => {
      element.removeEventListener("wheel", wheel);
      element.removeEventListener("keydown", key);
      stop();
    };
  }, []);
  return chosen;
}

function timeAt(g: Gestures, atX: number): number {
  const [t0, t1] = g.window;
  return t0 + ((atX - g.plot.left) / g.plot.width) * (t1 - t0);
}

/** Only with Ctrl or sideways: else the page scrolls. */
function onWheel(event: WheelEvent, element: HTMLElement, g: Gestures) {
  const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
  const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault();
    const atX = event.clientX - element.getBoundingClientRect().left;
    const turned = Math.max(-200, Math.min(200, event.deltaY * pixels));
    g.onWindow(zoomed(g.window, g.bounds, Math.exp(-turned / 200), timeAt(g, atX)));
  } else if (sideways) {
    event.preventDefault();
    const share = (event.deltaX * pixels) / g.plot.width;
    g.onWindow(panned(g.window, g.bounds, share * (g.window[1] - g.window[0])));
  }
}

function onKey(event: KeyboardEvent, g: Gestures) {
  if (event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  const step = PAN_SHARE * (g.window[1] - g.window[0]);
  const actions: Record<string, () => void> = {
    ArrowLeft: () => g.onWindow(panned(g.window, g.bounds, -step)),
    ArrowRight: () => g.onWindow(panned(g.window, g.bounds, step)),
    "+": () => g.onWindow(zoomedIn(g.window, g.bounds)),
    "=": () => g.onWindow(zoomedIn(g.window, g.bounds)),
    "-": () => g.onWindow(zoomedOut(g.window, g.bounds)),
    "0": () => g.onWindow(g.bounds),
    Home: () => g.onWindow(g.bounds),
    Escape: () => g.onEscape(),
  };
  const action = actions[event.key];
  if (action) {
    event.preventDefault();
    action();
  }
}

interface Drag {
  x: number;
  y: number;
  window: Span;
  scrollTop: number;
  choosing: boolean;
  moved: boolean;
}

interface Pinch {
  times: [number, number];
}

/** Drags pan, with Shift they choose a range; two fingers pinch. */
function followPointers(
  element: HTMLCanvasElement,
  latest: () => Gestures,
  setChosen: (range: [number, number] | null) => void,
) {
  const pointers = new Map<number, number>();
  let drag: Drag | null = null;
  let pinch: Pinch | null = null;
  const place = (event: PointerEvent) => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const sorted = () => [...pointers.values()].sort((a, b) => a - b);

  function down(event: PointerEvent) {
    if (event.button !== 0) {
      return;
    }
    const g = latest();
    const at = place(event);
    pointers.set(event.pointerId, at.x);
    element.setPointerCapture(event.pointerId);
    if (pointers.size === 2) {
      const [a, b] = sorted();
      pinch = { times: [timeAt(g, a), timeAt(g, b)] };
      drag = null;
    } else {
      drag = {
        ...at,
        window: g.window,
        scrollTop: g.scroller.current!.scrollTop,
        choosing: event.shiftKey,
        moved: false,
      };
    }
  }

  function move(event: PointerEvent) {
    const g = latest();
    const at = place(event);
    if (pointers.has(event.pointerId)) {
      pointers.set(event.pointerId, at.x);
    }
    if (pinch) {
      g.onWindow(pinched(g, pinch, sorted()));
    } else if (drag) {
      drag.moved ||= Math.hypot(at.x - drag.x, at.y - drag.y) >= CLICK_PIXELS;
      if (drag.moved) {
        pull(g, drag, at);
      }
    } else {
      g.onHover(at);
    }
  }

  function pull(g: Gestures, from: Drag, at: { x: number; y: number }) {
    g.onHover(null);
    if (from.choosing) {
      setChosen([Math.min(from.x, at.x), Math.max(from.x, at.x)]);
      return;
    }
    element.style.cursor = "grabbing";
    const perPixel = (from.window[1] - from.window[0]) / g.plot.width;
    g.onWindow(panned(from.window, g.bounds, (from.x - at.x) * perPixel));
    g.scroller.current!.scrollTop = from.scrollTop + from.y - at.y;
  }

  function up(event: PointerEvent) {
    const g = latest();
    const at = place(event);
    pointers.delete(event.pointerId);
    element.style.cursor = "";
    if (drag?.choosing && drag.moved) {
      const ends = [timeAt(g, drag.x), timeAt(g, at.x)].sort((a, b) => a - b);
      g.onWindow(within([ends[0], ends[1]], g.bounds));
    } else if (drag && !drag.moved && event.type === "pointerup") {
      g.onClick(at);
    }
    setChosen(null);
    drag = null;
    pinch = null;
  }

  const leave = () => drag === null && latest().onHover(null);
  const listeners: [string, (event: PointerEvent) => void][] = [
    ["pointerdown", down],
    ["pointermove", move],
    ["pointerup", up],
    ["pointercancel", up],
    ["pointerleave", leave],
  ];
  for (const [name, listener] of listeners) {
    element.addEventListener(name, listener as EventListener);
  }
  return () => {
    for (const [name, listener] of listeners) {
      element.removeEventListener(name, listener as EventListener);
    }
  };
}

/** The window in which both fingers are still at their times. */
function pinched(g: Gestures, pinch: Pinch, fingers: number[]): Span {
  const [a, b] = fingers;
  const perPixel = (pinch.times[1] - pinch.times[0]) / Math.max(8, b - a);
  const from = pinch.times[0] - (a - g.plot.left) * perPixel;
  return within([from, from + perPixel * g.plot.width], g.bounds);
}
