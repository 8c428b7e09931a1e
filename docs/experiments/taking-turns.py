"""What taking turns gives to whole workloads: mean and 95th percentile of JCT under each network
model, beside free rings. Run from the root of the repository; writes nothing there.

    python3 docs/experiments/taking-turns.py [SEEDS]
"""

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

SEEDS = int(sys.argv[1]) if len(sys.argv) > 1 else 3
JOBS = 1000
MODELS = ["vgg16", "resnet50", "resnet152", "inception-v3", "lstm-ptb", "bert-large", "gpt2-medium"]
CLUSTER = """servers:
  - {{count: 12, gpus: 4, nic: {nic}, intra: 300Gbps}}
network: {{model: {model}, alpha: 0, overhead: 0s}}
restart: 10s
"""
# What is compared: a name, the network, the rule.
CASES = [
    ("free, in step", "contention", "consolidate"),
    ("free", "transmit", "consolidate"),
    ("free, compatible neighbours", "transmit", "compatible"),
    ("priority", "priority", "consolidate"),
    ("shifted", "shifted", "consolidate"),
    ("shifted, compatible neighbours", "shifted", "compatible"),
]


def workload(path, seed):
    """Jobs that mostly need more than a server, so that rings share links; some of one size."""
    draw = random.Random(seed)
    at = 0.0
    with open(path, "w") as file:
        file.write("job_id,submit_s,gpus,duration_s,model\n")
        for i in range(JOBS):
            at += draw.expovariate(1 / 210)
            gpus = draw.choice([2, 4, 5, 5, 6, 6, 7, 9, 10])
            hours = min(4, draw.lognormvariate(-1.2, 1))
            file.write(f"j{i},{at:.0f},{gpus},{3600 * hours:.0f},{draw.choice(MODELS)}\n")


def run(jobs, cluster, policy, rule):
    command = ["./ringmaster", "simulate", jobs, "--cluster", cluster, "--policy", policy]
    command += ["--set", "placement=" + rule, "--json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main():
    folder = Path(tempfile.mkdtemp())
    for policy in ("fifo", "srsf"):
        for nic in ("10Gbps", "25Gbps", "50Gbps"):
            found = {name: [] for name, _, _ in CASES}
            for seed in range(SEEDS):
                workload(folder / "jobs.csv", seed)
                for name, model, rule in CASES:
                    (folder / "cluster.yaml").write_text(CLUSTER.format(nic=nic, model=model))
                    found[name].append(run(folder / "jobs.csv", folder / "cluster.yaml", policy, rule))
            for name in found:
                print(policy, nic, name, *gains(found["free"], found[name]), sep=" | ")


def gains(free, other):
    """Means over seeds: JCT, how many times shorter it is, the same of the tail, and slowdown."""
    mean = lambda values: sum(values) / len(values)
    jct = mean([run["jct_mean_s"] for run in other])
    by = mean([a["jct_mean_s"] / b["jct_mean_s"] for a, b in zip(free, other)])
    tail = mean([a["jct_p95_s"] / b["jct_p95_s"] for a, b in zip(free, other)])
    slow = mean([run["slowdown_mean"] for run in other])
    return f"{jct / 3600:.2f} h", f"{by:.2f}", f"{tail:.2f}", f"{slow:.3f}"


main()
