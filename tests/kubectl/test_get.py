"""kubectl get in its many forms."""

import time

from harness import (budget, columns, config_map, deployment, expect_equal, expect_in, expect_match,
                     job, needs_agents, pod, rows)


@needs_agents
def test_get_pods(kubectl):
    kubectl.running_pod("web")
    table = kubectl("get", "pods")
    expect_equal(["NAME", "READY", "STATUS", "RESTARTS", "AGE"], columns(table))
    expect_equal(["web", "1/1", "Running", "0"], rows(table)[0][:4])


def test_get_a_pending_pod(kubectl):
    kubectl.create(pod("waiting"))
    expect_equal(["waiting", "0/1", "Pending", "0"], rows(kubectl("get", "pod", "waiting"))[0][:4])


@needs_agents
def test_get_pods_wide(kubectl):
    kubectl.running_pod("web", node=1)
    table = kubectl("get", "pods", "-o", "wide")
    expect_equal(["NAME", "READY", "STATUS", "RESTARTS", "AGE", "IP", "NODE", "NOMINATED NODE",
                  "READINESS GATES"], columns(table))
    expect_in(kubectl.nodes[1], rows(table)[0])


def test_get_yaml(kubectl):
    kubectl.create(pod("web"))
    text = kubectl("get", "pod", "web", "-o", "yaml")
    for line in ("apiVersion: v1", "kind: Pod", "  name: web", "  - image: registry.example/app:1",
                 "        cpu: 100m"):
        expect_in(line, text.splitlines())


def test_get_json_of_a_list(kubectl):
    kubectl.create(config_map("a", x="1"), config_map("b", x="2"))
    listed = kubectl.json("get", "configmaps")
    expect_equal("List", listed["kind"])
    data = {o["metadata"]["name"]: o.get("data") for o in listed["items"]}
    expect_equal({"x": "2"}, data["b"])


def test_get_jsonpath(kubectl):
    kubectl.create(config_map("a", x="1"))
    expect_equal("1", kubectl.path("{.data.x}", "get", "configmap", "a"))


def test_get_custom_columns_and_names(kubectl):
    kubectl.create(pod("web"))
    table = kubectl("get", "pods", "-o", "custom-columns=NAME:.metadata.name,"
                                         "IMAGE:.spec.containers[0].image")
    expect_equal([["web", "registry.example/app:1"]], rows(table))
    expect_equal("pod/web", kubectl("get", "pods", "-o", "name").strip())
    expect_equal("web", kubectl("get", "pod", "web", "-o", "go-template={{.metadata.name}}"))


def test_get_sorted(kubectl):
    kubectl.create(pod("b", priority=0), pod("c"), pod("a"))
    names = [r[0] for r in rows(kubectl("get", "pods", "--sort-by=.metadata.name"))]
    expect_equal(["a", "b", "c"], names)


def test_get_by_label_and_field(kubectl):
    kubectl.create(pod("a", labels={"tier": "front"}),
                   pod("b", labels={"tier": "back"}, node=kubectl.nodes[2]))

    def names(*flags):
        return kubectl("get", "pods", "-o", "name", *flags).split()
    expect_equal(["pod/a"], names("-l", "tier=front"))
    expect_equal(["pod/a", "pod/b"], names("-l", "tier in (front,back)"))
    expect_equal(["pod/b"], names("-l", "tier!=front"))
    expect_equal(["pod/b"], names(f"--field-selector=spec.nodeName={kubectl.nodes[2]}"))
    expect_equal(["pod/a"], names("--field-selector=metadata.name=a"))
    table = kubectl("get", "pods", "-L", "tier", "--show-labels")
    expect_equal(["TIER", "LABELS"], columns(table)[-2:])


def test_get_with_a_bad_selector_is_refused(kubectl):
    expect_match(r"unable to parse requirement|parse", kubectl.refused("get", "pods", "-l", "a in b"))
    expect_match(r"field label not supported|not supported|not a known field selector",
                 kubectl.refused("get", "pods", "--field-selector=spec.shoe=1"))


def test_get_of_all_namespaces(kubectl):
    kubectl.create(pod("web"))
    table = kubectl("get", "pods", "-A")
    expect_equal("NAMESPACE", columns(table)[0])
    expect_in([kubectl.ns, "web"], [r[:2] for r in rows(table)])


def test_get_of_several_kinds(kubectl):
    kubectl.create(pod("web"), config_map("settings"))
    text = kubectl("get", "pods,configmaps")
    expect_in("pod/web", text)
    expect_in("configmap/settings", text)


def test_get_of_what_is_missing(kubectl):
    expect_in('Error from server (NotFound): pods "nope" not found',
              kubectl.refused("get", "pod", "nope"))
    expect_match(r"No resources found in .* namespace",
                 kubectl.attempt("get", "pods").stderr)
    expect_equal("", kubectl("get", "pod", "nope", "--ignore-not-found"))


def test_get_in_pages(kubectl):
    kubectl.create(*(config_map(f"c{n}") for n in range(7)))
    names = kubectl("get", "configmaps", "--chunk-size=3", "-o", "name").split()
    expect_equal(7, len([n for n in names if n.startswith("configmap/c")]))


@needs_agents
def test_get_nodes(kubectl):
    table = kubectl("get", "nodes")
    expect_equal(["NAME", "STATUS", "ROLES", "AGE", "VERSION"], columns(table))
    statuses = {r[0]: r[1] for r in rows(table)}
    expect_equal("Ready", statuses[kubectl.nodes[0]])
    wide = columns(kubectl("get", "nodes", "-o", "wide"))
    expect_equal(["INTERNAL-IP", "EXTERNAL-IP", "OS-IMAGE", "KERNEL-VERSION", "CONTAINER-RUNTIME"],
                 wide[-5:])


def test_get_watch_shows_changes(kubectl):
    kubectl.create(pod("first"))
    watch = kubectl.start("get", "pods", "-w", "--output-watch-events")
    try:
        seen = []

        def read_until(pattern):
            for line in watch.stdout:
                seen.append(line.rstrip())
                if all(part in line for part in pattern):
                    return
            raise AssertionError(f"the watch ended before {pattern}: {seen} {watch.stderr.read()}")
        read_until(("ADDED", "first"))
        kubectl.create(pod("second"))
        read_until(("ADDED", "second"))
        kubectl("label", "pod", "second", "x=y")
        read_until(("MODIFIED", "second"))
        kubectl("delete", "pod", "second", "--wait=false")
        read_until(("DELETED", "second"))
    finally:
        watch.kill()
        watch.wait()


def test_get_watch_only_and_of_one_object(kubectl):
    kubectl.create(pod("one"), pod("two"))
    watch = kubectl.start("get", "pod", "one", "--watch-only", "-o", "name")
    try:
        # The watch tells nothing until something changes, so change things until it does.
        stop_at = time.monotonic() + 30
        import select  # pylint: disable=import-outside-toplevel
        number = 0
        while not select.select([watch.stdout], [], [], 0.3)[0]:
            assert time.monotonic() < stop_at, "the watch showed nothing"
            number += 1
            kubectl("annotate", "pod", "one", "two", f"n={number}", "--overwrite")
        expect_equal("pod/one", watch.stdout.readline().strip())
    finally:
        watch.kill()
        watch.wait()


TABLES = {
    "namespaces": ["NAME", "STATUS", "AGE"],
    "configmaps": ["NAME", "DATA", "AGE"],
    "secrets": ["NAME", "TYPE", "DATA", "AGE"],
    "deployments": ["NAME", "READY", "UP-TO-DATE", "AVAILABLE", "AGE"],
    "replicasets": ["NAME", "DESIRED", "CURRENT", "READY", "AGE"],
    "statefulsets": ["NAME", "READY", "AGE"],
    "daemonsets": ["NAME", "DESIRED", "CURRENT", "READY", "UP-TO-DATE", "AVAILABLE",
                   "NODE SELECTOR", "AGE"],
    "jobs": ["NAME", "STATUS", "COMPLETIONS", "DURATION", "AGE"],
    "poddisruptionbudgets": ["NAME", "MIN AVAILABLE", "MAX UNAVAILABLE", "ALLOWED DISRUPTIONS",
                             "AGE"],
    "priorityclasses": ["NAME", "VALUE", "GLOBAL-DEFAULT", "AGE", "PREEMPTIONPOLICY"],
    "leases": ["NAME", "HOLDER", "AGE"],
    "persistentvolumeclaims": ["NAME", "STATUS", "VOLUME", "CAPACITY", "ACCESS MODES",
                               "STORAGECLASS", "VOLUMEATTRIBUTESCLASS", "AGE"],
    "storageclasses": ["NAME", "PROVISIONER", "RECLAIMPOLICY", "VOLUMEBINDINGMODE",
                       "ALLOWVOLUMEEXPANSION", "AGE"],
    "resourcequotas": ["NAME", "REQUEST", "LIMIT", "AGE"],
}


def test_get_tables_have_the_columns_of_kubernetes(kubectl):
    stateful = deployment("s", replicas=0)
    stateful["kind"] = "StatefulSet"
    stateful["spec"]["serviceName"] = "s"
    daemon = deployment("ds")
    daemon["kind"] = "DaemonSet"
    del daemon["spec"]["replicas"]
    daemon["spec"]["template"]["spec"]["nodeSelector"] = {"no": "such"}
    replicas = deployment("rs", replicas=0)
    replicas["kind"] = "ReplicaSet"
    kubectl.create(
        config_map("c", x="1"), deployment("d", replicas=0), stateful, daemon, replicas,
        job("j"), budget("b", "x", 1),
        {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "stringData": {"k": "v"}},
        {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "l"},
         "spec": {"holderIdentity": "me"}},
        {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "p"},
         "spec": {"accessModes": ["ReadWriteOnce"],
                  "resources": {"requests": {"storage": "1Gi"}}}},
        {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "q"},
         "spec": {"hard": {"pods": "10"}}})
    kubectl.apply({"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass",
                   "metadata": {"name": "columns"}, "provisioner": "example/none"})
    wrong = []
    for kind, want in TABLES.items():
        got = columns(kubectl("get", kind))
        if got != want:
            wrong.append(f"{kind}: {got}, want {want}")
    assert not wrong, "\n".join(wrong)
