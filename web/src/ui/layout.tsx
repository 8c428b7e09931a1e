import type { ComponentChildren } from "preact";
import { slug } from "./format";
import { Brand } from "./logo";
import { toggleTheme } from "./theme";

export interface Part {
  title: string;
  /** Left out of the page if null. */
  content: ComponentChildren;
}

interface LayoutProps {
  title: string;
  /** What was done to what, in a sentence. */
  lead: ComponentChildren;
  /** What comes before the parts: the figures that matter most. */
  children?: ComponentChildren;
  parts: Part[];
  /** Where the numbers come from: versions, seeds, hashes of inputs. */
  footer: ComponentChildren;
}

/** The frame of every page. */
export function Layout({ title, lead, children, parts, footer }: LayoutProps) {
  const shown = parts.filter((part) => part.content !== null);
  return (
    <>
      <div class="top">
        <Brand />
        <nav aria-label="Parts of the page">
          {shown.map((part) => (
            <a key={part.title} href={`#${slug(part.title)}`}>
              {part.title}
            </a>
          ))}
        </nav>
        <button onClick={toggleTheme}>Light / dark</button>
      </div>
      <main>
        <h1>{title}</h1>
        <p class="lead">{lead}</p>
        {children}
        {shown.map((part) => (
          <section key={part.title} id={slug(part.title)}>
            <h2>{part.title}</h2>
            {part.content}
          </section>
        ))}
      </main>
      <footer>{footer}</footer>
    </>
  );
}

export interface Tile {
  /** The key of the figure in summary.json. */
  key: string;
  label: string;
  value: string;
  note?: string;
}

/** The figures that matter most. */
export function Tiles({ tiles }: { tiles: Tile[] }) {
  return (
    <dl class="tiles">
      {tiles.map((tile) => (
        <div key={tile.key} data-figure={tile.key}>
          <dt>{tile.label}</dt>
          <dd>
            {tile.value}
            {tile.note && <small>{tile.note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
