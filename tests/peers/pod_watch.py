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
