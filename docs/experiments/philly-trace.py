#!/usr/bin/env python3
"""Prints the tables of philly-trace.md from the document of the experiment.

    ./ringmaster reproduce philly-trace --json | python3 docs/experiments/philly-trace.py
"""

import json
import sys

LOADS = [0.8, 1.0, 1.2]
MIDDLE = 1.0
HOUR = 3600
DAY = 86400


def number(value):
    return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f}"


def figure(pair, unit=1):
    mean, ci95 = pair
    return f"{number(mean / unit)} ± {number(ci95 / unit)}"


def table(header, rows):
    print("| " + " | ".join(header) + " |")
    print("| --- |" + " ---: |" * (len(header) - 1))
    for row in rows:
        print("| " + " | ".join(row) + " |")


def main():
    figures = {}
    for row in json.load(sys.stdin)["rows"]:
        setting = row["setting"]
        if "workload" in setting:
            continue
        key = (setting.get("prediction", ""), row["policy"], setting["load"], row["metric"])
        figures[key] = (row["mean"], row["ci95"])

    def ratios(prediction, policy):
        return [figure(figures[prediction, policy, load, "jct_over_bound"]) for load in LOADS]

    def best_first(prediction):
        names = {policy for (kind, policy, _, _) in figures if kind == prediction}
        return sorted(names, key=lambda p: (figures[prediction, p, MIDDLE, "jct_over_bound"], p))

    loads = [f"load {load}" for load in LOADS]
    table(
        ["policy", *loads, "mean JCT at load 1, h", "makespan at load 1, d"],
        [
            [
                f"`{policy}`",
                *ratios("", policy),
                figure(figures["", policy, MIDDLE, "jct_s"], HOUR),
                figure(figures["", policy, MIDDLE, "makespan_s"], DAY),
            ]
            for policy in best_first("")
        ],
    )
    print()
    table(
        ["policy", *loads, "known, at load 1", "mean JCT at load 1, h"],
        [
            [
                f"`{policy}`",
                *ratios("predicted", policy),
                figure(figures["", policy, MIDDLE, "jct_over_bound"]),
                figure(figures["predicted", policy, MIDDLE, "jct_s"], HOUR),
            ]
            for policy in best_first("predicted")
        ],
    )


main()
