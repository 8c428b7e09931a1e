"""A client of Ringmaster's HTTP interface. One file, the standard library alone, Python 3.8 or newer.

    from ringmaster import Client
    server = Client()                      # RINGMASTER_URL and RINGMASTER_TOKEN, as the commands have them
    job = server.submit(command=["python", "train.py"], gpus=4, name="bert")
    job = server.wait(job["id"])
    print(job["state"], server.logs(job["id"]))
"""

import json
import os
import pathlib
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

ENDED = ("succeeded", "failed", "cancelled", "timed-out")

# What is called, by the names of openapi.yaml. A test compares them.
CALLS = {
    "listJobs": ("GET", "/api/v1/jobs"),
    "submitJob": ("POST", "/api/v1/jobs"),
    "showJob": ("GET", "/api/v1/jobs/{id}"),
    "cancelJob": ("POST", "/api/v1/jobs/{id}/cancel"),
    "setPriority": ("POST", "/api/v1/jobs/{id}/priority"),
    "readLog": ("GET", "/api/v1/jobs/{id}/logs"),
    "explainJob": ("GET", "/api/v1/jobs/{id}/explain"),
    "showCurve": ("GET", "/api/v1/jobs/{id}/progress"),
    "listNodes": ("GET", "/api/v1/nodes"),
    "listPolicies": ("GET", "/api/v1/policies"),
    "showPolicy": ("GET", "/api/v1/policy"),
    "showQueue": ("GET", "/api/v1/queue"),
    "showMeasured": ("GET", "/api/v1/measured"),
    "showCaller": ("GET", "/api/v1/me"),
}


class Refused(Exception):
    """The server said no; `status` is that of HTTP."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


class Client:
    def __init__(self, url=None, token=None, timeout_s=30, patience_s=60):
        """patience_s: how long a server that does not answer is asked again."""
        self.url = (url or os.environ.get("RINGMASTER_URL") or "http://127.0.0.1:7070").rstrip("/")
        self.token = token or os.environ.get("RINGMASTER_TOKEN") or _saved_token()
        self.timeout_s = timeout_s
        self.patience_s = patience_s

    def submit(self, **job):
        """Submits a job, with the keys of a job file. Asked again with the same key, it is one job."""
        return self._json("submitJob", body=job, headers={"Idempotency-Key": str(uuid.uuid4())})

    def jobs(self, **query):
        """A page of jobs, newest first: user, state, limit, below."""
        return self._json("listJobs", query=query)

    def show(self, job):
        return self._json("showJob", job)

    def cancel(self, job, force=False):
        return self._json("cancelJob", job, body={"force": force})

    def prioritize(self, job, priority):
        """Jobs of a higher priority go first."""
        return self._json("setPriority", job, body={"priority": priority})

    def explain(self, job):
        """Why it waits, and when it is expected to start and end."""
        return self._json("explainJob", job)

    def progress(self, job, points=500):
        return self._json("showCurve", job, query={"points": points})

    def nodes(self):
        return self._json("listNodes")

    def policies(self):
        return self._json("listPolicies")

    def policy(self):
        return self._json("showPolicy")

    def queue(self):
        """What a server that only looks has found; None of one that runs jobs."""
        return self._json("showQueue")

    def measured(self):
        return self._json("showMeasured")

    def me(self):
        return self._json("showCaller")

    def wait(self, job, timeout_s=None, poll_s=1.0):
        """The job when it has ended. Raises TimeoutError if it has not by then."""
        until = None if timeout_s is None else time.monotonic() + timeout_s
        while True:
            shown = self.show(job)
            if shown["state"] in ENDED:
                return shown
            if until is not None and time.monotonic() > until:
                raise TimeoutError("job %s is still %s" % (job, shown["state"]))
            time.sleep(poll_s)

    def logs(self, job, **query):
        """All that a worker printed so far, as text: attempt, rank, stream."""
        return b"".join(self.read_log(job, **query)).decode("utf-8", "replace")

    def read_log(self, job, follow=False, poll_s=1.0, **query):
        """Pieces of a log, as they were printed; with follow until nothing more can come."""
        at = 0
        while True:
            data, headers = self._call("readLog", job, query=dict(query, **{"from": at}))
            if data:
                yield data
            at = int(headers.get("Ringmaster-Next-Byte", at + len(data)))
            if headers.get("Ringmaster-Ended") == "true" or not (data or follow):
                return
            if not data:
                time.sleep(poll_s)

    def _json(self, name, job=None, **how):
        data, _ = self._call(name, job, **how)
        return json.loads(data) if data else None

    def _call(self, name, job=None, query=None, body=None, headers=None):
        method, path = CALLS[name]
        address = self.url + path.replace("{id}", urllib.parse.quote(str(job), safe=""))
        given = {key: value for key, value in (query or {}).items() if value is not None}
        if given:
            address += "?" + urllib.parse.urlencode(given)
        sent = dict(headers or {})
        if body is not None:
            sent["Content-Type"] = "application/json"
        if self.token:
            sent["Authorization"] = "Bearer " + self.token
        data = None if body is None else json.dumps(body).encode()
        until = time.monotonic() + self.patience_s
        while True:
            request = urllib.request.Request(address, data=data, headers=sent, method=method)
            try:
                with urllib.request.urlopen(request, timeout=self.timeout_s) as answer:
                    return answer.read(), answer.headers
            except urllib.error.HTTPError as error:
                with error:
                    if error.code not in (429, 503) or time.monotonic() > until:
                        raise Refused(error.code, _message(error)) from None
                    pause = float(error.headers.get("Retry-After") or 1)
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                if time.monotonic() > until:
                    raise
                pause = 1
            time.sleep(min(pause, 5))


def _message(error):
    text = error.read().decode("utf-8", "replace")
    try:
        return json.loads(text)["error"]
    except (ValueError, KeyError, TypeError):
        return text


def _saved_token():
    try:
        return (pathlib.Path.home() / ".config" / "ringmaster" / "token").read_text().strip()
    except (OSError, RuntimeError):
        return None
