"""Roles of Basalt as processes on a real API server, and what a watch of kubectl's has seen."""

import json
import os
import subprocess

from support import processes, tools

BASALT = tools.BUILD / "release" / "basalt"
KUBECTL = tools.CLUSTER_BIN / "kubectl"


class World:
    def __init__(self, real, stack):
        self.folder = real.run
        self.env = {**os.environ, "KUBECONFIG": str(real.kubeconfig)}
        self.stack = stack

    def start(self, name, *command):
        """A process that ends with the test; its output goes to a file."""
        out = open(self.folder / f"{name}.log", "wb")  # pylint: disable=consider-using-with
        child = subprocess.Popen(list(map(str, command)), stdout=out, stderr=subprocess.STDOUT,
                                 env=self.env, stdin=subprocess.DEVNULL)

        def end():
            processes.end(child)
            out.close()
        self.stack.callback(end)
        return self.folder / f"{name}.log"

    def run(self, *command, stdin=None, ok=True):
        done = subprocess.run(list(map(str, command)), input=stdin, capture_output=True, text=True,
                              env=self.env, check=False)
        assert not ok or done.returncode == 0, f"{command}: {done.stderr}"
        return done

    def kubectl(self, *arguments, stdin=None):
        return self.run(KUBECTL, *arguments, stdin=stdin).stdout

    def items(self, *what):
        return json.loads(self.kubectl("get", *what, "-o", "json"))["items"]

    def apply(self, *objects):
        self.kubectl("create", "-f", "-", stdin=json.dumps(
            {"apiVersion": "v1", "kind": "List", "items": list(objects)}))


def read_watch(path):
    """The events of a watch that kubectl wrote, whole ones."""
    text = path.read_text(encoding="utf-8", errors="replace")
    decoder, at, events = json.JSONDecoder(), 0, []
    while True:
        at = text.find("{", at)
        if at < 0:
            return events
        try:
            event, at = decoder.raw_decode(text, at)
        except json.JSONDecodeError:
            return events
        events.append(event["object"])


def revision(thing):
    return int(thing["metadata"]["resourceVersion"])


def is_ready(pod):
    return "deletionTimestamp" not in pod["metadata"] and any(
        c["type"] == "Ready" and c["status"] == "True"
        for c in pod.get("status", {}).get("conditions", []))
