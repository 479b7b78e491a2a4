"""What becomes of pods, whatever those under test believe."""

import http.client
import json
import threading
import time


class Pods:
    """What becomes of the pods, seen by a watch of the test's own."""

    def __init__(self, api):
        self.api = api
        self.uids = {}
        self.nodes = {}
        self.evicted = {}  # uid: when it was seen
        self.placed = {}  # the same
        self.ended = set()
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()

    def watch(self):
        connection = None
        version = self.api.done("GET", "/api/v1/pods")["metadata"]["resourceVersion"]
        while not self.stop.is_set():
            connection = http.client.HTTPSConnection(self.api.server.netloc, context=self.api.tls, timeout=5)
            try:
                connection.request("GET", f"/api/v1/pods?watch=true&resourceVersion={version}")
                answer = connection.getresponse()
                while line := answer.readline():
                    event = json.loads(line)
                    version = event["object"]["metadata"]["resourceVersion"]
                    self.seen(event["type"], event["object"])
            except OSError:
                pass
            finally:
                connection.close()

    def seen(self, kind, pod):
        uid = pod["metadata"]["uid"]
        self.uids.setdefault(f"{pod['metadata']['namespace']}/{pod['metadata']['name']}", set()).add(uid)
        if pod["spec"].get("nodeName"):
            self.nodes[uid] = pod["spec"]["nodeName"]
            self.placed.setdefault(uid, time.time())
        if any(c["type"] == "DisruptionTarget" and c["status"] == "True"
               for c in pod["status"].get("conditions", ())):
            self.evicted.setdefault(uid, time.time())
        if kind == "DELETED" or pod["status"].get("phase") in ("Succeeded", "Failed"):
            self.ended.add(uid)


class PodTimes(Pods):
    """And when: from begin() on."""

    def __init__(self, api):
        self.lock = threading.Lock()
        self.begun = None
        super().__init__(api)

    def begin(self):
        with self.lock:
            self.begun = time.monotonic()
            self.created, self.placed, self.ran, self.places, self.left = {}, {}, {}, {}, {}

    def seen(self, kind, pod):
        with self.lock:
            if self.begun is None:
                return
            if "waits" in pod["metadata"].get("labels", {}):
                return
            now, uid, meta = time.monotonic(), pod["metadata"]["uid"], pod["metadata"]
            if kind == "ADDED":
                self.created[uid] = now
            if pod["spec"].get("nodeName"):
                self.places[uid] = pod["spec"]["nodeName"]
                self.placed.setdefault(uid, now)
            if pod["status"].get("phase") == "Running":
                self.ran.setdefault(uid, now)
            if "deletionTimestamp" in meta and pod["spec"].get("nodeName"):
                self.left.setdefault(uid, pod["spec"]["nodeName"])

    def figures(self):
        """How many were evicted; for how long those that came had no node, and did not run; how many of them went to
        a node from which one was evicted."""
        with self.lock:
            now = time.monotonic()
            sources = set(self.left.values())
            return {"evicted": len(self.left),
                    "pending": sum(self.placed.get(uid, now) - at for uid, at in self.created.items()),
                    "starting": sum(self.ran.get(uid, now) - at for uid, at in self.created.items()),
                    "back": sum(self.places.get(uid) in sources for uid in self.created)}
