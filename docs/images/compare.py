#!/usr/bin/env python3
"""Draws a comparison as an SVG: mean job completion time over the lower bound, one bar a policy.

    ./ringmaster compare --json | python3 docs/images/compare.py > docs/images/compare.svg
"""

import json
import math
import sys
from xml.sax.saxutils import escape

WIDTH = 760
LEFT = 140
RIGHT = 90
TOP = 84
BAR = 18
STEP = 27
TICKS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]

STYLE = """
  .card { fill: #ffffff; stroke: #d0d7de; }
  text { fill: #1f2328; font-family: system-ui, "Segoe UI", Helvetica, Arial, sans-serif; font-size: 13px; }
  .title { font-size: 16px; font-weight: 600; }
  .faint { fill: #59636e; font-size: 12px; }
  .grid { stroke: #d8dee4; }
  .bound { stroke: #59636e; stroke-width: 1.5; }
  .runs { fill: #b35900; }
  .stops { fill: #0969da; }
  @media (prefers-color-scheme: dark) {
    .card { fill: #0d1117; stroke: #3d444d; }
    text { fill: #f0f6fc; }
    .faint { fill: #9198a1; }
    .grid { stroke: #2a313c; }
    .bound { stroke: #9198a1; }
    .runs { fill: #db6d28; }
    .stops { fill: #4493f8; }
  }
"""


def bars(document):
    """Policy, mean JCT over the bound, and whether it stopped jobs; the best first."""
    ratios = {}
    for run in document["runs"]:
        ratio = run["jct_mean_s"] / run["lower_bound_jct_s"]
        ratios.setdefault(run["policy"], []).append(ratio)
    stops = {row["policy"]: row["restarts"]["mean"] > 0 for row in document["policies"]}
    means = [(sum(values) / len(values), policy) for policy, values in ratios.items()]
    return [(policy, mean, stops[policy]) for mean, policy in sorted(means)]


def draw(document):
    rows = bars(document)
    first = document["runs"][0]
    last = max(mean for _, mean, _ in rows)
    right = next((tick for tick in TICKS if tick >= last), last)
    height = TOP + STEP * len(rows) + 44
    bottom = TOP + STEP * len(rows)

    def x(ratio):
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log(ratio) / math.log(right)

    title = "Mean job completion time, as a multiple of the lower bound"
    about = f"{first['jobs']:,} jobs on {first['gpus']:,} GPUs; shorter is better; the scale is logarithmic"
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"'
        f' width="{WIDTH}" height="{height}" role="img" aria-label="{escape(title)}">',
        f"<style>{STYLE}</style>",
        f'<rect class="card" x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="8"/>',
        f'<text class="title" x="20" y="30">{escape(title)}</text>',
        f'<text class="faint" x="20" y="50">{escape(about)}</text>',
        '<rect class="stops" x="20" y="60" width="11" height="11" rx="2"/>',
        '<text class="faint" x="36" y="70">stops and resumes jobs</text>',
        '<rect class="runs" x="186" y="60" width="11" height="11" rx="2"/>',
        '<text class="faint" x="202" y="70">runs jobs to their end</text>',
    ]
    for tick in [t for t in TICKS if t <= right]:
        kind = "bound" if tick == 1 else "grid"
        out.append(f'<line class="{kind}" x1="{x(tick):.1f}" x2="{x(tick):.1f}" y1="{TOP}" y2="{bottom}"/>')
        out.append(f'<text class="faint" x="{x(tick):.1f}" y="{bottom + 18}" text-anchor="middle">{tick}</text>')
    out.append(f'<text class="faint" x="{LEFT}" y="{bottom + 34}" text-anchor="middle">no schedule is below 1</text>')
    for i, (policy, ratio, stops) in enumerate(rows):
        y = TOP + STEP * i + (STEP - BAR) / 2
        length = max(2, x(ratio) - LEFT)
        out.append(f'<text x="{LEFT - 10}" y="{y + 13:.1f}" text-anchor="end">{escape(policy)}</text>')
        out.append(
            f'<rect class="{"stops" if stops else "runs"}" x="{LEFT}" y="{y:.1f}"'
            f' width="{length:.1f}" height="{BAR}" rx="2"/>'
        )
        out.append(f'<text x="{LEFT + length + 7:.1f}" y="{y + 13:.1f}">x {ratio:.2f}</text>')
    out.append("</svg>")
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    sys.stdout.write(draw(json.load(sys.stdin)))
