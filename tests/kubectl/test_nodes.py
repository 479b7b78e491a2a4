"""cordon, uncordon, drain, taint, and what needs a kubelet."""

from harness import (budget, deployment, embedded_only, expect_equal, expect_in, expect_match,
                     needs_agents, pod)


def bind(kubectl, name, node):
    kubectl("create", "--raw", f"/api/v1/namespaces/{kubectl.ns}/pods/{name}/binding", "-f", "-",
            stdin={"apiVersion": "v1", "kind": "Binding", "metadata": {"name": name},
                   "target": {"apiVersion": "v1", "kind": "Node", "name": node}})


def test_cordon_and_uncordon(kubectl):
    node = kubectl.nodes[0]
    expect_in("cordoned", kubectl("cordon", node))
    expect_match(r"SchedulingDisabled", kubectl("get", "node", node))
    expect_in("already cordoned", kubectl("cordon", node))
    expect_in("uncordoned", kubectl("uncordon", node))
    assert "SchedulingDisabled" not in kubectl("get", "node", node)


def test_taint(kubectl):
    node = kubectl.nodes[0]

    def taints():
        return [t for t in kubectl.json("get", "node", node)["spec"].get("taints", [])
                if t["key"] == "dedicated"]
    kubectl("taint", "node", node, "dedicated=batch:NoSchedule")
    expect_equal([{"key": "dedicated", "value": "batch", "effect": "NoSchedule"}], taints())
    expect_match(r"already has dedicated taint", kubectl.refused(
        "taint", "node", node, "dedicated=other:NoSchedule"))
    kubectl("taint", "node", node, "dedicated=other:NoSchedule", "--overwrite")
    expect_equal("other", taints()[0]["value"])
    kubectl("taint", "node", node, "dedicated:NoSchedule-")
    expect_equal([], taints())


def test_bind_places_a_pod_once(kubectl):
    kubectl.create(pod("web"))
    bind(kubectl, "web", kubectl.nodes[1])
    expect_equal(kubectl.nodes[1], kubectl.path("{.spec.nodeName}", "get", "pod", "web"))
    try:
        bind(kubectl, "web", kubectl.nodes[2])
    except AssertionError as refused:
        expect_match(r"is already assigned to node", str(refused))
    else:
        raise AssertionError("a second bind should be refused")


@needs_agents
def test_drain_evicts_and_the_controller_replaces(kubectl):
    node = kubectl.nodes[0]
    kubectl.create(deployment("site", replicas=2))
    names = kubectl.wait_for("two pods", lambda: (lambda n: n if len(n) == 2 else None)(
        kubectl.path("{.items[*].metadata.name}", "get", "pods", "-l", "app=site").split()))
    for name in names:
        bind(kubectl, name, node)
    kubectl("wait", "--for=condition=Ready", "pods", "-l", "app=site", "--timeout=60s")
    said = kubectl("drain", node, "--ignore-daemonsets", "--delete-emptydir-data", "--timeout=90s",
                   "--pod-selector=app=site")
    expect_in("drained", said)
    expect_match("SchedulingDisabled", kubectl("get", "node", node))

    def replaced():
        listed = kubectl.json("get", "pods", "-l", "app=site")["items"]
        return len(listed) == 2 and not set(names) & {p["metadata"]["name"] for p in listed}
    kubectl.wait_for("both pods are replaced", replaced)


@needs_agents
def test_drain_needs_force_for_bare_pods(kubectl):
    node = kubectl.nodes[1]
    kubectl.running_pod("solo", node=1)
    flags = ("--ignore-daemonsets", "--delete-emptydir-data", "--pod-selector=app=solo")
    expect_match(r"declare no controller", kubectl.refused("drain", node, *flags))
    kubectl("drain", node, *flags, "--force", "--timeout=60s")
    expect_in("NotFound", kubectl.refused("get", "pod", "solo"))


@needs_agents
def test_drain_respects_a_disruption_budget(kubectl):
    node = kubectl.nodes[2]
    kubectl.create(budget("keep", "precious", 1))
    kubectl.running_pod("precious", node=2)
    kubectl.wait_for("the budget counts the pod", lambda: kubectl.path(
        "{.status.currentHealthy}", "get", "pdb", "keep") == "1")
    said = kubectl.refused("drain", node, "--force", "--ignore-daemonsets", "--timeout=3s",
                           "--pod-selector=app=precious")
    expect_match(r"would violate the pod's disruption budget", said)
    expect_equal("Running", kubectl.path("{.status.phase}", "get", "pod", "precious"))


@embedded_only
@needs_agents
def test_exec_is_refused_clearly(kubectl):
    kubectl.running_pod("web")
    said = kubectl.refused("exec", "web", "--", "true")
    expect_match(r"not (supported|served|implemented|found|available)|simulated|does not", said)
