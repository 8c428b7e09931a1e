"""python3 test_ringmaster.py OPENAPI.yaml [URL]: the calls are those of the interface; with the
address of a server that runs jobs, they are made."""

import re
import sys

from ringmaster import CALLS, Client, Refused


def described(text):
    """Method and path of each operationId, by indentation."""
    found, path, method = {}, None, None
    for line in text.splitlines():
        if match := re.fullmatch(r"  (/\S*):", line):
            path = match[1]
        elif match := re.fullmatch(r"    (get|post|put|delete):", line):
            method = match[1].upper()
        elif match := re.fullmatch(r"      operationId: (\w+)", line):
            found[match[1]] = (method, path)
    return found


def compare(file):
    with open(file, encoding="utf-8") as openapi:
        known = described(openapi.read())
    wrong = {name: call for name, call in CALLS.items() if known.get(name) != call}
    assert not wrong, "not as in openapi.yaml: %s" % wrong


def use(url):
    server = Client(url, patience_s=10)
    job = server.submit(command=["sh", "-c", "echo worker $RANK"], gpus=1, name="from-python")
    assert "state" in server.explain(job["id"]) or server.explain(job["id"])
    ended = server.wait(job["id"], timeout_s=300, poll_s=0.1)
    assert ended["state"] == "succeeded", ended
    assert server.logs(job["id"]) == "worker 0\n", server.logs(job["id"])
    assert b"".join(server.read_log(job["id"], follow=True)) == b"worker 0\n"
    assert any(each["id"] == job["id"] for each in server.jobs(limit=10)["jobs"])
    long = server.submit(command=["sleep", "600"], gpus=1, grace_s=1)
    assert server.prioritize(long["id"], 3)["priority"] == 3
    server.cancel(long["id"], force=True)
    assert server.wait(long["id"], timeout_s=300, poll_s=0.1)["state"] == "cancelled"
    slow = server.submit(command=["sleep", "600"], gpus=1, grace_s=1, time_limit_s=1)
    assert server.wait(slow["id"], timeout_s=300, poll_s=0.1)["state"] == "timed-out"
    try:
        server.submit(command=["true"], gpus=0)
        raise AssertionError("0 GPUs were taken")
    except Refused as refused:
        assert refused.status == 400 and "gpus" in str(refused), refused
    assert server.nodes() and server.policy() and server.me()


if __name__ == "__main__":
    compare(sys.argv[1])
    if len(sys.argv) > 2:
        use(sys.argv[2])
    print("ok")
