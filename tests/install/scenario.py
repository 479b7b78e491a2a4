"""Work for every rule of the roles' RBAC: what users do, and what must become of it."""

import json
import subprocess

from support import processes, tools

NS = "work"
QUEUE = "scheduling.volcano.sh/v1beta1"
SCHEDULER_CONF = """actions: "reserve, allocate, preempt, reclaim, backfill"
tiers:
- plugins:
  - name: priority
  - name: gang
    enablePreemptable: false
  - name: conformance
  - name: reservation
- plugins:
  - name: drf
    enablePreemptable: false
  - name: predicates
  - name: capacity
  - name: nodeorder
  - name: binpack
"""


def thing(api_version, kind, name, ns=NS, **parts):
    meta = {"name": name, **({"namespace": ns} if ns else {}), **parts.pop("metadata", {})}
    return {"apiVersion": api_version, "kind": kind, "metadata": meta, **parts}


def pod_spec(cpu="1", **more):
    return {"schedulerName": "volcano", "restartPolicy": "Never", "terminationGracePeriodSeconds": 0,
            "containers": [{"name": "main", "image": "example/main",
                            "resources": {"requests": {"cpu": cpu}}}], **more}


def template(cpu="1", runs="1s", labels=None, **more):
    return {"metadata": {"annotations": {"basalt.sh/run-duration": runs}, "labels": labels or {}},
            "spec": pod_spec(cpu, **more)}


def job(name, tasks, **spec):
    return thing("batch.volcano.sh/v1alpha1", "Job", name,
                 spec={"schedulerName": "volcano", "tasks": tasks, **spec})


def task(name, replicas, **more):
    return {"name": name, "replicas": replicas, "template": template(**more)}


class Scenario:
    """Each method is one thing that users do; all of them together use all of the rules."""

    def __init__(self, installed):
        self.at = installed

    def wait(self, what, condition, seconds=60):
        return processes.wait_until(what, seconds, condition)

    def phase(self, kind, name, *path):
        value = self.at.get(kind, name, "-n", NS).get("status", {})
        for key in path or ("phase",):
            value = value.get(key, {})
        return value

    def basalt(self, *arguments):
        return subprocess.run([str(tools.BUILD / "release" / "basalt"), *arguments, "--kubeconfig",
                               str(self.at.cluster.kubeconfig)], check=True, capture_output=True, text=True).stdout

    def set_up(self):
        self.at.kubectl("create", "namespace", NS)
        amounts = {"cpu": "8", "memory": "16Gi", "pods": "110"}
        self.at.apply(*(thing("v1", "Node", f"node-{i}", None,
                              metadata={"labels": {"kubernetes.io/hostname": f"node-{i}"}})
                        for i in range(3)))
        for i in range(3):
            self.at.kubectl("patch", "node", f"node-{i}", "--subresource=status", "-p",
                            f'{{"status":{{"capacity":{json.dumps(amounts)},"allocatable":{json.dumps(amounts)}}}}}')
        self.wait("the default queue", lambda: self.at.get(
            "queues.scheduling.volcano.sh", "default")["status"]["state"] == "Open")
        self.wait("nodes", lambda: all(
            any(c["type"] == "Ready" and c["status"] == "True" for c in n["status"]["conditions"])
            and not n["spec"].get("taints") for n in self.at.get("nodes")["items"]))

    def defragmentation(self):
        self.make_fragments()
        self.basalt("defrag", "run")
        self.fragments_go()

    def make_fragments(self):
        """Two pods on nodes of their own, on which they need not be."""
        labels = {"app": "moves"}
        for node, other in (("node-0", "node-1"), ("node-1", "node-0")):
            self.at.kubectl("cordon", other, "node-2")
            self.at.apply(thing("apps/v1", "ReplicaSet", f"moves-{node}", spec={
                "replicas": 1, "selector": {"matchLabels": {**labels, "from": node}}, "template": {
                    "metadata": {"labels": {**labels, "from": node}},
                    "spec": {**pod_spec(), "restartPolicy": "Always"}}}))
            self.wait("its pod to run", lambda n=node: any(
                p["spec"].get("nodeName") == n and p["status"]["phase"] == "Running"
                for p in self.at.get("pods", "-n", NS, "-l", f"from={n}")["items"]))
            self.at.kubectl("uncordon", other, "node-2")

    def fragments_go(self):
        """Both pods come to be on one node."""
        self.wait("both pods on one node", lambda: len({
            p["spec"].get("nodeName") for p in self.at.get("pods", "-n", NS, "-l", "app=moves")["items"]
            if p["status"]["phase"] == "Running"}) == 1)
        self.at.kubectl("delete", "rs", "-n", NS, "moves-node-0", "moves-node-1")

    def plain_pod(self):
        self.at.apply(thing("v1", "Pod", "plain", **template(runs="1h")))
        self.wait("a plain pod to run", lambda: self.phase("pod", "plain") == "Running")

    def gated_pod(self):
        gated = template(runs="1h")
        gated["metadata"]["annotations"]["scheduling.volcano.sh/queue-allocation-gate"] = "true"
        self.at.apply(thing("v1", "Pod", "gated", **gated))
        self.wait("a gated pod to run", lambda: self.phase("pod", "gated") == "Running")

    def job_with_plugins(self):
        """Names that are taken are waited for; then everything is made, grows, and goes."""
        taken = [thing("v1", "Service", "mpi", spec={"clusterIP": "None"}),
                 thing("v1", "ConfigMap", "mpi-svc"), thing("v1", "Secret", "mpi-ssh"),
                 thing("networking.k8s.io/v1", "NetworkPolicy", "mpi", spec={"podSelector": {}})]
        self.at.apply(*taken)
        self.at.apply(job("mpi", [task("w", 2, runs="1h")], minAvailable=2,
                          plugins={"svc": [], "ssh": [], "env": []}))
        self.wait("the job to say what it waits for", lambda: "not this job's" in self.at.kubectl(
            "get", "events", "-n", NS))
        self.at.kubectl("delete", "-n", NS, "service/mpi", "configmap/mpi-svc", "secret/mpi-ssh",
                        "networkpolicy/mpi")
        self.wait("the job to run", lambda: self.phase("job.batch.volcano.sh", "mpi", "state", "phase") == "Running")
        self.at.kubectl("patch", "job.batch.volcano.sh", "mpi", "-n", NS, "--type=json", "-p",
                        '[{"op":"replace","path":"/spec/tasks/0/replicas","value":3},'
                        '{"op":"replace","path":"/spec/minAvailable","value":3}]')
        self.wait("three hosts", lambda: self.at.get("configmap", "mpi-svc", "-n", NS)["data"]
                  ["w.host"].count("\n") == 2)
        self.wait("the third pod", lambda: self.phase("job.batch.volcano.sh", "mpi", "running") == 3)
        self.basalt("job", "suspend", "-N", "mpi", "-n", NS)
        self.wait("the job to be aborted",
                  lambda: self.phase("job.batch.volcano.sh", "mpi", "state", "phase") == "Aborted")
        self.wait("its service to go", lambda: "mpi" not in self.at.kubectl("get", "services", "-n", NS))

    def job_with_volumes(self):
        """A volume that is there, and one that a provisioner makes once it knows the node."""
        self.at.apply(
            thing("storage.k8s.io/v1", "StorageClass", "local", None,
                  provisioner="kubernetes.io/no-provisioner", volumeBindingMode="WaitForFirstConsumer"),
            thing("storage.k8s.io/v1", "StorageClass", "made", None, provisioner="example.com/made",
                  volumeBindingMode="WaitForFirstConsumer"),
            thing("v1", "PersistentVolume", "disk", None, spec={
                "capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"],
                "storageClassName": "local", "local": {"path": "/disk"}, "nodeAffinity": {"required": {
                    "nodeSelectorTerms": [{"matchExpressions": [
                        {"key": "kubernetes.io/hostname", "operator": "In", "values": ["node-1"]}]}]}}}))
        claim = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
        self.at.apply(job("disks", [task("w", 1)], minAvailable=1, ttlSecondsAfterFinished=1, volumes=[
            {"mountPath": "/a", "volumeClaim": {**claim, "storageClassName": "local"}},
            {"mountPath": "/b", "volumeClaim": {**claim, "storageClassName": "made"}}]))

        def chosen():
            for found in self.at.get("pvc", "-n", NS)["items"]:
                node = found["metadata"].get("annotations", {}).get("volume.kubernetes.io/selected-node")
                if node:
                    return found["metadata"]["name"]
            return None
        name = self.wait("a node to be chosen for the claim", chosen)
        self.at.apply(thing("v1", "PersistentVolume", "made", None, spec={
            "capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "storageClassName": "made",
            "csi": {"driver": "example.com", "volumeHandle": "made"},
            "claimRef": {"namespace": NS, "name": name}}))
        self.wait("the job to end and be gone", lambda: "disks" not in self.at.kubectl(
            "get", "job.batch.volcano.sh", "-n", NS), 90)

    def flow_and_cron(self):
        self.at.apply(
            thing("flow.volcano.sh/v1alpha1", "JobTemplate", "step",
                  spec={"schedulerName": "volcano", "minAvailable": 1, "tasks": [task("w", 1)]}),
            thing("flow.volcano.sh/v1alpha1", "JobFlow", "flow",
                  spec={"jobRetainPolicy": "delete", "flows": [{"name": "step"}]}),
            thing("batch.volcano.sh/v1alpha1", "CronJob", "often", spec={
                "schedule": "@every 2s", "successfulJobsHistoryLimit": 1, "jobTemplate": {"spec": {
                    "schedulerName": "volcano", "minAvailable": 1, "tasks": [task("w", 1)]}}}))
        self.wait("the flow to succeed", lambda: self.phase("jobflow", "flow", "state", "phase") == "Succeed")
        self.wait("the cron job's job", lambda: self.phase("cronjob.batch.volcano.sh", "often",
                                                           "lastSuccessfulTime"))
        self.wait("its second", lambda: "often-" in self.at.kubectl("get", "job.batch.volcano.sh", "-n", NS))
        self.at.kubectl("delete", "cronjob.batch.volcano.sh", "often", "-n", NS)

    def hypernode(self):
        self.at.apply(thing("topology.volcano.sh/v1alpha1", "HyperNode", "rack", None, spec={
            "tier": 1, "members": [{"type": "Node", "selector": {"exactMatch": {"name": "node-0"}}}]}))
        self.wait("its count", lambda: self.at.get("hypernode", "rack").get("status", {}).get("nodeCount") == 1)

    def workloads(self):
        """Groups for workloads that ask, and they go with them."""
        asks = {"scheduling.volcano.sh/group-min-member": "1"}
        labels = {"app": "web"}
        spec = {"selector": {"matchLabels": labels}, "template": {
            "metadata": {"labels": labels, "annotations": asks},
            "spec": {**pod_spec(), "restartPolicy": "Always"}}}
        self.at.apply(
            thing("apps/v1", "ReplicaSet", "web", spec={**spec, "replicas": 1}, metadata={"annotations": asks}),
            thing("apps/v1", "StatefulSet", "db", spec={**spec, "replicas": 1, "serviceName": "db"},
                  metadata={"annotations": asks}),
            thing("batch/v1", "Job", "once", spec={"completions": 1, "template": {
                "metadata": {"annotations": {**asks, "basalt.sh/run-duration": "1h"}},
                "spec": pod_spec()}}, metadata={"annotations": asks}))
        self.wait("groups for the workloads", lambda: sum(
            o.get("kind") in ("ReplicaSet", "StatefulSet", "Job")
            for g in self.at.get("podgroups", "-n", NS)["items"]
            for o in g["metadata"].get("ownerReferences", [])) >= 3)
        self.wait("their pods to run", lambda: sum(
            p["status"].get("phase") == "Running" and p["metadata"]["name"].startswith(("web-", "db-", "once-"))
            for p in self.at.get("pods", "-n", NS)["items"]) >= 3)
        self.at.kubectl("delete", "rs/web", "sts/db", "-n", NS)

    def owner(self, group, plural):
        """One for which the controller makes something that names it as its owner."""
        name = f"owns-{plural}-{group.split('.')[0]}"
        asks = {"scheduling.volcano.sh/group-min-member": "1"}
        labels = {"app": name}
        pods = {"metadata": {"labels": labels, "annotations": asks}, "spec": {**pod_spec(), "restartPolicy": "Always"}}
        chosen = {"selector": {"matchLabels": labels}, "template": pods}
        job_spec = {"schedulerName": "volcano", "minAvailable": 1, "tasks": [task("w", 1)]}
        return {
            ("batch.volcano.sh", "jobs"): lambda: job(name, [task("w", 1)], minAvailable=1),
            ("batch.volcano.sh", "cronjobs"): lambda: thing("batch.volcano.sh/v1alpha1", "CronJob", name, spec={
                "schedule": "@every 1s", "jobTemplate": {"spec": job_spec}}),
            ("flow.volcano.sh", "jobflows"): lambda: thing("flow.volcano.sh/v1alpha1", "JobFlow", name, spec={
                "jobRetainPolicy": "delete", "flows": [{"name": "step"}]}),
            ("apps", "replicasets"): lambda: thing("apps/v1", "ReplicaSet", name, spec={**chosen, "replicas": 1},
                                                   metadata={"annotations": asks}),
            ("apps", "statefulsets"): lambda: thing("apps/v1", "StatefulSet", name, metadata={"annotations": asks},
                                                    spec={**chosen, "replicas": 1, "serviceName": name}),
            ("apps", "daemonsets"): lambda: thing("apps/v1", "DaemonSet", name, spec=chosen,
                                                  metadata={"annotations": asks}),
            ("batch", "jobs"): lambda: thing("batch/v1", "Job", name, metadata={"annotations": asks}, spec={
                "completions": 1, "template": {"metadata": {"annotations": asks}, "spec": pod_spec()}}),
        }[group, plural]()

    def queues(self):
        self.at.apply(thing(QUEUE, "Queue", "team", None, spec={"weight": 1}))
        self.wait("the queue to open", lambda: self.at.get(
            "queues.scheduling.volcano.sh", "team").get("status", {}).get("state") == "Open")
        self.basalt("queue", "operate", "--name", "team", "--action", "close")
        self.wait("the queue to close", lambda: self.at.get(
            "queues.scheduling.volcano.sh", "team")["status"]["state"] == "Closed")

    def preemption(self):
        low = template("6", "1h")
        low["metadata"]["annotations"]["volcano.sh/preemptable"] = "true"
        self.at.apply(thing("scheduling.k8s.io/v1", "PriorityClass", "high", None, value=1000),
                      *(thing("v1", "Pod", f"low-{i}", **low) for i in range(4)))
        self.wait("the nodes to be full", lambda: sum(
            self.phase("pod", f"low-{i}") == "Running" for i in range(4)) >= 2)
        self.at.apply(thing("v1", "Pod", "important", **template("6", "1h", priorityClassName="high")))
        self.wait("the important pod to run", lambda: self.phase("pod", "important") == "Running")

    def reservation(self):
        self.at.apply(thing("batch.volcano.sh/v1alpha1", "Reservation", "room", spec={
            "minAvailable": 1, "ttl": "10m", "owners": [{"labelSelector": {"matchLabels": {"a": "b"}}}],
            "tasks": [{"name": "w", "replicas": 1, "template": {"spec": pod_spec("100m")}}]}))
        self.wait("the reservation", lambda: self.phase("reservation", "room", "state", "phase") == "Available")

    def run(self):
        for step in (self.defragmentation, self.plain_pod, self.gated_pod, self.queues, self.hypernode, self.reservation,
                     self.workloads, self.job_with_plugins, self.job_with_volumes, self.flow_and_cron,
                     self.preemption):
            yield step.__name__, step

