"""What the kubectl tests share: calling kubectl, and objects to call it with."""

import json
import os
import re
import subprocess

from support.processes import wait_until


class Kubectl:
    """kubectl bound to one cluster. `real`: a real API server, with no kubelets behind its nodes."""

    def __init__(self, program, kubeconfig, home, real=False, agents=True):
        self.program = program
        self.kubeconfig = str(kubeconfig)
        self.home = str(home)
        self.real = real
        self.agents = agents  # somebody runs pods and the workload controllers
        self.ns = None
        self.nodes = []

    def environment(self):
        return {"PATH": os.environ.get("PATH", ""), "HOME": self.home,
                "KUBECONFIG": self.kubeconfig, "LC_ALL": "C"}

    def command(self, args):
        scope = [] if self.ns is None or any(a in ("-A", "--all-namespaces") for a in args) else [
            "-n", self.ns]
        return [self.program, *scope, *args]

    def attempt(self, *args, stdin=None, timeout=90, env=None):
        if stdin is not None and not isinstance(stdin, str):
            stdin = json.dumps(stdin)
        return subprocess.run(self.command(args), input=stdin, text=True, capture_output=True,
                              timeout=timeout, check=False,
                              env={**self.environment(), **(env or {})})

    def __call__(self, *args, **kwargs):
        """Runs kubectl, which must succeed; returns what it printed."""
        result = self.attempt(*args, **kwargs)
        if result.returncode != 0:
            raise AssertionError(f"kubectl {' '.join(args)}: code {result.returncode}\n"
                                 f"{result.stdout}{result.stderr}")
        return result.stdout

    def refused(self, *args, **kwargs):
        """Runs kubectl, which must fail; returns what it said."""
        result = self.attempt(*args, **kwargs)
        if result.returncode == 0:
            raise AssertionError(f"kubectl {' '.join(args)} should fail and printed\n{result.stdout}")
        return result.stderr + result.stdout

    def json(self, *args):
        return json.loads(self(*args, "-o", "json"))

    def path(self, jsonpath, *args):
        return self(*args, "-o", f"jsonpath={jsonpath}")

    def start(self, *args):
        """Starts kubectl in the background; the caller ends it."""
        return subprocess.Popen(self.command(args), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True, env=self.environment())

    def apply(self, *objects):
        return self("apply", "-f", "-", stdin=as_list(objects))

    def create(self, *objects):
        return self("create", "-f", "-", stdin=as_list(objects))

    def wait_for(self, what, condition, seconds=60):
        return wait_until(what, seconds, condition)

    def running_pod(self, name="web", node=0, **kwargs):
        """Creates a pod on a node and waits until it runs."""
        self.create(pod(name, self.nodes[node], **kwargs))
        self("wait", "--for=condition=Ready", f"pod/{name}", "--timeout=60s")
        return name


def as_list(objects):
    return {"apiVersion": "v1", "kind": "List", "items": list(objects)}


def needs_agents(test):
    """Marks a test that needs pods to run."""
    test.needs_agents = True
    return test


def embedded_only(test):
    """Marks a test of what only Basalt's own server does."""
    test.embedded_only = True
    return test


def columns(text):
    """The header of a table that kubectl printed."""
    return re.split(r"\s{2,}", text.splitlines()[0].strip())


def rows(text):
    """The rows of a table, each as a list of cells."""
    return [re.split(r"\s{2,}", line.strip()) for line in text.splitlines()[1:] if line.strip()]


def expect_in(needle, text):
    assert needle in text, f"expected {needle!r} in:\n{text}"


def expect_match(pattern, text):
    assert re.search(pattern, text, re.M), f"expected /{pattern}/ in:\n{text}"


def expect_equal(want, got):
    assert want == got, f"expected {want!r}, got {got!r}"


# Objects

def meta(name, **more):
    return {"name": name, **more}


def container(**more):
    return {"name": "main", "image": "registry.example/app:1",
            "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}}, **more}


def pod(name, node=None, labels=None, grace=1, **spec):
    body = {"containers": [container()], "terminationGracePeriodSeconds": grace, **spec}
    if node:
        body["nodeName"] = node
    return {"apiVersion": "v1", "kind": "Pod", "metadata": meta(name, labels=labels or {"app": name}),
            "spec": body}


def config_map(name, **data):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta(name), "data": data}


def template(app, node=None, **spec):
    made = pod("unused", node, **spec)
    return {"metadata": {"labels": {"app": app}}, "spec": made["spec"]}


def deployment(name, replicas=2, node=None, **spec):
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": meta(name),
            "spec": {"replicas": replicas, "selector": {"matchLabels": {"app": name}},
                     "template": template(name, node, **spec)}}


def job(name, node=None, completions=1, seconds=1):
    body = template(name, node, restartPolicy="Never")
    body["spec"]["containers"][0]["command"] = ["sleep", str(seconds)]
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": meta(name),
            "spec": {"completions": completions, "parallelism": completions, "template": body}}


def budget(name, app, minimum):
    return {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": meta(name),
            "spec": {"minAvailable": minimum, "selector": {"matchLabels": {"app": app}}}}


def widget_definition():
    """A custom kind with everything that a CRD of ours may use."""
    schema = {
        "type": "object", "required": ["spec"],
        "properties": {
            "spec": {
                "type": "object", "required": ["size"],
                "properties": {
                    "size": {"type": "integer", "minimum": 1, "maximum": 10},
                    "colour": {"type": "string", "enum": ["red", "blue"]},
                    "parts": {"type": "array", "items": {"type": "string"}},
                },
            },
            "status": {"type": "object", "properties": {
                "phase": {"type": "string"}, "replicas": {"type": "integer"}}},
        },
    }
    version = {
        "name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema},
        "subresources": {"status": {}, "scale": {
            "specReplicasPath": ".spec.size", "statusReplicasPath": ".status.replicas"}},
        "additionalPrinterColumns": [
            {"name": "Size", "type": "integer", "jsonPath": ".spec.size"},
            {"name": "Colour", "type": "string", "jsonPath": ".spec.colour"},
            {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"}],
    }
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": meta("widgets.test.basalt.example"),
            "spec": {"group": "test.basalt.example", "scope": "Namespaced", "versions": [version],
                     "names": {"plural": "widgets", "singular": "widget", "kind": "Widget",
                               "listKind": "WidgetList", "shortNames": ["wd"],
                               "categories": ["all"]}}}


def widget(name, size=3, **spec):
    return {"apiVersion": "test.basalt.example/v1", "kind": "Widget", "metadata": meta(name),
            "spec": {"size": size, **spec}}
