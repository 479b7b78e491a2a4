"""What the scenarios of volcano_jobs stand on: Volcano's kinds and webhook, nodes, and one namespace each."""

import base64
import contextlib
import http.client
import json
import ssl
import subprocess
import threading
import urllib.parse

import contenders
from support import processes, tools

# The same text for both schedulers; `default` is that of Volcano's chart.
EVICTING_CONF = """actions: "enqueue, allocate, preempt, reclaim, backfill"
tiers:
- plugins:
  - name: priority
  - name: gang
    enablePreemptable: false
  - name: conformance
- plugins:
  - name: drf
    enablePreemptable: false
  - name: predicates
  - name: proportion
  - name: nodeorder
  - name: binpack
"""
CONFS = {"default": contenders.VOLCANO_CONF, "evicting": EVICTING_CONF}

# Kind: where it is served.
PLACES = {
    "jobs": "/apis/batch.volcano.sh/v1alpha1",
    "commands": "/apis/bus.volcano.sh/v1alpha1",
    "podgroups": "/apis/scheduling.volcano.sh/v1beta1",
    "queues": "/apis/scheduling.volcano.sh/v1beta1",
    "pods": "/api/v1", "services": "/api/v1", "configmaps": "/api/v1", "secrets": "/api/v1",
    "nodes": "/api/v1", "namespaces": "/api/v1",
    "priorityclasses": "/apis/scheduling.k8s.io/v1",
    "mutatingwebhookconfigurations": "/apis/admissionregistration.k8s.io/v1",
    "validatingwebhookconfigurations": "/apis/admissionregistration.k8s.io/v1",
}
# Volcano's webhook: path, group, resource, operations.
ADMISSIONS = [
    ("/jobs/mutate", "batch.volcano.sh", "jobs", ["CREATE"]),
    ("/jobs/validate", "batch.volcano.sh", "jobs", ["CREATE", "UPDATE"]),
    ("/podgroups/validate", "scheduling.volcano.sh", "podgroups", ["CREATE"]),
    ("/queues/mutate", "scheduling.volcano.sh", "queues", ["CREATE"]),
    ("/queues/validate", "scheduling.volcano.sh", "queues", ["CREATE", "UPDATE", "DELETE"]),
]


def task(name, replicas, cpu="1", runs=1, exit_code=0, **more):
    """A task whose pods run for so many seconds; None: for ever."""
    annotations = {"volcano.sh/preemptable": "true", "basalt.sh/exit-code": str(exit_code)}
    if runs is not None:
        annotations["basalt.sh/run-duration"] = f"{runs}s"
    container = {"name": "main", "image": "example/main"}
    if cpu:
        container["resources"] = {"requests": {"cpu": cpu}}
    return {"name": name, "replicas": replicas, **more, "template": {
        "metadata": {"annotations": annotations},
        "spec": {"restartPolicy": "Never", "terminationGracePeriodSeconds": 0,
                 "containers": [container]}}}


def job(name, tasks, **spec):
    return {"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job", "metadata": {"name": name},
            "spec": {"schedulerName": "volcano", "tasks": tasks, **spec}}


class Api:
    """The API server, from any thread."""

    def __init__(self, cluster):
        config = json.loads(cluster.kubeconfig.read_text())
        self.server = urllib.parse.urlsplit(config["clusters"][0]["cluster"]["server"])
        self.tls = ssl.create_default_context(cafile=str(cluster.run / "pki" / "ca.crt"))
        self.tls.load_cert_chain(str(cluster.run / "pki" / "admin.crt"),
                                 str(cluster.run / "pki" / "admin.key"))
        self.local = threading.local()

    def call(self, method, path, body=None, kind="application/json"):
        """(code, object). A connection that the server has closed is made anew."""
        for fresh in (False, True):
            connection = None if fresh else getattr(self.local, "connection", None)
            if connection is None:
                connection = http.client.HTTPSConnection(self.server.netloc, context=self.tls,
                                                         timeout=30)
                self.local.connection = connection
                fresh = True
            try:
                connection.request(method, path, None if body is None else json.dumps(body),
                                   {"Content-Type": kind})
                response = connection.getresponse()
                return response.status, json.loads(response.read() or b"{}")
            except (http.client.HTTPException, OSError):
                self.local.connection = None
                if fresh:
                    raise
        raise AssertionError("not reached")

    def done(self, method, path, body=None, kind="application/json"):
        code, answer = self.call(method, path, body, kind)
        if code >= 300:
            raise AssertionError(f"{method} {path}: {answer.get('message', answer)}")
        return answer


def path_of(kind, ns=None, name=None):
    return PLACES[kind] + (f"/namespaces/{ns}" if ns else "") + f"/{kind}" + (f"/{name}" if name else "")


def install(cluster):
    """Volcano's kinds and its queues."""
    crds = tools.BUILD / "peers" / "crds"
    contenders.kubectl(cluster, "apply", "--server-side", "-f", str(crds))
    contenders.wait_for_kinds(cluster)
    contenders.kubectl(cluster, "create", "namespace", "volcano-system")
    for queue in ("root", "default"):
        contenders.kubectl(cluster, "apply", "-f", "-", text=json.dumps({
            "apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "Queue",
            "metadata": {"name": queue}, "spec": {"weight": 1, "reclaimable": True}}))


def wait_for_queues(cluster):
    """Until the controllers have opened them: the webhook takes no job before."""
    api = Api(cluster)
    processes.wait_until("open queues", 60, lambda: all(
        q.get("status", {}).get("state") == "Open" for q in api.done("GET", path_of("queues"))["items"]))


def write_conf(cluster, which):
    path = cluster.run / f"scheduler-{which}.conf"
    path.write_text(CONFS[which])
    return path


@contextlib.contextmanager
def webhook(cluster):
    """Volcano's webhook; the chart makes the configurations that it answers for."""
    port, health = processes.free_ports(2)
    pki = cluster.run / "pki"
    authority = base64.b64encode((pki / "ca.crt").read_bytes()).decode()
    api = Api(cluster)
    for path, group, resource, operations in ADMISSIONS:
        mutating = path.endswith("/mutate")
        kind = "MutatingWebhookConfiguration" if mutating else "ValidatingWebhookConfiguration"
        api.done("POST", path_of(kind.lower() + "s"), {
            "apiVersion": "admissionregistration.k8s.io/v1", "kind": kind,
            "metadata": {"name": "volcano-admission-service" + path.replace("/", "-")},
            "webhooks": [{
                "name": f"{path.split('/')[2]}{resource[:-1]}.volcano.sh",
                "admissionReviewVersions": ["v1"], "sideEffects": "NoneOnDryRun",
                "failurePolicy": "Fail", "timeoutSeconds": 10,
                "clientConfig": {"url": f"https://127.0.0.1:{port}{path}", "caBundle": authority},
                "rules": [{"apiGroups": [group], "apiVersions": ["*"], "operations": operations,
                           "resources": [resource]}]}]})
    command = [contenders.BIN / "vc-webhook-manager", "--kubeconfig", cluster.kubeconfig, "--port", port,
               "--listen-address", "127.0.0.1", "--webhook-url", f"https://127.0.0.1:{port}",
               "--tls-cert-file", pki / "server.crt", "--tls-private-key-file", pki / "server.key",
               "--ca-cert-file", pki / "ca.crt", "--healthz-address", f"127.0.0.1:{health}",
               "--enabled-admission", ",".join(path for path, *_ in ADMISSIONS), "--logtostderr"]
    with open(cluster.run / "vc-webhook-manager.log", "ab") as log:
        child = subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=log,
                                 stderr=log)
    try:
        def judges():
            assert child.poll() is None, "vc-webhook-manager has ended"
            code, answer = api.call("POST", path_of("jobs", "default") + "?dryRun=All", job(
                "probe", [task("w", 1)], minAvailable=1))
            return code < 300 or "default" in answer.get("message", "")
        processes.wait_until("Volcano's webhook", 60, judges)
        yield
    finally:
        processes.end(child)


@contextlib.contextmanager
def nodes(cluster, count, cpus):
    api = Api(cluster)
    amounts = {"cpu": str(cpus), "memory": "64Gi", "pods": "110"}
    names = [f"node-{i}" for i in range(count)]
    for name in names:
        api.done("POST", path_of("nodes"), {
            "apiVersion": "v1", "kind": "Node",
            "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name}},
            "status": {"capacity": amounts, "allocatable": amounts,
                       "conditions": [{"type": "Ready", "status": "True"}]}})
    try:
        yield
    finally:
        for name in names:
            api.call("DELETE", path_of("nodes", name=name))


def clear(cluster):
    """No jobs, groups and pods any more. There is no garbage collector here."""
    api = Api(cluster)
    for kind in ("jobs", "podgroups", "pods"):
        for item in api.done("GET", path_of(kind))["items"]:
            meta = item["metadata"]
            api.call("DELETE", path_of(kind, meta["namespace"], meta["name"]),
                     {"gracePeriodSeconds": 0, "propagationPolicy": "Background"})

    def gone():
        left = [item for kind in ("jobs", "pods", "podgroups")
                for item in api.done("GET", path_of(kind))["items"]]
        for item in left:  # the job controller may have made one in between
            if "metadata" in item and item.get("spec", {}).get("containers"):
                api.call("DELETE", path_of("pods", item["metadata"]["namespace"],
                                           item["metadata"]["name"]), {"gracePeriodSeconds": 0})
            elif "minMember" in item.get("spec", {}):
                api.call("DELETE", path_of("podgroups", item["metadata"]["namespace"],
                                           item["metadata"]["name"]))
        return not left
    processes.wait_until("everything to be gone", 60, gone, every=0.2)


class World:
    """One scenario's namespace."""

    def __init__(self, cluster, ns):
        self.api = Api(cluster)
        self.ns = ns[:63].rstrip("-")
        self.api.done("POST", path_of("namespaces"),
                      {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": self.ns}})

    # What it does.

    def create(self, what):
        self.api.done("POST", path_of("jobs", self.ns), what)

    def refused(self, what):
        """The words with which the API server refuses it; the namespace's name is left out."""
        code, answer = self.api.call("POST", path_of("jobs", self.ns), what)
        assert code >= 400, "it was not refused"
        return answer["message"].replace(self.ns, "NAMESPACE")

    def patch(self, kind, name, operations):
        self.api.done("PATCH", path_of(kind, self.ns, name), operations, "application/json-patch+json")

    def command(self, name, action):
        uid = self.job(name)["metadata"]["uid"]
        target = {"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job", "name": name, "uid": uid,
                  "controller": True}
        self.api.done("POST", path_of("commands", self.ns), {
            "apiVersion": "bus.volcano.sh/v1alpha1", "kind": "Command",
            "metadata": {"generateName": f"{action.lower()}-", "ownerReferences": [target]},
            "action": action, "target": target})

    def queue(self, name, **spec):
        """Made where it is missing, and open."""
        self.api.call("POST", path_of("queues"), {
            "apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "Queue", "metadata": {"name": name},
            "spec": {"weight": 1, "reclaimable": True, **spec}})
        self.until(f"queue {name} is open", lambda: self.api.done("GET", path_of("queues", name=name))
                   .get("status", {}).get("state") == "Open")

    def priority_class(self, name, value):
        self.api.call("POST", path_of("priorityclasses"), {
            "apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": name},
            "value": value})

    # What it sees.

    def until(self, what, condition, seconds=60):
        return processes.wait_until(what, seconds, condition, every=0.2)

    def list(self, kind):
        return self.api.done("GET", path_of(kind, self.ns))["items"]

    def job(self, name):
        code, found = self.api.call("GET", path_of("jobs", self.ns, name))
        return found if code == 200 else None

    def is_leaving(self, name):
        """There is no garbage collector here, for which a deletion in the foreground waits."""
        found = self.job(name)
        return found is None or "deletionTimestamp" in found["metadata"]

    def pods(self, name):
        return [p for p in self.list("pods")
                if p["metadata"].get("labels", {}).get("volcano.sh/job-name") == name
                and "deletionTimestamp" not in p["metadata"]]

    @staticmethod
    def task_of(pod):
        return pod["metadata"]["annotations"]["volcano.sh/task-spec"]

    @staticmethod
    def finished_at(pod):
        return pod["status"]["containerStatuses"][0]["state"]["terminated"]["finishedAt"]

    def in_phase(self, name, phase):
        """How many pods are in the phase, by task."""
        counts = {}
        for pod in self.pods(name):
            if pod["status"].get("phase") == phase:
                counts[self.task_of(pod)] = counts.get(self.task_of(pod), 0) + 1
        return counts

    def running(self, name):
        return self.in_phase(name, "Running")

    def bound(self, name):
        return sum(1 for pod in self.pods(name) if pod["spec"].get("nodeName"))

    def group(self, name):
        """The phase of the job's PodGroup; None: there is none."""
        for group in self.list("podgroups"):
            if any(o["name"] == name for o in group["metadata"].get("ownerReferences", [])):
                return group.get("status", {}).get("phase")
        return None

    def state(self, name, phase):
        found = self.job(name)
        now = (found or {}).get("status", {}).get("state", {}).get("phase")
        assert now == phase, f"job {name} is {now}, not {phase}"
        return {"phase": now}

    def job_ends(self, name, phase):
        """Waits for the phase, and of one that is over until no pod runs any more."""
        self.until(f"job {name} to be {phase}", lambda: self.state(name, phase))
        if phase != "Running":
            self.until(f"the pods of job {name} to end", lambda: not self.in_phase(name, "Running"))
        return {"phase": phase, "succeeded": self.in_phase(name, "Succeeded"),
                "running": self.in_phase(name, "Running")}

    def stays(self, name, look):
        """What is seen for three seconds without a change."""
        seen = {"last": None, "times": 0}

        def steady():
            now = look()
            seen["times"] = seen["times"] + 1 if now == seen["last"] else 0
            seen["last"] = now
            return seen["times"] >= 15
        self.until(f"job {name} to stay as it is", steady)
        return seen["last"]
