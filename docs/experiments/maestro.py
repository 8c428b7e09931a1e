"""Fills the tables of maestro.md with the rows of the experiment.

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
        for objective in ("makespan", "mixed", "jct")
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
    "| lengths | bandwidth, Gbit/s | load 0.7 | load 0.9 | load 1.1 |",
    [
        [f"`{p}`" if b == 10 else "", str(b)]
        + [mix("ratio_to_seed", bandwidth=b, load=load, prediction=p) for load in (0.7, 0.9, 1.1)]
        for p in KNOWN
        for b in (10, 25, 100)
    ],
)
fill(
    "| lengths | bandwidth, Gbit/s | ratio of the means to `a-srpt`'s | over the best baseline's | over the bound |",
    [
        [f"`{p}`" if b == 10 else "", str(b)]
        + [
            " / ".join(mix(m, False, bandwidth=b, load=load, prediction=p) for load in (0.9, 1.1))
            for m in ("ratio_of_means_to_seed",) + METRICS[1:]
        ]
        for p in KNOWN
        for b in (10, 25, 100)
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

INGREDIENTS = ("none", "order", "consolidation", "preemption", "waiting", "growth", "search", "trust")


def dropped(without, metric="ratio_to_seed", **setting):
    means = [row["mean"] for row in chosen(metric, without=without, **setting)]
    return f"{means[0]:.3f}" if len(means) == 1 else ""


fill(
    "| without | `sjf-bco`, 20 servers, 15 % | 60 % | `a-srpt`, load 1.1, 25 Gbit/s, `perfect` | `group-mean` |"
    " `doubling`, moderate, equal | extreme, log-normal | `gadget`, 100 jobs, load 1, progress by job |"
    " saturating by work |",
    [
        [f"`{w}`"]
        + [dropped(w, experiment="sjf-bco", cap=cap, figure="makespan") for cap in (0.15, 0.6)]
        + [dropped(w, experiment="a-srpt", prediction=p) for p in KNOWN]
        + [
            dropped(w, experiment="doubling", contention="moderate"),
            dropped(w, experiment="doubling", contention="extreme"),
            dropped(w, experiment="gadget", utility="progress"),
            dropped(w, experiment="gadget", utility="saturating"),
        ]
        for w in INGREDIENTS
    ],
)
WRONG = [("a-srpt", 0.9), ("a-srpt", 1.1), ("philly", 1)]
fill(
    "| workload | load | lengths | `maestro` | `srsf` | `sjf` |",
    [
        [f"`{w}`" if p == "perfect" else "", str(load) if p == "perfect" else "", f"`{p}`"]
        + [
            figure("ratio_to_fifo", policy, experiment="adversarial", workload=w, load=load, prediction=p)
            for policy in ("maestro", "srsf", "sjf")
        ]
        for w, load in WRONG
        for p in ("perfect", "reversed", "equal", "noise:3")
    ],
)
fill(
    "| without | `a-srpt`, load 0.9 | load 1.1 | `philly` |",
    [
        [f"`{without}`"]
        + [
            dropped(without, "ratio_to_fifo", experiment="adversarial", workload=w, load=load)
            for w, load in WRONG
        ]
        for without in INGREDIENTS
    ],
)


def worst(metric, test, **setting):
    return max(row["mean"] for row in chosen(metric, **setting) if test(row["setting"]))


def everywhere(_):
    return True


def loaded(setting):
    return setting["load"] >= 0.9


CELLS = dict(experiment="sjf-bco", objective="makespan", figure="makespan")
EXPECTED = [
    ("`sjf-bco`, every size and cap: makespan over SJF-BCO's", 0.80, worst(METRICS[0], everywhere, **CELLS)),
    ("over the best baseline's", 0.97, worst(METRICS[1], everywhere, **CELLS)),
    ("over the lower bound", 1.10, worst(METRICS[2], everywhere, **CELLS)),
    (
        "`a-srpt`, loads 0.9 and 1.1, every bandwidth, lengths `group-mean`: over `a-srpt`",
        0.92,
        worst(METRICS[0], loaded, experiment="a-srpt", prediction="group-mean"),
    ),
    ("lengths `perfect`", 1.00, worst(METRICS[0], loaded, experiment="a-srpt", prediction="perfect")),
    (
        "`doubling`, every contention, both kinds of lengths: over `doubling`",
        1.00,
        worst(METRICS[0], everywhere, experiment="doubling"),
    ),
    (
        "moderate contention, equal lengths",
        0.92,
        worst(METRICS[0], everywhere, experiment="doubling", contention="moderate", lengths="equal"),
    ),
    (
        "extreme contention, log-normal lengths",
        0.85,
        worst(METRICS[0], everywhere, experiment="doubling", contention="extreme", lengths="log-normal"),
    ),
    (
        "`gadget`, every size, load and goal: utility of `gadget` over that of `maestro`",
        1 / 0.99,
        1 / min(row["mean"] for row in chosen(METRICS[0], experiment="gadget")),
    ),
]
fill(
    "| expected | at most | measured | |",
    [
        [what, f"{limit:.2f}", f"{measured:.3f}", "holds" if measured <= limit else "**fails**"]
        for what, limit, measured in EXPECTED
    ],
)
page.write_text(text)
