"""Random clusters after months of churn: room everywhere and nowhere. The same seed is the same cluster."""

import random

ZONES = ("east", "west")
WAITING = 2
BUSY, SPARSE = (0.60, 0.92), (0.10, 0.38)  # what part of a node's CPUs is asked for


class Node:
    def __init__(self, name, cpu, zone, share):
        self.name, self.cpu, self.zone = name, cpu, zone
        self.room = int(1000 * cpu * share)  # that is still to be filled
        self.apps = set()

    def body(self):
        amounts = {"cpu": str(self.cpu), "memory": f"{4 * self.cpu}Gi", "pods": "110"}
        return {"apiVersion": "v1", "kind": "Node",
                "metadata": {"name": self.name, "labels": {
                    "kubernetes.io/hostname": self.name, "topology.kubernetes.io/zone": self.zone}},
                # Until all is in place no scheduler puts anything here.
                "spec": {"unschedulable": True},
                "status": {"capacity": amounts, "allocatable": amounts}}


class App:
    """A Deployment, and the nodes that its pods are on."""

    def __init__(self, name, rng):
        self.name = name
        self.cpu = rng.choice((250, 500, 500, 1000, 1000, 2000, 3000))
        self.apart = rng.random() < 0.25  # no two on one node
        self.zone = rng.choice(ZONES) if rng.random() < 0.2 else None
        self.budget = rng.random() < 0.25  # one at a time may be away
        self.grace = rng.randint(1, 4)
        self.nodes = []

    def suits(self, node):
        return (node.room >= self.cpu and (not self.zone or node.zone == self.zone)
                and not (self.apart and self.name in node.apps))

    def put(self, node):
        node.room -= self.cpu
        node.apps.add(self.name)
        self.nodes.append(node.name)

    def pod_spec(self, scheduler):
        spec = {"schedulerName": scheduler, "terminationGracePeriodSeconds": self.grace,
                "containers": [{"name": "main", "image": "example/main", "resources": {
                    "requests": {"cpu": f"{self.cpu}m", "memory": f"{self.cpu}Mi"}}}]}
        if self.zone:
            spec["nodeSelector"] = {"topology.kubernetes.io/zone": self.zone}
        if self.apart:
            spec["affinity"] = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
                {"topologyKey": "kubernetes.io/hostname",
                 "labelSelector": {"matchLabels": {"app": self.name}}}]}}
        return spec

    def deployment(self, scheduler):
        labels = {"app": self.name}
        return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": self.name},
                "spec": {"replicas": len(self.nodes), "selector": {"matchLabels": labels},
                         "template": {"metadata": {"labels": labels}, "spec": self.pod_spec(scheduler)}}}

    def disruption_budget(self):
        return {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": self.name},
                "spec": {"maxUnavailable": 1, "selector": {"matchLabels": {"app": self.name}}}}


class Fragmented:
    """Nodes of which some are busy and most are hardly used, and the workloads on them."""

    def __init__(self, seed):
        rng = random.Random(seed)
        self.nodes = []
        for i in range(rng.randint(10, 16)):
            busy = i < 2 or rng.random() < 0.3
            self.nodes.append(Node(f"n{i:02}", rng.choice((8, 8, 16)), rng.choice(ZONES),
                                   rng.uniform(*(BUSY if busy else SPARSE))))
        self.apps = []
        while any(node.room >= 250 for node in self.nodes) and len(self.apps) < 60:
            app = App(f"app-{len(self.apps):02}", rng)
            for _ in range(rng.randint(2, 8)):
                suitable = [node for node in self.nodes if app.suits(node)]
                if suitable:
                    app.put(rng.choice(suitable))
            if app.nodes:
                self.apps.append(app)
        # Pods that nobody would make again: their nodes cannot be emptied.
        used = sorted({name for app in self.apps for name in app.nodes})
        self.bare = rng.sample(used, rng.choice((0, 0, 1, 2)))
        # Pods that wait because no node has enough room for one of them.
        free = {node.name: 1000 * node.cpu for node in self.nodes}
        for app in self.apps:
            for name in app.nodes:
                free[name] -= app.cpu
        self.large = min(max(free.values()) + 250, 1000 * max(node.cpu for node in self.nodes))

    def waiting(self, scheduler):
        labels = {"waits": "yes"}
        return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "large"},
                "spec": {"replicas": WAITING, "selector": {"matchLabels": labels}, "template": {
                    "metadata": {"labels": labels},
                    "spec": {"schedulerName": scheduler, "terminationGracePeriodSeconds": 1, "containers": [
                        {"name": "main", "image": "example/main",
                         "resources": {"requests": {"cpu": f"{self.large}m", "memory": "1Gi"}}}]}}}}

    def bare_pod(self, node, scheduler):
        return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": f"bare-{node}"},
                "spec": {"schedulerName": scheduler, "nodeName": node, "terminationGracePeriodSeconds": 1,
                         "containers": [{"name": "main", "image": "example/main", "resources": {
                             "requests": {"cpu": "100m", "memory": "100Mi"}}}]}}

    def pods(self):
        return sum(len(app.nodes) for app in self.apps) + len(self.bare)
