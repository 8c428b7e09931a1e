#!/usr/bin/env python3
"""Runs real jobs that communicate, under several policies, on a testbed, and compares what was measured with
what the simulator says of the same jobs.

    testbed/slurm/truth/run.py OUT                  all of it: brings the testbed up, calibrates (10 minutes),
                                                    measures starts and restarts, runs (8 minutes a seed);
                                                    first says how far the model is off for iterations of rings
                                                    that it was not fitted to
    testbed/slurm/truth/run.py OUT --simulate       only simulates again what is in OUT

Beside the whole prediction it tells the error of the model alone: jobs where and when they really were, beside the
neighbours that they really had (Replay.java). What is between the two is where jobs went. How much the model's error
does to that is told by simulating again and again, each length off by as much as some job was from the model.

What is in OUT already (measured.yaml of `ringmaster calibrate`, costs.json) is not measured again. Needs root, and
nothing but Python's own library. The nodes share this machine's processors, so mini-batches are sleeps, and links
are slow and gradients small: at 100 Mbit/s the workers of a node waited 6 ms an iteration for a processor.
"""

import argparse
import csv
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.realpath(os.path.join(HERE, "..", "..", ".."))
RATE = "25mbit"
MODELS = {"narrow": (125_000, 0.20), "even": (250_000, 0.15), "wide": (500_000, 0.10)}  # bytes, seconds
POLICIES = {
    "fifo": ["fifo", {"placement": "pack"}],
    "maestro": ["maestro", {}],
    "doubling": ["doubling", {}],
}


def draw(count, seed, mean_seconds):
    """Jobs that come at random, of 1 to 6 workers, each for about so long."""
    chance = random.Random(seed)
    jobs, submit = [], 0.0
    for number in range(1, count + 1):
        gpus = chance.choice([1, 2, 2, 3, 4, 4, 5, 6])
        model = chance.choice(list(MODELS))
        seconds = mean_seconds * chance.uniform(0.5, 1.5)
        size, compute = MODELS[model]
        iteration = compute + (2 * size * (gpus - 1) / gpus / 3e6 if gpus > 4 else 0)
        jobs.append(
            {
                "job_id": f"j{number:02}",
                "submit_s": round(submit, 1),
                "gpus": gpus,
                "min_gpus": 1,
                "max_gpus": 8,
                "iterations": max(5, round(seconds / iteration)),
                "model": model,
            }
        )
        submit += chance.expovariate(1 / 2.5)
    return jobs


class Processors:
    """What this machine's processors did, from one look to the next."""

    def __init__(self):
        self.ticks = self.look()

    @staticmethod
    def look():
        with open("/proc/stat") as file:
            return [int(word) for word in file.readline().split()[1:9]]

    def text(self):
        spent = [after - before for before, after in zip(self.ticks, self.look())]
        idle, steal = spent[3] + spent[4], spent[7]
        return f"processors {100 * (1 - idle / sum(spent)):.0f} % busy, {100 * steal / sum(spent):.0f} % stolen"


def until(what, seconds, condition):
    """Waits, with an end."""
    deadline = time.time() + seconds
    while not (found := condition()):
        if time.time() > deadline:
            sys.exit(f"still waiting for {what} after {seconds} s")
        time.sleep(0.1)
    return found


def ringmaster(options, *words):
    return [*options.ringmaster.split(), *words]


class Server:
    def __init__(self, options, folder, policy, settings):
        lines = ["cluster: ../cluster.yaml", "models: ../models.csv", "data: data", "engine: slurm-allocation"]
        lines += ["listen: 127.0.0.1:0", f"policy: {policy}"]
        if settings:
            lines.append("set: " + json.dumps(settings))
        config = os.path.join(folder, "server.yaml")
        with open(config, "w") as file:
            file.write("\n".join(lines) + "\n")
        self.log = os.path.join(folder, "serve.log")
        command = ["salloc", "--quiet", "-N4", "--exclusive", "--gres=gpu:4"]
        self.process = subprocess.Popen(
            command + ringmaster(options, "serve", "--config", config),
            stdout=open(self.log, "w"),
            stderr=subprocess.STDOUT,
        )
        self.url = self.wait()

    def wait(self):
        def url():
            if self.process.poll() is not None:
                sys.exit(f"the server did not start: {self.log}")
            with open(self.log) as file:
                return re.search(r"http://[0-9.]+:[0-9]+", file.read())

        return until(f"the server ({self.log})", 120, url).group(0)

    def ask(self, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + "/api/v1/" + path, data, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def stop(self):
        # The server is salloc's child; when it ends, so does the allocation.
        found = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True)
        for pid in found.stdout.split():
            os.kill(int(pid), signal.SIGTERM)
        self.process.wait()


def submit(server, job, java):
    size, compute = MODELS[job["model"]]
    command = java + [str(size), str(compute * 1000), str(job["iterations"] * job["gpus"])]
    body = {key: job[key] for key in ("gpus", "min_gpus", "max_gpus", "iterations", "model")}
    return server.ask("jobs", body | {"name": job["job_id"], "command": command, "grace_s": 20})


def measure(options, jobs, folder, policy, settings, java):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    server = Server(options, folder, policy, settings)
    try:
        until("16 GPUs", 120, lambda: 16 <= sum(n["gpus"] for n in server.ask("nodes")["nodes"] if n["up"]))
        start = time.time()
        for job in jobs:
            time.sleep(max(0, start + job["submit_s"] - time.time()))
            submit(server, job, java)
        ended = ("succeeded", "failed", "cancelled")
        until("jobs to end", 1200, lambda: all(j["state"] in ended for j in server.ask("jobs?limit=1000")["jobs"]))
        listed = server.ask("jobs?limit=1000")["jobs"]
        with open(os.path.join(folder, "jobs.json"), "w") as file:
            json.dump([server.ask(f"jobs/{job['id']}") for job in listed], file, indent=1)
    except urllib.error.HTTPError as e:
        sys.exit(f"{e.url}: {e} {e.read().decode()}")
    finally:
        server.stop()


def costs(options, out, java):
    """Seconds that a job holds its place without progress, before its first iteration and after its last, and when it
    is restarted: means over a few jobs that are resized again and again."""
    path = os.path.join(out, "costs.json")
    if not os.path.exists(path):
        jobs = [job | {"submit_s": 2.0 * i} for i, job in enumerate(draw(10, 1000, 15))]
        folder = os.path.join(out, "costs")
        measure(options, jobs, folder, *POLICIES["doubling"], java)
        starts, restarts = [], []
        with open(os.path.join(folder, "jobs.json")) as file:
            for job in json.load(file):
                with open(os.path.join(folder, "data", "progress", str(job["id"]))) as lines:
                    told = [json.loads(line) for line in lines]
                # Others may still have to leave its place: that is part of what a start costs.
                decided = next(entry["at_s"] for entry in job["history"] if entry["to"] == "placed")
                starts.append(told[0]["at_s"] - decided + job["ended_s"] - told[-1]["at_s"])
                # The last word of an attempt and the first of the next tell of the same work.
                restarts += [b["at_s"] - a["at_s"] for a, b in zip(told, told[1:]) if a["done"] == b["done"] < 1]
        with open(path, "w") as file:
            json.dump({"start_s": mean(starts), "restart_s": mean(restarts)}, file)
        print(f"start and end {min(starts):.2f} to {max(starts):.2f} s ({len(starts)} jobs);", end=" ")
        print(f"restart {min(restarts):.2f} to {max(restarts):.2f} s ({len(restarts)})", flush=True)
    with open(path) as file:
        return json.load(file)


def prepare(options, out, cost):
    with open(os.path.join(out, "models.csv"), "w") as file:
        file.write("model,gradient_bytes,batch,forward_s_per_sample,backward_s\n")
        file.writelines(f"{name},{size},1,0,{compute}\n" for name, (size, compute) in MODELS.items())
    with open(os.path.join(out, "measured.yaml")) as file:
        cluster = re.sub(r"(?m)^(re)?start:.*\n", "", file.read())
    with open(os.path.join(out, "cluster.yaml"), "w") as file:
        file.write(cluster + f"start: {cost['start_s']:.3f}s\nrestart: {cost['restart_s']:.3f}s\n")


def program(class_path, out, name):
    """A command that runs a program of this folder."""
    classes = os.path.join(out, "classes")
    compiler = [java_home() + "javac", "-nowarn", "-proc:none", "-XDignore.symbol.file", "-d", classes]
    subprocess.run(compiler + ["-cp", class_path, os.path.join(HERE, name + ".java")], check=True)
    return java_command(f"{class_path}:{classes}") + ["io.ringmaster.testbed." + name]


def java_home():
    return os.environ["JAVA_HOME"] + "/bin/" if "JAVA_HOME" in os.environ else ""


def java_command(class_path):
    small = ["-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"]
    return [java_home() + "java", *small, "-cp", class_path]


def write_jobs(path, jobs):
    with open(path, "w") as file:
        rows = csv.DictWriter(file, jobs[0])
        rows.writeheader()
        rows.writerows(jobs)


def simulate(options, folder, jobs, policy, settings, out, errors=None):
    words = ["simulate", f"{folder}/{jobs}", "--cluster", f"{folder}/cluster.yaml"]
    words += ["--models", f"{folder}/models.csv", "--policy", policy, "--out", out, "--force"]
    words += [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    subprocess.run(ringmaster(options, *words), check=True, stdout=subprocess.DEVNULL, stderr=errors)


def read_runs(out):
    with open(os.path.join(out, "jobs.csv")) as file:
        return list(csv.DictReader(file))


def compare(options, out, seed, java):
    jobs = draw(options.jobs, seed, options.mean)
    folder = os.path.join(out, f"seed-{seed}")
    os.makedirs(folder, exist_ok=True)
    for name in ("cluster.yaml", "models.csv"):
        shutil.copy(os.path.join(out, name), folder)
    write_jobs(os.path.join(folder, "jobs.csv"), jobs)
    for name in options.policies.split(","):
        policy, settings = POLICIES[name]
        simulate(options, folder, "jobs.csv", policy, settings, f"{folder}/{name}-simulated")
        if not options.simulate:
            processors = Processors()
            measure(options, jobs, os.path.join(folder, name), policy, settings, java)
            print(processors.text(), end="; ")
        report(options, folder, seed, name)


def on_testbed(out):
    """Everything again, where Slurm's commands reach a testbed that is there only meanwhile."""
    cluster = os.path.join(ROOT, "testbed", "slurm", "cluster")
    place = tempfile.mkdtemp(prefix="truth")
    # What Slurm starts inherits it: nodes are not to wait for what else this machine does.
    subprocess.run(["chrt", "-r", "1", cluster, "up", place], check=True, env=os.environ | {"RATE": RATE})
    try:
        sys.exit(subprocess.run(["chrt", "-r", "1", cluster, "run", place, sys.executable, *sys.argv]).returncode)
    finally:
        subprocess.run([cluster, "down", place])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--jobs", type=int, default=30)
    parser.add_argument("--seeds", default="1,2")
    parser.add_argument("--mean", type=float, default=20, help="seconds of a job")
    parser.add_argument("--calibrate", type=float, default=400, help="seconds of measuring the network")
    parser.add_argument("--ringmaster", default=os.path.join(ROOT, "ringmaster"))
    parser.add_argument("--classes", default=os.path.join(ROOT, "training", "target", "classes"))
    parser.add_argument("--jars", default=os.path.join(ROOT, "cli", "target", "lib", "*"), help="of the simulator")
    parser.add_argument("--draws", type=int, default=10, help="simulations with other lengths")
    parser.add_argument("--policies", default=",".join(POLICIES))
    parser.add_argument("--simulate", action="store_true", help="only that")
    options = parser.parse_args()
    out = os.path.realpath(options.out)
    os.makedirs(out, exist_ok=True)
    if not options.simulate and "SLURM_CONF" not in os.environ:
        on_testbed(out)
    measured = os.path.join(out, "measured.yaml")
    if not os.path.exists(measured):
        words = ["calibrate", "--inside", "--seconds", str(options.calibrate), "--seed", "3", "--out", measured]
        with open(os.path.join(out, "calibrate.txt"), "w") as file:
            allocation = ["salloc", "--quiet", "-N4", "--exclusive"]
            subprocess.run(allocation + ringmaster(options, *words), check=True, stdout=file)
        with open(os.path.join(out, "calibrate.txt")) as file:
            said = " ".join(file.read().split())
        held_out = re.search(r"Whole iterations of all .*? transmit by \S+ % and \S+ %", said)
        print(held_out.group(0) if held_out else "calibrate measured nothing that it had not fitted", flush=True)
    java = [] if options.simulate else program(options.classes, out, "RingJob")
    # Those that tell the costs do not know them.
    prepare(options, out, {"start_s": 0, "restart_s": 0})
    prepare(options, out, costs(options, out, java))
    for seed in options.seeds.split(","):
        compare(options, out, int(seed), java)


def stays(folder):
    """Where jobs were while they made progress: job, model, first word, last word, place, mini-batches in between."""
    with open(os.path.join(folder, "jobs.json")) as file:
        found = json.load(file)
    for job in found:
        with open(os.path.join(folder, "data", "progress", str(job["id"]))) as lines:
            words = [json.loads(line) for line in lines]
        starts = [entry for entry in job["history"] if entry["to"] == "starting"]
        for start, following in zip(starts, starts[1:] + [{"at_s": float("inf")}]):
            told = [word for word in words if start["at_s"] <= word["at_s"] < following["at_s"]]
            batches = (told[-1]["done"] - told[0]["done"]) * job["spec"]["iterations"] * job["gpus"] if told else 0
            if batches > 0:
                yield job["name"], job["spec"]["model"], told[0]["at_s"], told[-1]["at_s"], start["allocation"], batches


def replayed(options, folder, name):
    """Of each job how many seconds longer than it ran the model says that it would have run there."""
    there = list(stays(os.path.join(folder, name)))
    path = os.path.join(folder, f"{name}-stays.txt")
    with open(path, "w") as file:
        file.writelines(f"{model} {begin} {end} {place}\n" for _, model, begin, end, place, _ in there)
    command = program(options.jars, folder, "Replay")
    files = [os.path.join(folder, "cluster.yaml"), os.path.join(folder, "models.csv"), path]
    said = subprocess.run(command + files, check=True, capture_output=True, text=True).stdout.split()
    longer = {}
    for (job, _, begin, end, _, batches), simulated in zip(there, said):
        longer[job] = longer.get(job, 0) + (end - begin) * (batches / float(simulated) - 1)
    return longer


def drawn_means(options, folder, name, policy, settings, ratios):
    """The simulated mean completion, with lengths drawn anew each time: least, mean and most of all draws."""
    with open(os.path.join(folder, "jobs.csv")) as file:
        jobs = list(csv.DictReader(file))
    means = []
    for draw_number in range(options.draws):
        chance = random.Random(draw_number)
        drawn = [job | {"iterations": float(job["iterations"]) * chance.choice(ratios)} for job in jobs]
        write_jobs(os.path.join(folder, "drawn.csv"), drawn)
        out = os.path.join(folder, f"{name}-drawn")
        simulate(options, folder, "drawn.csv", policy, settings, out, subprocess.DEVNULL)
        means.append(mean(float(row["jct_s"]) for row in read_runs(out)))
    return min(means), mean(means), max(means)


def report(options, out, seed, name):
    said = {row["job_id"]: row for row in read_runs(os.path.join(out, f"{name}-simulated"))}
    line = f"seed {seed} {name:10} simulated: mean {mean(float(r['jct_s']) for r in said.values()):6.1f} s, last {max(float(r['finish_s']) for r in said.values()):6.1f} s"
    path = os.path.join(out, name, "jobs.json")
    if os.path.exists(path):
        with open(path) as file:
            found = json.load(file)
        first = min(job["submitted_s"] for job in found)
        took = {job["name"]: job["ended_s"] - job["submitted_s"] for job in found}
        line += f"; measured: mean {mean(took.values()):6.1f} s, last {max(job['ended_s'] for job in found) - first:6.1f} s"
        off = mean(float(row["jct_s"]) for row in said.values()) / mean(took.values()) - 1
        longer = replayed(options, out, name)
        alone = {job: seconds + longer.get(job, 0) for job, seconds in took.items()}
        errors = sorted(abs(alone[job] / took[job] - 1) for job in took)
        line += f"; off {100 * off:+.1f} %; model alone {100 * (mean(alone.values()) / mean(took.values()) - 1):+.1f} %"
        line += f", a job {100 * errors[len(errors) // 2]:.1f} % at the median and {100 * errors[len(errors) * 9 // 10]:.1f} % at the 90th percentile"
        if options.draws:
            ratios = [took[job] / alone[job] for job in sorted(took)]
            line += "; drawn {:.1f}, {:.1f}, {:.1f} s".format(*drawn_means(options, out, name, *POLICIES[name], ratios))
        line += f"; mean error of a job {100 * mean(abs(float(said[k]['jct_s']) / v - 1) for k, v in took.items()):.1f} %"
        line += f"; {sum(job['restarts'] for job in found)} restarts; states {sorted({job['state'] for job in found})}"
    print(line, flush=True)


def mean(values):
    values = list(values)
    return sum(values) / len(values)


main()
