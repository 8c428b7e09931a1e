/** What a spreadsheet would run, were it the beginning of a cell. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * Rows as CSV; cells with commas, quotes or line feeds are quoted. A text that a spreadsheet would
 * take for a formula has an apostrophe before it: names and reasons are other people's.
 */
export function csv(header: string[], rows: (string | number | null | undefined)[][]): string {
  const cell = (value: string | number | null | undefined) => {
    const plain = value === null || value === undefined ? "" : String(value);
    const runs = typeof value === "string" && FORMULA.test(value) && Number.isNaN(Number(value));
    const text = runs && value !== "-" ? `'${plain}` : plain;
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [header, ...rows].map((row) => row.map(cell).join(",") + "\n").join("");
}

export function saveText(name: string, text: string, type: string) {
  save(name, new Blob([text], { type }));
}

export function save(name: string, blob: Blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const PAINTED = ["fill", "stroke", "color", "font-family", "font-size", "font-weight", "opacity"];

/** A drawing as a file of its own: with the colours and fonts that the page gives it. */
export function svgText(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const from = [svg, ...svg.querySelectorAll<SVGElement>("*")];
  const to = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    for (const name of PAINTED) {
      to[i].removeAttribute(name);
      to[i].style.setProperty(name, style.getPropertyValue(name));
    }
  });
  copy.style.background = getComputedStyle(document.documentElement).getPropertyValue("--paper");
  copy.querySelectorAll("style").forEach((style) => style.remove());
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
}

const PNG_SCALE = 2;

export async function svgToPng(svg: SVGSVGElement): Promise<Blob> {
  const image = new Image();
  const { width, height } = svg.getBoundingClientRect();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(svg))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width * PNG_SCALE;
  canvas.height = height * PNG_SCALE;
  const context = canvas.getContext("2d")!;
  context.scale(PNG_SCALE, PNG_SCALE);
  context.drawImage(image, 0, 0, width, height);
  return canvasToPng(canvas);
}

/** Not by toBlob, which waits for seconds until the browser has nothing else to do. */
export function canvasToPng(canvas: HTMLCanvasElement): Blob {
  const bytes = atob(canvas.toDataURL("image/png").split(",")[1]);
  return new Blob([Uint8Array.from(bytes, (c) => c.charCodeAt(0))], { type: "image/png" });
}

const HEAD = 46;

/** A canvas as a picture of its own: with its title, and the key to its colours if it has one. */
export function canvasWithKey(
  canvas: HTMLCanvasElement,
  title: string,
  legend: HTMLElement | null,
): Blob {
  const scale = canvas.width / canvas.clientWidth;
  const sheet = document.createElement("canvas");
  sheet.width = canvas.width;
  sheet.height = canvas.height + HEAD * scale;
  const context = sheet.getContext("2d")!;
  const page = getComputedStyle(document.body);
  context.fillStyle = page.backgroundColor;
  context.fillRect(0, 0, sheet.width, sheet.height);
  context.drawImage(canvas, 0, HEAD * scale);
  context.scale(scale, scale);
  context.fillStyle = page.color;
  context.font = `600 14px ${page.fontFamily}`;
  context.fillText(title, 4, 16);
  context.font = `12px ${page.fontFamily}`;
  let left = 4;
  for (const entry of legend?.children ?? []) {
    const swatch = entry.querySelector("i");
    if (swatch) {
      context.fillStyle = getComputedStyle(swatch).backgroundColor;
      context.fillRect(left, 27, 10, 10);
      left += 14;
    }
    const text = entry.textContent ?? "";
    context.fillStyle = page.color;
    context.fillText(text, left, 36);
    left += context.measureText(text).width + 14;
  }
  return canvasToPng(sheet);
}
