import type { Comparison } from "../data";
import { duration } from "../ui/format";
import { canvasToPng } from "../ui/save";
import { mean } from "./metrics";

const GAP = 16;
const TITLE = 20;

/** All small pictures with their names on one canvas, as they stand on the page. */
export function saveAll(comparison: Comparison, box: HTMLElement): Blob {
  const canvases = [...box.querySelectorAll("canvas")];
  const scale = canvases[0].width / canvases[0].clientWidth;
  const width = canvases[0].clientWidth;
  const height = canvases[0].clientHeight;
  const columns = Math.ceil(Math.sqrt(canvases.length));
  const rows = Math.ceil(canvases.length / columns);
  const sheet = document.createElement("canvas");
  sheet.width = scale * (columns * (width + GAP) + GAP);
  sheet.height = scale * (rows * (height + TITLE + GAP) + GAP);
  const context = sheet.getContext("2d")!;
  const style = getComputedStyle(document.body);
  context.scale(scale, scale);
  context.fillStyle = style.backgroundColor;
  context.fillRect(0, 0, sheet.width, sheet.height);
  context.fillStyle = style.color;
  context.font = `13px ${style.fontFamily}`;
  canvases.forEach((canvas, i) => {
    const left = GAP + (i % columns) * (width + GAP);
    const top = GAP + Math.floor(i / columns) * (height + TITLE + GAP);
    const policy = comparison.policies[i];
    const text = `${policy.name}, mean JCT ${duration(mean(policy, "jct_mean_s"))}`;
    context.fillText(text, left, top + TITLE - 6, width);
    context.drawImage(canvas, left, top + TITLE, width, height);
  });
  return canvasToPng(sheet);
}
