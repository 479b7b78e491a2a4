"""kubectl delete and wait."""

from harness import config_map, deployment, expect_equal, expect_in, expect_match, needs_agents, pod


def gone(kubectl, kind, name):
    return "NotFound" in kubectl.attempt("get", kind, name).stderr


def test_delete_a_pending_pod(kubectl):
    kubectl.create(pod("web"))
    expect_match(r'pod "web" deleted', kubectl("delete", "pod", "web"))
    assert gone(kubectl, "pod", "web")


@needs_agents
def test_delete_a_running_pod_gracefully(kubectl):
    kubectl.running_pod("web", grace=2)
    kubectl("delete", "pod", "web", "--wait=false")
    expect_match(r"web +\S+ +Terminating", kubectl("get", "pods"))
    kubectl("wait", "--for=delete", "pod/web", "--timeout=60s")
    assert gone(kubectl, "pod", "web")


def test_delete_by_force(kubectl):
    """The pod is bound and nobody but this deletion removes it at once."""
    kubectl.create(pod("web", node=kubectl.nodes[0], grace=600))
    kubectl("delete", "pod", "web", "--grace-period=0", "--force")
    assert gone(kubectl, "pod", "web")


def test_delete_all_and_by_selector(kubectl):
    kubectl.create(pod("a"), pod("b"), pod("c"))
    kubectl("delete", "pods", "-l", "app in (a,b)")
    expect_equal("pod/c", kubectl("get", "pods", "-o", "name").strip())
    kubectl("delete", "pods", "--all")
    expect_equal("", kubectl("get", "pods", "-o", "name"))


def test_delete_from_a_file(kubectl):
    kubectl.create(config_map("a"), config_map("b"))
    kubectl("delete", "-f", "-", stdin={"apiVersion": "v1", "kind": "List",
                                        "items": [config_map("a"), config_map("b")]})
    assert gone(kubectl, "configmap", "a") and gone(kubectl, "configmap", "b")


def test_delete_of_what_is_missing(kubectl):
    expect_in('pods "nope" not found', kubectl.refused("delete", "pod", "nope"))
    kubectl("delete", "pod", "nope", "--ignore-not-found")


def test_delete_as_a_dry_run(kubectl):
    kubectl.create(config_map("a"))
    expect_in("(server dry run)", kubectl("delete", "configmap", "a", "--dry-run=server"))
    assert not gone(kubectl, "configmap", "a")


def test_delete_waits_for_finalizers(kubectl):
    held = config_map("held")
    held["metadata"]["finalizers"] = ["example.com/hold"]
    kubectl.create(held)
    kubectl("delete", "configmap", "held", "--wait=false")
    assert kubectl.path("{.metadata.deletionTimestamp}", "get", "configmap", "held")
    kubectl("patch", "configmap", "held", "--type=merge", "-p", '{"metadata":{"finalizers":null}}')
    kubectl("wait", "--for=delete", "configmap/held", "--timeout=30s")


def test_delete_takes_dependents_along(kubectl):
    kubectl.create(config_map("owner"))
    owned = config_map("owned")
    owned["metadata"]["ownerReferences"] = [{
        "apiVersion": "v1", "kind": "ConfigMap", "name": "owner",
        "uid": kubectl.path("{.metadata.uid}", "get", "configmap", "owner")}]
    kubectl.create(owned)
    kubectl("delete", "configmap", "owner")
    kubectl("wait", "--for=delete", "configmap/owned", "--timeout=60s")


@needs_agents
def test_delete_a_deployment_with_its_pods(kubectl):
    kubectl.create(deployment("site", replicas=2, node=kubectl.nodes[0]))
    kubectl("rollout", "status", "deployment/site", "--timeout=60s")
    kubectl("delete", "deployment", "site")
    kubectl.wait_for("its pods are gone",
                     lambda: not kubectl("get", "pods,replicasets", "-o", "name").strip())


@needs_agents
def test_delete_a_namespace_with_all_in_it(kubectl):
    name = f"{kubectl.ns}-x"
    kubectl("create", "namespace", name)
    outer, kubectl.ns = kubectl.ns, name
    try:
        kubectl.wait_for("the namespace takes pods", lambda: kubectl.create(
            pod("web", kubectl.nodes[0]), config_map("a"), deployment("site", replicas=1)))
        kubectl("delete", "namespace", name, "--timeout=90s")
        expect_in("not found", kubectl.refused("get", "namespace", name))
        expect_equal("", kubectl("get", "configmaps,pods", "-o", "name"))
    finally:
        kubectl.ns = outer


def test_wait_for_a_field(kubectl):
    kubectl.create(config_map("settings", state="done"))
    kubectl("wait", "--for=jsonpath={.data.state}=done", "configmap/settings", "--timeout=10s")
    expect_match(r"timed out waiting", kubectl.refused(
        "wait", "--for=jsonpath={.data.state}=other", "configmap/settings", "--timeout=1s"))


@needs_agents
def test_wait_for_a_condition(kubectl):
    kubectl.create(pod("web", kubectl.nodes[0]))
    expect_in("condition met",
              kubectl("wait", "--for=condition=Ready", "pod/web", "--timeout=60s"))


def test_events_are_listed(kubectl):
    kubectl.create({
        "apiVersion": "v1", "kind": "Event", "metadata": {"name": "e1"},
        "involvedObject": {"kind": "Pod", "name": "web", "namespace": kubectl.ns},
        "reason": "Tested", "message": "a test looked", "type": "Normal", "count": 1,
        "firstTimestamp": "2026-01-01T00:00:00Z", "lastTimestamp": "2026-01-01T00:00:00Z"})
    text = kubectl("get", "events")
    expect_match(r"^LAST SEEN +TYPE +REASON +OBJECT +MESSAGE$", text)
    expect_match(r"Normal +Tested +pod/web +a test looked", text)
    expect_match(r"Tested +Pod/web", kubectl("events"))
    expect_in("e1", kubectl("get", "events", "--field-selector=involvedObject.name=web", "-o",
                            "name"))
