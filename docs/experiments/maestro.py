"""Fills the tables of maestro.md on the experiments of the seeds, and prints lines of that beside rivals.

    ./ringmaster reproduce maestro --json | python3 docs/experiments/maestro.py
"""

import json
import pathlib
import sys

rows = json.load(sys.stdin)["rows"]
page = pathlib.Path(__file__).with_name("maestro.md")
text = page.read_text()


def chosen(metric, policy="maestro", **setting):
    for row in rows:
        own = row["setting"]
        if row["metric"] != metric or row["policy"] != policy:
            continue
        if ("without" in own) != ("without" in setting) or ("prediction" in own and own["experiment"] == "sjf-bco") != (
            "prediction" in setting and own["experiment"] == "sjf-bco"
        ):
            continue
        if all(own.get(key) == value for key, value in setting.items()):
            yield row


def figure(metric, policy="maestro", interval=True, **setting):
    found = list(chosen(metric, policy, **setting))
    if not found:
        return ""
    assert len(found) == 1, (metric, setting, [row["setting"] for row in found])
    mean, half = found[0]["mean"], found[0]["ci95"]
    return f"{mean:.3f} ± {half:.3f}" if interval else f"{mean:.3f}"


def fill(header, lines):
    """Replaces the body of the table that has a header."""
    global text
    at = text.index(header + "\n")
    start = text.index("\n", text.index("\n", at) + 1) + 1
    end = text.index("\n\n", start)
    text = text[:start] + "\n".join("| " + " | ".join(line) + " |" for line in lines) + text[end:]


SERVERS, CAPS = (10, 15, 20), (0.15, 0.3, 0.6)
METRICS = ("ratio_to_seed", "ratio_to_best_baseline", "ratio_to_bound")


def batch(metric, interval=True, **setting):
    return figure(metric, interval=interval, experiment="sjf-bco", **setting)


fill(
    "| servers | extra time up to | over SJF-BCO's | over the best baseline's | over the bound |",
    [
        [str(s), f"{cap:.0%}".replace("%", " %") if s == 10 else ""]
        + [batch(m, servers=s, cap=cap, objective="makespan", figure="makespan") for m in METRICS]
        for cap in CAPS
        for s in SERVERS
    ],
)
fill(
    "| extra time up to | objective | makespan | mean completion |",
    [
        [f"{cap:.0%}".replace("%", " %") if objective == "makespan" else "", f"`{objective}`"]
        + [
            " / ".join(
                batch("ratio_to_seed", False, servers=s, cap=cap, objective=objective, figure=f)
                for s in SERVERS
            )
            for f in ("makespan", "completion")
        ]
        for cap in CAPS
        for objective in ("makespan", "mixed")
    ],
)
fill(
    "| extra time up to | SJF-BCO | longest-first |",
    [
        [f"{cap:.0%}".replace("%", " %")]
        + [
            " / ".join(
                batch(
                    m, False, servers=s, cap=cap, objective="makespan", figure="makespan", prediction="noise:0.25"
                )
                for s in SERVERS
            )
            for m in METRICS[:2]
        ]
        for cap in CAPS
    ],
)

KNOWN = ("perfect", "group-mean")


def mix(metric, interval=True, **setting):
    return figure(metric, interval=interval, experiment="a-srpt", **setting)


fill(
    "| lengths | load 0.9 | load 1.1 |",
    [
        [f"`{p}`"] + [mix("ratio_to_seed", bandwidth=25, load=load, prediction=p) for load in (0.9, 1.1)]
        for p in KNOWN
    ],
)
fill(
    "| lengths | contention | over doubling's | over the best baseline's | over the bound |",
    [
        [lengths if c == "extreme" else "", c]
        + [figure(m, experiment="doubling", contention=c, lengths=lengths) for m in METRICS]
        for lengths in ("equal", "log-normal")
        for c in ("extreme", "moderate", "none")
    ],
)


def least_and_largest(**setting):
    means = [row["mean"] for row in chosen("ratio_to_seed", experiment="gadget", **setting)]
    return f"{min(means):.3f}, {max(means):.3f}"


fill(
    "| goal | load 0.5 | load 1 | load 2 |",
    [
        [f"{utility}, by {weight}"]
        + [least_and_largest(utility=utility, weight=weight, load=load) for load in (0.5, 1, 2)]
        for utility in ("progress", "saturating", "fair")
        for weight in ("job", "work")
    ],
)

LENGTHS = ("perfect", "predicted", "group-mean", "noise:1", "reversed")
for workload, name, loads in (("week", "week", (1,)), ("small-week", "small week", (1,)), ("a-srpt", "`a-srpt`", (0.9, 1.1))):
    for load in loads:
        print(
            name,
            load,
            *[
                " / ".join(
                    figure(
                        "ratio_to_best_rival",
                        interval=False,
                        experiment="rivals",
                        workload=workload,
                        load=load,
                        prediction=lengths,
                        restart_s=restart,
                    )
                    for restart in (10, 60, 300)
                )
                for lengths in LENGTHS
            ],
            sep=" | ",
        )
page.write_text(text)
