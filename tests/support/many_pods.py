"""Pods by the ten thousand on an embedded cluster, and some that come and go."""

import threading

SETS = "/apis/apps/v1/namespaces/default/replicasets"
PER_SET = 1000


def _replica_set(number):
    labels = {"set": f"s{number}"}
    return {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": {"name": f"set-{number}"}, "spec": {
        "replicas": PER_SET, "selector": {"matchLabels": labels}, "template": {
            "metadata": {"labels": labels}, "spec": {"schedulerName": "volcano", "containers": [
                {"name": "c", "image": "x", "resources": {"requests": {"cpu": "2"}}}]}}}}


def create(api, pods):
    """`pods` pods of two CPUs each, in sets of a thousand."""
    api.create_all(SETS, [_replica_set(i) for i in range(pods // PER_SET)])


class Churn:
    """A hundred pods more and fewer, again and again, from start to stop: as many nodes are otherwise each time."""

    def __init__(self, api, every=0.5):
        self.api, self.every = api, every
        self.ended = threading.Event()

    def start(self):
        self.ended.clear()
        threading.Thread(target=self._run, daemon=True).start()

    def stop(self):
        self.ended.set()

    def _run(self):
        more = 0
        while not self.ended.wait(self.every):
            more = 100 - more
            _, found = self.api.call("GET", f"{SETS}/set-0")
            found["spec"]["replicas"] = PER_SET + more
            self.api.call("PUT", f"{SETS}/set-0", found)
