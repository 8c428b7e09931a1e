"""Data-parallel training with PyTorch that may be stopped and resized at any time.

The variables that it reads are those of torchrun and of Ringmaster; it runs alone too.
"""

import fcntl
import json
import os
import signal
import socket
import struct
import sys
import time

stop_wanted = False


def on_stop(*_):
    global stop_wanted
    stop_wanted = True


# Before torch, whose import takes seconds.
signal.signal(signal.SIGTERM, on_stop)

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

RANK = int(os.environ.get("RANK", "0"))
WORKERS = int(os.environ.get("WORLD_SIZE", "1"))
SAMPLES = int(os.environ.get("SAMPLES", "100000"))
SCALE = float(os.environ.get("RINGMASTER_LEARNING_RATE_SCALE", WORKERS))
CHECKPOINT = os.path.join(os.environ.get("RINGMASTER_CHECKPOINT_DIR", "."), "model.pt")
PROGRESS = os.environ.get("RINGMASTER_PROGRESS")
TURN = os.environ.get("RINGMASTER_TURN")  # when to exchange: a period and an offset
PACE = float(os.environ.get("PACE_MS", "0")) / 1000  # as if a device computed for so long
BATCH = 64  # of each worker
RATE = 0.02


def samples(first, count):
    """Samples by their numbers: the same whoever asks, so the order does not depend on the workers."""
    number = torch.arange(first, first + count, dtype=torch.float64)[:, None]
    x = torch.frac(torch.sin(number * 12.9898 + torch.arange(8) * 78.233) * 43758.5453)
    y = (torch.sin(3 * x[:, 0]) + x[:, 1] * x[:, 2] > 0).long()
    return x.float(), y


def await_turn(first):
    """Waits until this job may use its links, so that it does not meet others there."""
    if TURN:
        period, offset = map(float, TURN.split(","))
        into = (time.time() - offset) % period
        if into > (0.05 if first else 0.5) * period:  # else late, which slack makes good
            time.sleep(period - into)


def save(state):
    """Aside, on the disk, then renamed: there is a whole checkpoint at any moment."""
    with open(CHECKPOINT + ".new", "wb") as file:
        torch.save(state, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(CHECKPOINT + ".new", CHECKPOINT)


def report(iteration, done, loss):
    if PROGRESS:
        line = {"at_s": round(time.time(), 3), "done": min(1.0, done / SAMPLES), "iteration": iteration}
        line |= {"samples": done, "workers": WORKERS} | ({} if loss is None else {"loss": round(loss, 4)})
        with open(PROGRESS, "a") as file:
            file.write(json.dumps(line) + "\n")


def interface(address):
    """The name of the interface over which this node and the one at an address reach each other."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect((address, 1))  # sends nothing
        own = probe.getsockname()[0]
        for _, name in socket.if_nameindex():
            try:
                found = fcntl.ioctl(probe, 0x8915, struct.pack("256s", name.encode()))  # SIOCGIFADDR
            except OSError:
                continue  # has no address
            if socket.inet_ntoa(found[20:24]) == own:
                return name
    return None


def main():
    torch.set_num_threads(1)
    torch.manual_seed(1)
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29500")
    # Gloo would take the interface of the host's name, which others may not reach.
    if "GLOO_SOCKET_IFNAME" not in os.environ and (name := interface(os.environ["MASTER_ADDR"])):
        os.environ["GLOO_SOCKET_IFNAME"] = name
    cuda = torch.cuda.is_available()
    device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0"))) if cuda else torch.device("cpu")
    dist.init_process_group("nccl" if cuda else "gloo", rank=RANK, world_size=WORKERS)

    net = torch.nn.Sequential(
        torch.nn.Linear(8, 64), torch.nn.ReLU(), torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Linear(64, 2)
    ).to(device)
    # Rank 0 reads; the others learn the counters here, and the parameters when DDP begins.
    counters = torch.zeros(2, dtype=torch.int64, device=device)
    if RANK == 0 and os.path.exists(CHECKPOINT):
        state = torch.load(CHECKPOINT, map_location=device)
        net.load_state_dict(state["net"])
        counters = torch.tensor([state["samples"], state["iteration"]], device=device)
    dist.broadcast(counters, 0)
    done, iteration = counters.tolist()
    ddp = DistributedDataParallel(net)
    optimizer = torch.optim.SGD(ddp.parameters(), lr=RATE * SCALE)
    loss_mean, spoke, stopped, first = None, time.time(), False, True

    if RANK == 0:
        print(f"{'goes on after sample ' + str(done) if done else 'begins'}, workers {WORKERS}", flush=True)
        report(iteration, done, None)
    while done < SAMPLES and not stopped:
        time.sleep(PACE)
        x, y = samples(done + RANK * BATCH, BATCH)
        loss = torch.nn.functional.cross_entropy(ddp(x.to(device)), y.to(device))
        optimizer.zero_grad()
        await_turn(first)
        first = False
        loss.backward()  # adds up the gradients of all workers
        optimizer.step()
        done += WORKERS * BATCH
        iteration += 1
        # One number more tells everybody after which step to stop: the same for all.
        told = torch.tensor([loss.item(), float(stop_wanted)], device=device)
        dist.all_reduce(told)
        step_loss, stopped = told[0].item() / WORKERS, told[1].item() > 0
        loss_mean = step_loss if loss_mean is None else 0.95 * loss_mean + 0.05 * step_loss
        if RANK == 0 and time.time() - spoke > 0.5:
            spoke = time.time()
            print(f"iteration {iteration}, loss {loss_mean:.4f}, workers {WORKERS}", flush=True)
            report(iteration, done, loss_mean)
            save({"net": net.state_dict(), "samples": done, "iteration": iteration})
    if RANK == 0:
        save({"net": net.state_dict(), "samples": done, "iteration": iteration})
        report(iteration, done, loss_mean)
        print(f"{'done' if done >= SAMPLES else 'stopped'} after sample {done}, loss {loss_mean}", flush=True)
    # 0 says that the whole job is done.
    sys.exit(0 if done >= SAMPLES else 143)


main()
