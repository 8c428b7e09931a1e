import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Frame, useWidth } from "../ui/figure";
import { useTheme } from "../ui/theme";
import { drawGridlines, drawRows, drawTimeAxis, namesWidth, ticks } from "./axis";
import "./cluster.css";
import { useTimeWindow, zoomedIn, zoomedOut } from "./timewindow";
import {
  canvasHeight,
  clipToPlot,
  fittingLane,
  gpusAbove,
  heights,
  plotBox,
  spotAt,
  x,
  y,
  type Rows,
  type Span,
  type Spot,
  type View,
} from "./view";

export type Painter = (context: CanvasRenderingContext2D, view: View) => void;

export interface Tip {
  at: { time: number; row: number; lane: number };
  content: ComponentChildren;
}

interface TimeCanvasProps {
  id: string;
  title: string;
  caption: string;
  csv: () => string;
  tools?: ComponentChildren;
  /** Between the title and the picture: what colours mean. */
  children: ComponentChildren;
  /** What a screen reader says of the picture. */
  label: string;
  rows: Rows;
  bounds: Span;
  window: Span;
  onWindow: (window: Span) => void;
  /** Draws the rows. What is drawn is kept until this, or what is in sight, changes. */
  paint: Painter;
  /** Draws over it, again and again. */
  overlay?: Painter;
  tip: Tip | null;
  onHover: (spot: Spot | null) => void;
  onPick?: (spot: Spot | null) => void;
  onEscape?: () => void;
  /** A row that comes into sight whenever this changes. */
  reveal?: { row: number };
}

export const HOW_TO_MOVE =
  "Drag to move; Ctrl with the wheel, Shift with a drag, or a pinch to zoom. Keys: arrows, + and −, 0 for the whole run.";

const ROW_STEP = 1.6;
/** Rows with lower lanes than this can be made taller. */
const EASY_LANE = 8;

/** Rows over time on a canvas, with axes, zoom, pan and keys. */
export function TimeCanvas(props: TimeCanvasProps) {
  const { rows, bounds, window: span, onWindow } = props;
  const box = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useWidth(box);
  const theme = useTheme();
  const [taller, setTaller] = useState(1);
  const [scroll, setScroll] = useState(0);
  const above = useMemo(() => gpusAbove(rows), [rows]);
  const names = useMemo(() => namesWidth(rows), [rows]);
  const fitting = fittingLane(rows);
  const laneHeight = fitting * taller;
  const { content, shown } = heights(above, laneHeight);
  const view: View = {
    ...plotBox(names, width, shown),
    scroll: Math.min(scroll, content - shown),
    laneHeight,
    above,
    // A run in which nothing takes time.
    window: span[1] > span[0] ? span : [span[0], span[0] + 1],
    origin: bounds[0],
    scale: globalThis.devicePixelRatio || 1,
    theme,
  };
  const height = canvasHeight(shown);
  const spot = (place: { x: number; y: number } | null) => place && spotAt(view, place.x, place.y);
  const chosen = useTimeWindow(canvas, {
    bounds,
    window: span,
    onWindow,
    plot: view,
    scroller,
    onHover: (place) => props.onHover(spot(place)),
    onClick: (place) => props.onPick?.(spot(place)),
    onEscape: () => props.onEscape?.(),
  });
  useDrawing(canvas, view, width, height, props, chosen);
  const inTheMiddle = useRef<number | null>(null);
  const makeTaller = (factor: number) => {
    inTheMiddle.current = props.tip
      ? above[props.tip.at.row] + props.tip.at.lane
      : (view.scroll + shown / 2) / laneHeight;
    setTaller(Math.max(1, taller * factor));
  };
  useLayoutEffect(() => {
    if (inTheMiddle.current !== null) {
      scroller.current!.scrollTop = inTheMiddle.current * laneHeight - shown / 2;
    }
  }, [taller]);
  useEffect(() => {
    if (props.reveal) {
      scroller.current!.scrollTop = above[props.reveal.row] * laneHeight - shown / 2;
    }
  }, [props.reveal]);

  const whole = span[0] <= bounds[0] && span[1] >= bounds[1];
  const tools = (
    <>
      {props.tools}
      <span class="tools" role="group" aria-label="Zoom">
        <button
          onClick={() => onWindow(zoomedOut(span, bounds))}
          disabled={whole}
          aria-label="Zoom out"
        >
          −
        </button>
        <button onClick={() => onWindow(zoomedIn(span, bounds))} aria-label="Zoom in">
          +
        </button>
        <button onClick={() => onWindow(bounds)} disabled={whole}>
          Whole run
        </button>
        {fitting < EASY_LANE && (
          <>
            <button onClick={() => makeTaller(1 / ROW_STEP)} disabled={taller <= 1}>
              Lower rows
            </button>
            <button
              onClick={() => makeTaller(ROW_STEP)}
              disabled={laneHeight >= EASY_LANE * ROW_STEP}
            >
              Taller rows
            </button>
          </>
        )}
      </span>
    </>
  );
  return (
    <Frame id={props.id} title={props.title} caption={props.caption} csv={props.csv} tools={tools}>
      {props.children}
      <div class="cluster">
        <div
          class="cluster-scroll"
          ref={scroller}
          style={{ height: `${height}px` }}
          onScroll={(event) => setScroll(event.currentTarget.scrollTop)}
        >
          <div ref={box} style={{ height: `${height + content - shown}px` }}>
            <canvas
              ref={canvas}
              tabIndex={0}
              role="img"
              aria-label={props.label}
              style={{ width: `${width}px`, height: `${height}px` }}
              data-from={span[0]}
              data-to={span[1]}
              data-plot-left={view.left}
              data-plot-top={view.top}
              data-plot-width={view.width}
              data-lane-height={laneHeight}
            />
          </div>
        </div>
        {props.tip && <TipBox tip={props.tip} view={view} width={width} height={height} />}
      </div>
    </Frame>
  );
}

/** Draws in the next frame, the rows only if they changed. */
function useDrawing(
  canvas: { current: HTMLCanvasElement | null },
  view: View,
  width: number,
  height: number,
  { rows, paint, overlay }: TimeCanvasProps,
  chosen: [number, number] | null,
) {
  const kept = useRef<{ picture: HTMLCanvasElement; of: unknown[] } | null>(null);
  const draw = () => {
    const element = canvas.current;
    if (!element || width === 0) {
      return;
    }
    kept.current ??= { picture: document.createElement("canvas"), of: [] };
    const { picture, of } = kept.current;
    const now = [paint, rows, width, height, ...Object.values(view)];
    if (now.length !== of.length || now.some((value, i) => value !== of[i])) {
      kept.current.of = now;
      const context = cleared(picture, view, width, height);
      drawBase(context, view, rows, paint);
    }
    const context = cleared(element, view, width, height);
    context.drawImage(picture, 0, 0, width, height);
    context.save();
    clipToPlot(context, view);
    overlay?.(context, view);
    if (chosen) {
      context.globalAlpha = 0.25;
      context.fillStyle = view.theme.accent;
      context.fillRect(chosen[0], view.top, chosen[1] - chosen[0], view.height);
    }
    context.restore();
  };
  useLayoutEffect(() => {
    const frame = requestAnimationFrame(draw);
    return () => cancelAnimationFrame(frame);
  });
  // A page that is printed does not wait for a frame.
  useLayoutEffect(draw, [view.theme]);
}

function cleared(canvas: HTMLCanvasElement, view: View, width: number, height: number) {
  const w = Math.round(width * view.scale);
  const h = Math.round(height * view.scale);
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
  }
  const context = canvas.getContext("2d", { alpha: false })!;
  context.setTransform(view.scale, 0, 0, view.scale, 0, 0);
  context.fillStyle = view.theme.paper;
  context.fillRect(0, 0, width, height);
  return context;
}

function drawBase(context: CanvasRenderingContext2D, view: View, rows: Rows, paint: Painter) {
  const [t0, t1] = view.window;
  const shown = ticks(t0 - view.origin, t1 - view.origin, view.width);
  context.fillStyle = view.theme.idle;
  context.fillRect(view.left, view.top, view.width, view.height);
  drawGridlines(context, view, shown);
  context.save();
  clipToPlot(context, view);
  paint(context, view);
  context.restore();
  drawRows(context, view, rows);
  drawTimeAxis(context, view, shown);
}

/** Beside the place it speaks of, on the side where there is more room. */
function TipBox(props: { tip: Tip; view: View; width: number; height: number }) {
  const { tip, view, width, height } = props;
  const within = (value: number, from: number, to: number) => Math.min(Math.max(value, from), to);
  const atX = within(x(view, tip.at.time), view.left, view.left + view.width);
  const atY = within(y(view, tip.at.row, tip.at.lane), view.top, view.top + view.height);
  const across = atX < width / 2 ? { left: `${atX + 14}px` } : { right: `${width - atX + 14}px` };
  const down = atY < height / 2 ? { top: `${atY + 14}px` } : { bottom: `${height - atY + 14}px` };
  return (
    <div class="tip" style={{ ...across, ...down }}>
      {tip.content}
    </div>
  );
}
