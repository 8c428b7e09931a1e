import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { slug } from "./format";
import { canvasWithKey, save, saveText, svgText, svgToPng } from "./save";
import { useTheme } from "./theme";

interface FrameProps {
  /** Unique on the page; names the files that are saved. */
  id: string;
  title: string;
  /** What to see in it, in a sentence or two. */
  caption?: ComponentChildren;
  /** Controls beside the title. */
  tools?: ComponentChildren;
  /** The numbers behind it. */
  csv: () => string;
  /** Makes the PNG of a figure that is not one drawing. */
  onPng?: () => Blob;
  children: ComponentChildren;
}

/** A picture with its title, its caption, and buttons that save it and the numbers behind it. */
export function Frame({ id, title, caption, tools, csv, onPng, children }: FrameProps) {
  const figure = useRef<HTMLElement>(null);
  const name = () => slug(`${document.title.split(" · ")[0]}-${id}`);
  const svg = () => figure.current!.querySelector<SVGSVGElement>("svg");
  const canvas = () => figure.current!.querySelector("canvas");
  const [drawsSvg, setDrawsSvg] = useState(false);
  useEffect(() => setDrawsSvg(svg() !== null && canvas() === null));

  async function png() {
    const drawn = canvas();
    const legend = figure.current!.querySelector<HTMLElement>(".legend");
    const draw = onPng ?? (() => (drawn ? canvasWithKey(drawn, title, legend) : svgToPng(svg()!)));
    save(`${name()}.png`, await draw());
  }

  return (
    <figure class="figure" id={id} ref={figure} aria-labelledby={`${id}-title`}>
      <header>
        <h3 id={`${id}-title`}>{title}</h3>
        {tools && <div class="tools">{tools}</div>}
        <div class="tools save" role="group" aria-label={`Save ${title}`}>
          {drawsSvg && (
            <button onClick={() => saveText(`${name()}.svg`, svgText(svg()!), "image/svg+xml")}>
              SVG
            </button>
          )}
          <button onClick={png}>PNG</button>
          <button onClick={() => saveText(`${name()}.csv`, csv(), "text/csv")}>CSV</button>
        </div>
      </header>
      {children}
      {caption && <figcaption>{caption}</figcaption>}
    </figure>
  );
}

type PlotFigureProps = Omit<FrameProps, "children"> & {
  /** Draws for a width in pixels. Runs again when that changes. */
  draw: (width: number) => SVGElement | HTMLElement;
};

/** In less, the axes leave no room for a plot: it is drawn so wide and shown smaller. */
const LEAST_WIDTH = 240;

/** A figure that a function draws as SVG. */
export function PlotFigure({ draw, ...frame }: PlotFigureProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const theme = useTheme();
  useLayoutEffect(() => {
    if (width > 0) {
      const drawn = draw(Math.max(width, LEAST_WIDTH));
      // Plot names its marks; a name that stands on nothing is not told, and is an error.
      drawn
        .querySelectorAll("g[aria-label]:not([role])")
        .forEach((mark) => mark.setAttribute("role", "group"));
      box.current!.replaceChildren(drawn);
    }
  }, [draw, width, theme]);
  return (
    <Frame {...frame}>
      <div ref={box} class="plot" />
    </Frame>
  );
}

/** The width of an element, kept up to date. */
export function useWidth(ref: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current!;
    const measure = () => setWidth(Math.floor(element.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return width;
}

/** A value once it has not changed for some time. */
export function useSettled<T>(value: T, milliseconds: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}
