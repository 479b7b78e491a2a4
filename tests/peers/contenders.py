"""Schedulers side by side on a real API server: how each is started, and what it cost."""

import json
import os
import pathlib
import subprocess
import time

from support import processes, tools

BIN = tools.BUILD / "peers" / "bin"
BASALT = tools.BUILD / "release" / "basalt"
TICK = os.sysconf("SC_CLK_TCK")

# Volcano's own default, as its chart installs it.
VOLCANO_CONF = """actions: "enqueue, allocate, backfill"
tiers:
- plugins:
  - name: priority
  - name: gang
    enablePreemptable: false
  - name: conformance
- plugins:
  - name: overcommit
  - name: drf
    enablePreemptable: false
  - name: predicates
  - name: proportion
  - name: nodeorder
  - name: binpack
"""


def build(*names):
    """Builds what is named; raises AssertionError where that cannot be done."""
    if subprocess.run([str(tools.ROOT / "tests" / "peers" / "build"), *names],
                      check=False).returncode != 0:
        raise AssertionError("what Basalt is compared with could not be built; see above")


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def kubectl(cluster, *args, text=None):
    result = subprocess.run([str(tools.CLUSTER_BIN / "kubectl"), "--kubeconfig",
                             str(cluster.kubeconfig), *args], input=text, text=True, check=False,
                            capture_output=True)
    if result.returncode != 0:
        raise AssertionError(f"kubectl {' '.join(args)}: {result.stderr.strip()}")
    return result.stdout


def load(cluster, *args):
    result = subprocess.run([str(BIN / "load"), *map(str, args)], check=False, text=True,
                            capture_output=True,
                            env={**os.environ, "KUBECONFIG": str(cluster.kubeconfig)})
    if result.returncode != 0:
        raise AssertionError(f"load {' '.join(map(str, args))}: {result.stderr.strip()}")
    return json.loads(result.stdout.strip().splitlines()[-1])


def wait_for_kinds(cluster):
    """Until all are served. kubectl gives up at once on one that has no status yet."""
    processes.wait_until("the kinds", 60, lambda: kubectl(
        cluster, "wait", "--for=condition=Established", "--timeout=60s", "crd", "--all"))


def install(cluster):
    """Basalt's kinds, and Volcano's two queues, open: that is its controller's work, which may not be
    there."""
    crds = subprocess.run([str(BASALT), "crds"], check=True, capture_output=True, text=True).stdout
    kubectl(cluster, "apply", "--server-side", "-f", "-", text=crds)
    wait_for_kinds(cluster)
    kubectl(cluster, "create", "namespace", "volcano-system")
    for queue in ("root", "default"):
        kubectl(cluster, "apply", "-f", "-", text=json.dumps({
            "apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "Queue",
            "metadata": {"name": queue}, "spec": {"weight": 1, "reclaimable": True}}))
        kubectl(cluster, "patch", "queue", queue, "--subresource=status", "--type=merge", "-p",
                '{"status":{"state":"Open"}}')


def use_volcanos_kinds(cluster):
    """Its scheduler writes a PodGroup's status with the group itself, so on kinds that have a status
    subresource it would write for ever."""
    kubectl(cluster, "apply", "--server-side", "--force-conflicts", *(
        part for path in sorted((tools.BUILD / "peers" / "crds").glob("*.yaml"))
        for part in ("-f", str(path))))
    wait_for_kinds(cluster)
    crd = "crd/podgroups.scheduling.volcano.sh"
    processes.wait_until("PodGroups without a status subresource", 30, lambda: "status" not in kubectl(
        cluster, "get", crd, "-o", "jsonpath={.spec.versions[*].subresources}"))


def command(what, cluster, kubeconfig=None):
    """How a contender is called. Their rate limits are out of the way."""
    kubeconfig = str(kubeconfig or cluster.kubeconfig)
    ports = [f"127.0.0.1:{port}" for port in processes.free_ports(2)]
    if what == "binder":
        return [BIN / "load", "bind"]
    if what == "basalt":
        return [BASALT, "scheduler", "--kubeconfig", kubeconfig, "--leader-elect=false",
                "--kube-api-qps", "5000", "--kube-api-burst", "5000"]
    if what == "volcano":
        conf = cluster.run / "volcano.conf"
        conf.write_text(VOLCANO_CONF)
        return [BIN / "vc-scheduler", "--kubeconfig", kubeconfig, "--scheduler-conf", conf,
                "--leader-elect=false", "--listen-address", ports[0], "--healthz-address", ports[1],
                "--cache-dumper=false", "--kube-api-qps", "2000", "--kube-api-burst", "2000",
                "--logtostderr"]
    if what == "volcano-controllers":
        return [BIN / "vc-controller-manager", "--kubeconfig", kubeconfig, "--leader-elect=false",
                "--listen-address", ports[0], "--healthz-address", ports[1], "--logtostderr"]
    if what == "controller":
        return [BASALT, "controller", "--kubeconfig", kubeconfig]
    if what == "webhook":
        return [BASALT, "webhook", "--kubeconfig", kubeconfig, "--self-register", "--listen-address",
                "127.0.0.1", "--port", "0"]
    if what == "simnode":
        return [BASALT, "simnode", "--kubeconfig", kubeconfig]
    raise AssertionError(f"no contender is called {what}")


class Contender:
    """A scheduler that runs, until the `with` ends."""

    def __init__(self, what, cluster, kubeconfig=None, flags=()):
        self.what = what
        self.cluster = cluster
        self.command = [str(c) for c in (*command(what, cluster, kubeconfig), *flags)]

    def __enter__(self):
        self.started = time.time()
        with open(self.cluster.run / f"{self.what}.log", "ab") as log:
            self.child = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=log,
                                          stderr=log, env={**os.environ, "KUBECONFIG":
                                                           str(self.cluster.kubeconfig)})
        return self

    def __exit__(self, *_):
        processes.end(self.child)

    def cpu(self):
        return cpu_seconds(self.child.pid)


class Watcher:
    """Waits until pods are bound; ready before the scheduler starts."""

    def __init__(self, cluster, count):
        self.child = subprocess.Popen(
            [str(BIN / "load"), "wait", "-count", str(count)], text=True, stdout=subprocess.PIPE,
            env={**os.environ, "KUBECONFIG": str(cluster.kubeconfig)})
        assert self.child.stdout.readline().strip() == "watching", "the watcher did not start"

    def last_bind(self):
        """When the last pod was bound, in seconds since 1970."""
        out, _ = self.child.communicate()
        assert self.child.returncode == 0, "not all pods were bound"
        return json.loads(out.strip().splitlines()[-1])["at"]
