"""What becomes of a cluster when a scheduler's decisions are carried out, and what must hold then."""

import re

UNITS = {"m": 1e-3, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "": 1}


def amount(text):
    number, unit = re.fullmatch(r"(\d+)([A-Za-z]*)", text).groups()
    return int(number) * UNITS[unit]


def requests(pod):
    asked = pod["spec"]["containers"][0]["resources"].get("requests", {})
    return amount(asked.get("cpu", "0")), amount(asked.get("memory", "0"))


def key(item):
    return f"{item['metadata']['namespace']}/{item['metadata']['name']}"


def plus(a, b):
    return tuple(x + y for x, y in zip(a, b))


def fits(a, b):
    return all(x <= y + 1e-6 for x, y in zip(a, b))


class World:
    """Follows one answer cycle by cycle, and notes in `broken` what went wrong on the way."""

    def __init__(self, cluster, answer):
        self.pods = {key(pod): requests(pod) for pod in cluster["pods"]}
        self.group_of = {key(pod): "d/" + pod["metadata"]["annotations"]["scheduling.k8s.io/group-name"]
                         for pod in cluster["pods"]}
        self.home = {key(pod): pod["spec"]["nodeName"]  # pods that run, and those that leave
                     for pod in cluster["pods"] if pod["spec"].get("nodeName")}
        self.room = {node["metadata"]["name"]: (amount(node["status"]["allocatable"]["cpu"]),
                                                amount(node["status"]["allocatable"]["memory"]),
                                                int(node["status"]["allocatable"]["pods"]))
                     for node in cluster["nodes"]}
        self.groups = {key(group): group["spec"] for group in cluster["podGroups"]}
        self.limit = {queue["metadata"]["name"]: tuple(
            amount(queue["spec"]["capability"][r]) for r in ("cpu", "memory"))
            if "capability" in queue["spec"] else None for queue in cluster["queues"]}
        self.grace = cluster["grace"]
        self.leaving = {}
        self.gone = {}  # pod: the node that it left
        self.evicted = {}  # pod: the cycle
        self.last_bind = {}  # queue: the cycle
        self.broken = []
        self.cycles = len(answer["cycles"])
        for number, cycle in enumerate(answer["cycles"]):
            self.step(number, cycle)
        if not answer["quiet"]:
            self.broken.append("it never comes to rest")
        self.look_for_needless_evictions()

    def running(self, group=None, queue=None):
        return [pod for pod in self.home if pod not in self.leaving
                and (group is None or self.group_of[pod] == group)
                and (queue is None or self.groups[self.group_of[pod]]["queue"] == queue)]

    def used(self, node):
        total = (0, 0, 0)
        for pod, home in self.home.items():
            if home == node:
                total = plus(total, (*self.pods[pod], 1))
        return total

    def held(self, queue):
        total = (0, 0)
        for pod in self.running(queue=queue):
            total = plus(total, self.pods[pod])
        return total

    def step(self, number, cycle):
        before = {group: len(self.running(group)) for group in self.groups}
        for pod in [pod for pod, left in self.leaving.items() if left <= 0]:
            self.remove(pod)
        for pod in self.leaving:
            self.leaving[pod] -= 1
        for pod, node in cycle["binds"].items():
            if pod in self.home:
                self.broken.append(f"cycle {number}: {pod} is bound a second time")
            self.home[pod] = node
            self.last_bind[self.groups[self.group_of[pod]]["queue"]] = number
        for pod in cycle["evictions"]:
            if pod not in self.home or pod in self.leaving:
                self.broken.append(f"cycle {number}: {pod} is evicted and does not run")
                continue
            self.leaving[pod] = self.grace - 1
            self.evicted[pod] = number
        for node, room in self.room.items():
            if not fits(self.used(node), room):
                self.broken.append(f"cycle {number}: {node} has more than its room")
        for queue, limit in self.limit.items():
            if limit and not fits(self.held(queue), limit):
                self.broken.append(f"cycle {number}: queue {queue} holds more than its capability")
        if self.grace == 0:
            for pod in list(self.leaving):
                self.remove(pod)
        for group, spec in self.groups.items():
            count = len(self.running(group))
            if count > before[group] and count < spec["minMember"]:
                self.broken.append(f"cycle {number}: {group} has {count} of {spec['minMember']}")

    def remove(self, pod):
        self.gone[pod] = self.home.pop(pod)
        self.leaving.pop(pod)

    def look_for_needless_evictions(self):
        """A victim for which there is still room where it was, in its queue too, need not have gone,
        unless its queue took in another pod for it: a queue's share is not known here. Nothing but
        evictions makes room."""
        self.needless = []
        for pod, node in self.gone.items():
            queue = self.groups[self.group_of[pod]]["queue"]
            limit = self.limit[queue]
            if fits(plus(self.used(node), (*self.pods[pod], 1)), self.room[node]) and (
                    not limit or fits(plus(self.held(queue), self.pods[pod]), limit)) and (
                    self.last_bind.get(queue, -1) < self.evicted[pod]):
                self.needless.append(pod)

    def outcome(self):
        """What is compared: of each group how many pods run and how many were evicted."""
        return {group: (len(self.running(group)),
                        sum(1 for pod in self.gone if self.group_of[pod] == group))
                for group in self.groups}
