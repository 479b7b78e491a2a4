"""Random small clusters, each from a seed: the same for everybody, for ever."""

import random

MI = 1 << 20
START = 1_700_000_000  # when the first object was made

TIERS = """tiers:
- plugins:
  - name: priority
  - name: gang
{gang}  - name: conformance
- plugins:
  - name: overcommit
  - name: drf
    enablePreemptable: false
  - name: predicates
  - name: {queues}
  - name: nodeorder
  - name: binpack
"""
ACTIONS = ("enqueue, allocate, backfill", "enqueue, allocate, backfill",
           "enqueue, allocate, preempt, backfill", "enqueue, allocate, reclaim, backfill",
           "enqueue, allocate, preempt, reclaim, backfill")


def when(seconds):
    """A time of the API, in seconds after the start."""
    import datetime  # pylint: disable=import-outside-toplevel
    at = datetime.datetime.fromtimestamp(START + seconds, datetime.timezone.utc)
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def quantities(milli, mebi):
    return {"cpu": f"{milli}m", "memory": f"{mebi}Mi"}


class Generator:
    """Makes one cluster. Amounts are (milli-CPU, MiB)."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.seed = seed
        self.clock = 0
        self.free = {}       # node: (milli, mebi, pods)
        self.held = {}       # queue: [milli, mebi]
        self.capability = {}  # queue: (milli, mebi) or None
        self.nodes, self.pods, self.groups, self.queues = [], [], [], []

    def tick(self):
        self.clock += 1
        return when(self.clock)

    def cluster(self):
        choose = self.random
        actions = choose.choice(ACTIONS)
        queues = choose.choice(("proportion", "capacity"))
        gang = choose.choice(("", "    enablePreemptable: false\n"))
        self.make_nodes(choose.randint(1, 5))
        self.make_queues(choose.randint(1, 3), queues)
        for _ in range(choose.randint(0, 4)):
            self.make_group(running=True)
        for _ in range(choose.randint(1, 6)):
            self.make_group(running=False)
        return {
            "seed": self.seed, "conf": f'actions: "{actions}"\n' + TIERS.format(queues=queues, gang=gang),
            "grace": choose.choice((0, 1)), "maxCycles": 20,
            "nodes": self.nodes, "pods": self.pods, "podGroups": self.groups, "queues": self.queues,
            "priorityClasses": [
                {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass",
                 "metadata": {"name": name}, "value": value}
                for name, value in (("low", 10), ("high", 1000))]}

    def make_nodes(self, count):
        for i in range(count):
            name = f"node-{i}"
            milli = self.random.choice((2000, 4000, 8000))
            mebi = self.random.choice((4096, 8192, 16384))
            pods = self.random.choice((5, 20, 110))
            self.free[name] = [milli, mebi, pods]
            room = {**quantities(milli, mebi), "pods": str(pods)}
            self.nodes.append({
                "apiVersion": "v1", "kind": "Node",
                "metadata": {"name": name, "uid": name, "creationTimestamp": self.tick(),
                             "labels": {"kubernetes.io/hostname": name}},
                "status": {"capacity": room, "allocatable": room,
                           "conditions": [{"type": "Ready", "status": "True"}]}})

    def make_queues(self, count, plugin):
        total = [sum(free[k] for free in self.free.values()) for k in (0, 1)]
        left = list(total)  # what guarantees may still take
        for i in range(count):
            name = f"q{i}"
            spec = {"weight": self.random.randint(1, 4), "reclaimable": self.random.random() < 0.8}
            capability = None
            if self.random.random() < 0.5:
                share = self.random.choice((0.3, 0.5, 0.8))
                capability = [int(total[0] * share) // 500 * 500, int(total[1] * share) // 512 * 512]
                spec["capability"] = quantities(*capability)
            top = capability or total
            deserved = None
            if plugin == "capacity" and self.random.random() < 0.7:
                share = self.random.choice((0.25, 0.5, 1.0))
                deserved = [int(top[0] * share) // 500 * 500, int(top[1] * share) // 512 * 512]
                spec["deserved"] = quantities(*deserved)
            if self.random.random() < 0.3:
                most = [min(a, b) for a, b in zip(deserved or top, left)]
                guarantee = [int(most[0] * 0.3) // 500 * 500, int(most[1] * 0.3) // 512 * 512]
                if all(guarantee):
                    left = [a - b for a, b in zip(left, guarantee)]
                    spec["guarantee"] = {"resource": quantities(*guarantee)}
            self.capability[name] = capability
            self.held[name] = [0, 0]
            self.queues.append({
                "apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "Queue",
                "metadata": {"name": name, "uid": name, "creationTimestamp": self.tick()},
                "spec": spec, "status": {"state": "Open"}})

    def make_group(self, running):
        choose = self.random
        name = f"{'run' if running else 'job'}-{len(self.groups)}"
        queue = choose.choice(self.queues)["metadata"]["name"]
        size = choose.choice((1, 1, 2, 3, 4, 6))
        minimum = choose.choice((1, size, size, max(1, size - 1)))
        priority = choose.choice(("", "low", "high"))
        best_effort = not running and choose.random() < 0.05
        like = choose.random() < 0.8
        ask = self.ask()
        pods = []
        for i in range(size):
            if not like:
                ask = self.ask()
            node = self.place(queue, ask) if running else ""
            if running and not node:
                break
            pods.append(self.pod(name, i, (0, 0) if best_effort else ask, node, priority))
        if not pods:
            return
        minimum = min(minimum, len(pods))
        spec = {"minMember": minimum, "queue": queue}
        if priority:
            spec["priorityClassName"] = priority
        if choose.random() < 0.7 and like and not best_effort:
            spec["minResources"] = quantities(ask[0] * minimum, ask[1] * minimum)
        self.groups.append({
            "apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "PodGroup",
            "metadata": {"namespace": "d", "name": name, "uid": f"uid-{name}",
                         "creationTimestamp": self.tick()},
            "spec": spec, "status": {"phase": "Running" if running else "Pending"}})
        self.pods += pods

    def ask(self):
        return (self.random.choice((500, 1000, 1500, 2000)),
                self.random.choice((512, 1024, 2048, 4096)))

    def place(self, queue, ask):
        """A node for a pod that runs already; "": none, or its queue is full."""
        top = self.capability[queue]
        held = self.held[queue]
        if top and any(h + a > t for h, a, t in zip(held, ask, top)):
            return ""
        fits = [n for n, free in self.free.items()
                if free[0] >= ask[0] and free[1] >= ask[1] and free[2] >= 1]
        if not fits:
            return ""
        node = self.random.choice(fits)
        free = self.free[node]
        self.free[node] = [free[0] - ask[0], free[1] - ask[1], free[2] - 1]
        self.held[queue] = [h + a for h, a in zip(held, ask)]
        return node

    def pod(self, group, number, ask, node, priority):
        name = f"{group}-{number}"
        pod = {
            "apiVersion": "v1", "kind": "Pod",
            "metadata": {"namespace": "d", "name": name, "uid": f"uid-{name}",
                         "creationTimestamp": self.tick(),
                         "annotations": {"scheduling.k8s.io/group-name": group,
                                         "volcano.sh/preemptable": "true"}},
            "spec": {"schedulerName": "volcano", "containers": [{
                "name": "main", "image": "image",
                "resources": {"requests": quantities(*ask)} if any(ask) else {}}]},
            "status": {"phase": "Running" if node else "Pending"}}
        if node:
            pod["spec"]["nodeName"] = node
        if priority:
            pod["spec"]["priority"] = {"low": 10, "high": 1000}[priority]
            pod["spec"]["priorityClassName"] = priority
        return pod


def make(seed):
    return Generator(seed).cluster()


def is_calm(cluster):
    """Nobody is evicted there."""
    return not any(action in cluster["conf"] for action in ("preempt,", "reclaim,"))


def group_of(pod):
    return pod["metadata"]["annotations"]["scheduling.k8s.io/group-name"]


def with_whole_groups_running(cluster):
    """The same cluster, but groups that run need all of their pods, and say so."""
    def whole(group):
        if group["status"]["phase"] != "Running":
            return group
        asks = [p["spec"]["containers"][0]["resources"]["requests"] for p in cluster["pods"]
                if group_of(p) == group["metadata"]["name"]]
        least = quantities(sum(int(a["cpu"][:-1]) for a in asks),
                           sum(int(a["memory"][:-2]) for a in asks))
        return {**group, "spec": {**group["spec"], "minMember": len(asks), "minResources": least}}
    return {**cluster, "podGroups": [whole(g) for g in cluster["podGroups"]], "reservations": []}


def with_running_groups_held(cluster):
    """The same cluster, but what the running groups have is held by reservations instead."""
    running = {group["metadata"]["name"]: group for group in cluster["podGroups"]
               if group["status"]["phase"] == "Running"}
    return {**cluster,
            "podGroups": [g for g in cluster["podGroups"] if g["metadata"]["name"] not in running],
            "pods": [pod for pod in cluster["pods"] if group_of(pod) not in running],
            "reservations": [reservation(group, [p for p in cluster["pods"] if group_of(p) == name])
                             for name, group in running.items()]}


def reservation(group, pods):
    tasks = [{"name": pod["metadata"]["name"], "replicas": 1, "template": {
        "spec": {k: v for k, v in pod["spec"].items() if k != "nodeName"}}} for pod in pods]
    placements = [{"task": pod["metadata"]["name"], "index": 0, "node": pod["spec"]["nodeName"],
                   "phase": "Available"} for pod in pods]
    return {"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Reservation",
            "metadata": group["metadata"],
            "spec": {"schedulerName": "volcano", "queue": group["spec"]["queue"], "tasks": tasks,
                     "minAvailable": len(pods)},
            "status": {"state": {"phase": "Available", "reason": "Reserved"},
                       "minAvailable": len(pods), "available": len(pods),
                       "placements": placements}}
