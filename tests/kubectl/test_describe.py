"""kubectl describe: it reads several kinds and joins them."""

from harness import (budget, config_map, deployment, expect_in, expect_match, job, needs_agents, pod,
                     widget, widget_definition)


def event(kubectl, about, reason, message):
    seen = kubectl.json("get", "pod", about)
    kubectl.create({
        "apiVersion": "v1", "kind": "Event",
        "metadata": {"name": f"{about}.{reason.lower()}", "namespace": kubectl.ns},
        "involvedObject": {"kind": "Pod", "name": about, "namespace": kubectl.ns,
                           "uid": seen["metadata"]["uid"], "apiVersion": "v1"},
        "reason": reason, "message": message, "type": "Warning", "count": 3,
        "source": {"component": "test"},
        "firstTimestamp": "2026-01-01T00:00:00Z", "lastTimestamp": "2026-01-01T00:01:00Z"})


def test_describe_pod_with_its_events(kubectl):
    kubectl.create(pod("web"))
    event(kubectl, "web", "Odd", "something odd")
    text = kubectl("describe", "pod", "web")
    for pattern in (r"^Name: +web$", rf"^Namespace: +{kubectl.ns}$", r"^Labels: +app=web$",
                    r"^Status: +Pending$", r"^ +Image: +registry\.example/app:1$",
                    r"^ +cpu: +100m$", r"^QoS Class: +Burstable$",
                    r"^Tolerations: .*not-ready:NoExecute op=Exists for 300s",
                    r"Warning +Odd .*something odd"):
        expect_match(pattern, text)


@needs_agents
def test_describe_a_running_pod(kubectl):
    kubectl.running_pod("web", node=2)
    text = kubectl("describe", "pod", "web")
    expect_match(rf"^Node: +{kubectl.nodes[2]}", text)
    expect_match(r"^ +State: +Running$", text)
    expect_match(r"^ +Ready +True", text)


@needs_agents
def test_describe_node(kubectl):
    kubectl.running_pod("web", node=1)
    text = kubectl("describe", "node", kubectl.nodes[1])
    for pattern in (rf"^Name: +{kubectl.nodes[1]}$", r"^ +Ready +True", r"^Capacity:$",
                    r"^Allocatable:$", r"^Allocated resources:$", r"^ +cpu +100m \(\d+%\)",
                    rf"^ +{kubectl.ns} +web +100m"):
        expect_match(pattern, text)


def test_describe_deployment(kubectl):
    kubectl.create(deployment("site", replicas=0))
    text = kubectl("describe", "deployment", "site")
    for pattern in (r"^Name: +site$", r"^Selector: +app=site$", r"^StrategyType: +RollingUpdate$",
                    r"25% max unavailable, 25% max surge", r"^Replicas: +0 desired"):
        expect_match(pattern, text)


@needs_agents
def test_describe_replica_set(kubectl):
    kubectl.create(deployment("site", replicas=1, node=kubectl.nodes[0]))
    kubectl("rollout", "status", "deployment/site", "--timeout=60s")
    text = kubectl("describe", "replicaset", "-l", "app=site")
    expect_match(r"^Controlled By: +Deployment/site$", text)
    expect_match(r"^Pods Status: +1 Running / 0 Waiting", text)


@needs_agents
def test_describe_job(kubectl):
    kubectl.create(job("once", node=kubectl.nodes[0]))
    kubectl("wait", "--for=condition=Complete", "job/once", "--timeout=60s")
    text = kubectl("describe", "job", "once")
    expect_match(r"^Pods Statuses: +0 Active.* / 1 Succeeded / 0 Failed", text)


def test_describe_namespace_with_quota(kubectl):
    kubectl.create({"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "limits"},
                    "spec": {"hard": {"pods": "7"}}})
    text = kubectl("describe", "namespace", kubectl.ns)
    expect_match(r"^Status: +Active$", text)
    expect_in("limits", text)


def test_describe_disruption_budget_and_config_map(kubectl):
    kubectl.create(budget("keep", "web", 1), config_map("settings", colour="red"))
    expect_match(r"^Min available: +1$", kubectl("describe", "pdb", "keep"))
    expect_in("red", kubectl("describe", "configmap", "settings"))


def test_describe_custom_kind(kubectl):
    kubectl.apply(widget_definition())
    kubectl("wait", "--for=condition=Established", "crd/widgets.test.basalt.example",
            "--timeout=30s")
    kubectl.wait_for("widgets", lambda: kubectl.create(widget("one")))
    text = kubectl("describe", "widget", "one")
    expect_match(r"^ +Size: +3$", text)


def test_describe_what_is_missing(kubectl):
    expect_match(r'pods "nope" not found', kubectl.refused("describe", "pod", "nope"))
