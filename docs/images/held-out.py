#!/usr/bin/env python3
"""Draws advise-held-out.svg from what `advise --check --json` printed of histories nobody had seen.

    docs/images/held-out.py fifo=a.json,b.json easy=c.json,d.json > docs/images/advise-held-out.svg

Prints the rows of the table in docs/advise.md to stderr: means over histories, and twice their
errors.
"""

import json
import statistics
import sys

SIZE, LEFT, TOP, SIDE = 400, 60, 20, 300
COLOURS = ["#3b6fb6", "#c8553d", "#4a8f5c"]


def place(stated, held):
    return LEFT + SIDE * stated, TOP + SIDE * (1 - held)


def text(x, y, words, anchor="middle", extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {extra}>{words}</text>'


def line(points, colour, extra=""):
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="{colour}" {extra}/>'


def levels(files):
    """Stated share to mean held share and twice its error."""
    histories = [json.load(open(name)) for name in files]
    held = {}
    for history in histories:
        for level in history["levels"]:
            held.setdefault(level["stated"], []).append(level["held"])
    return {
        stated: (statistics.mean(all), 2 * statistics.stdev(all) / len(all) ** 0.5)
        for stated, all in held.items()
    }, histories


def main():
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE - 20}" '
        'font-family="sans-serif" font-size="12" fill="#777">',
        "<title>How often the truth was within the stated interval</title>",
        line([place(0, 0), place(1, 1)], "#999", 'stroke-dasharray="4 4"'),
        line([place(0, 1), place(0, 0), place(1, 0)], "#777"),
        text(LEFT + SIDE / 2, TOP + SIDE + 40, "stated, % of cases"),
        text(16, TOP + SIDE / 2, "held, %", extra=f'transform="rotate(-90 16 {TOP + SIDE / 2})"'),
    ]
    for tick in (0, 0.2, 0.4, 0.6, 0.8, 1):
        x, y = place(tick, tick)
        out.append(text(x, TOP + SIDE + 18, round(100 * tick)))
        out.append(text(LEFT - 8, y + 4, round(100 * tick), "end"))
    for i, argument in enumerate(sys.argv[1:]):
        name, files = argument.split("=")
        shares, histories = levels(files.split(","))
        for stated, (mean, error) in shares.items():
            x = place(stated, 0)[0] + 3 * i
            ends = [(x, place(0, min(1, max(0, mean + sign * error)))[1]) for sign in (-1, 1)]
            out.append(line(ends, COLOURS[i], 'stroke-opacity="0.5"'))
            row = f"{100 * stated:.0f} %: {100 * mean:.0f} % ± {100 * error:.0f}"
            print(name, row, file=sys.stderr)
        points = [(place(s, 0)[0] + 3 * i, place(0, mean)[1]) for s, (mean, _) in shares.items()]
        out.append(line(points, COLOURS[i], 'stroke-width="2"'))
        out.append(text(LEFT + 14, TOP + 14 + 16 * i, name, "start", f'style="fill:{COLOURS[i]}"'))
        for key in ("forecasts", "open_ends", "left_out"):
            print(f"{name} {key}: {sum(h[key] for h in histories)}", file=sys.stderr)
        for key in ("wait_s", "width_s", "error_s"):
            hours = statistics.median(h[key] for h in histories) / 3600
            print(f"{name} {key}, h: {hours:.1f}", file=sys.stderr)
    out.append("</svg>")
    print("\n".join(out))


main()
