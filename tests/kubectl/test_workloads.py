"""Deployments and Jobs through kubectl: scale, roll out, complete."""

from harness import deployment, expect_equal, expect_in, expect_match, job, needs_agents


@needs_agents
def test_rollout_status_follows_a_deployment(kubectl):
    kubectl.create(deployment("site", replicas=3, node=kubectl.nodes[0]))
    expect_match(r'deployment "site" successfully rolled out',
                 kubectl("rollout", "status", "deployment/site", "--timeout=60s"))
    expect_match(r"^site +3/3 +3 +3 ", kubectl("get", "deployments"))


@needs_agents
def test_scale_a_deployment(kubectl):
    kubectl.create(deployment("site", replicas=1, node=kubectl.nodes[0]))
    expect_in("scaled", kubectl("scale", "deployment", "site", "--replicas=3"))
    kubectl("rollout", "status", "deployment/site", "--timeout=60s")
    kubectl.wait_for("three pods", lambda: len(
        kubectl("get", "pods", "-l", "app=site", "-o", "name").split()) == 3)
    kubectl("scale", "deployment", "site", "--replicas=0")
    kubectl.wait_for("no pods", lambda: not kubectl("get", "pods", "-l", "app=site", "-o", "name"))


def test_scale_only_from_the_number_expected(kubectl):
    kubectl.create(deployment("site", replicas=0))
    expect_match(r"[Ee]xpected replicas to be 5, was 0", kubectl.refused(
        "scale", "deployment", "site", "--current-replicas=5", "--replicas=6"))
    kubectl("scale", "deployment", "site", "--current-replicas=0", "--replicas=0")


def test_scale_a_replica_set_and_a_stateful_set(kubectl):
    replica_set = deployment("rs", replicas=0)
    replica_set["kind"] = "ReplicaSet"
    stateful_set = deployment("sts", replicas=0)
    stateful_set["kind"] = "StatefulSet"
    stateful_set["spec"]["serviceName"] = "sts"
    kubectl.create(replica_set, stateful_set)
    kubectl("scale", "replicaset/rs", "statefulset/sts", "--replicas=2")
    expect_equal("2", kubectl.path("{.spec.replicas}", "get", "replicaset", "rs"))
    expect_equal("2", kubectl.path("{.spec.replicas}", "get", "statefulset", "sts"))


@needs_agents
def test_rollout_of_a_new_image_and_back(kubectl):
    kubectl.create(deployment("site", replicas=2, node=kubectl.nodes[0]))
    kubectl("rollout", "status", "deployment/site", "--timeout=60s")

    def images():
        return set(kubectl.path("{.items[*].spec.containers[0].image}", "get", "pods", "-l",
                                "app=site", "--field-selector=status.phase=Running").split())
    kubectl("set", "image", "deployment/site", "main=registry.example/app:2")
    kubectl("rollout", "status", "deployment/site", "--timeout=60s")
    kubectl.wait_for("only new pods", lambda: images() == {"registry.example/app:2"})
    expect_match(r"^2 ", kubectl("rollout", "history", "deployment/site"))
    kubectl("rollout", "undo", "deployment/site")
    kubectl("rollout", "status", "deployment/site", "--timeout=60s")
    kubectl.wait_for("the old pods again", lambda: images() == {"registry.example/app:1"})


@needs_agents
def test_rollout_restart_replaces_the_pods(kubectl):
    kubectl.create(deployment("site", replicas=1, node=kubectl.nodes[0]))
    kubectl("rollout", "status", "deployment/site", "--timeout=60s")
    before = kubectl.path("{.items[*].metadata.name}", "get", "pods", "-l", "app=site")
    kubectl("rollout", "restart", "deployment/site")
    kubectl("rollout", "status", "deployment/site", "--timeout=60s")
    kubectl.wait_for("another pod", lambda: before not in kubectl(
        "get", "pods", "-l", "app=site", "-o", "name"))


@needs_agents
def test_a_job_completes(kubectl):
    kubectl.create(job("once", node=kubectl.nodes[0], completions=2))
    kubectl("wait", "--for=condition=Complete", "job/once", "--timeout=60s")
    expect_match(r"^once +Complete +2/2 ", kubectl("get", "jobs"))
    expect_match(r"0/1 +Completed", kubectl("get", "pods"))


@needs_agents
def test_a_deleted_pod_is_replaced(kubectl):
    kubectl.create(deployment("site", replicas=1, node=kubectl.nodes[0]))
    kubectl("rollout", "status", "deployment/site", "--timeout=60s")
    before = kubectl("get", "pods", "-l", "app=site", "-o", "name").strip()
    kubectl("delete", before)

    def another():
        now = kubectl("get", "pods", "-l", "app=site", "-o", "name").split()
        return len(now) == 1 and now[0] != before
    kubectl.wait_for("another pod", another)


@needs_agents
def test_rollout_status_follows_a_stateful_set(kubectl):
    body = deployment("db", replicas=2, node=kubectl.nodes[0])
    body["kind"] = "StatefulSet"
    body["spec"]["serviceName"] = "db"
    kubectl.create(body)
    expect_match(r"complete|successfully rolled out",
                 kubectl("rollout", "status", "statefulset/db", "--timeout=60s"))
    expect_equal({"pod/db-0", "pod/db-1"},
                 set(kubectl("get", "pods", "-l", "app=db", "-o", "name").split()))
    kubectl("set", "image", "statefulset/db", "main=registry.example/app:2")
    kubectl("rollout", "status", "statefulset/db", "--timeout=90s")
    expect_equal({"registry.example/app:2"}, set(kubectl.path(
        "{.items[*].spec.containers[0].image}", "get", "pods", "-l", "app=db").split()))


@needs_agents
def test_rollout_status_follows_a_daemon_set(kubectl):
    body = deployment("agent", node=kubectl.nodes[0])
    body["kind"] = "DaemonSet"
    del body["spec"]["replicas"]
    kubectl.create(body)
    expect_match(r'daemon set "agent" successfully rolled out',
                 kubectl("rollout", "status", "daemonset/agent", "--timeout=60s"))
    expect_match(r"^agent +1 +1 +1 +1 +1 ", kubectl("get", "daemonsets"))


@needs_agents
def test_logs_say_that_the_pod_is_simulated(kubectl):
    if kubectl.real:
        return  # a real API server asks a kubelet that is not there
    kubectl.create(deployment("site", replicas=1, node=kubectl.nodes[0]))
    kubectl("rollout", "status", "deployment/site", "--timeout=60s")
    expect_in("is simulated", kubectl("logs", "deployment/site"))
