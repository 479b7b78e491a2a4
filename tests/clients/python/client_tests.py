"""The official Python client against the cluster of a kubeconfig: python3 client_tests.py KUBECONFIG."""

import os
import pathlib
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))
from kubernetes import client, config, dynamic, watch  # pylint: disable=wrong-import-position
from kubernetes.client.exceptions import ApiException  # pylint: disable=wrong-import-position
from support import report  # pylint: disable=wrong-import-position
from support.processes import wait_until  # pylint: disable=wrong-import-position

NAMESPACE = f"client-python-{os.getpid()}"
GROUP = "python.basalt.example"


def pod(name, **spec):
    return client.V1Pod(
        metadata=client.V1ObjectMeta(name=name, labels={"app": name}),
        spec=client.V1PodSpec(
            containers=[client.V1Container(name="main", image="registry.example/app:1")], **spec))


def create_pod(core, body):
    """Retries while a real cluster has not made the namespace's service account yet."""
    def attempt():
        try:
            return core.create_namespaced_pod(NAMESPACE, body)
        except ApiException as error:
            if error.status == 403:
                raise AssertionError(error.body) from error
            raise
    return wait_until("the pod is taken", 30, attempt)


def expect_error(status, reason, function, *args, **kwargs):
    try:
        function(*args, **kwargs)
    except ApiException as error:
        assert error.status == status, f"expected {status}, got {error.status}: {error.body}"
        assert f'"reason":"{reason}"' in error.body.replace('": "', '":"'), error.body
        return
    raise AssertionError(f"expected {status} {reason}, but it went through")


def test_version_and_discovery(api):
    version = client.VersionApi(api).get_code()
    assert (version.major, version.minor.rstrip("+")) == ("1", "36"), version
    groups = {g.name for g in client.ApisApi(api).get_api_versions().groups}
    assert {"apps", "batch", "policy"} <= groups, groups


def test_create_read_list_and_delete(api):
    core = client.CoreV1Api(api)
    made = create_pod(core, pod("crud"))
    assert made.status.phase == "Pending" and made.metadata.uid
    assert core.read_namespaced_pod("crud", NAMESPACE).metadata.uid == made.metadata.uid
    listed = core.list_namespaced_pod(NAMESPACE, label_selector="app=crud").items
    assert [p.metadata.name for p in listed] == ["crud"]
    core.delete_namespaced_pod("crud", NAMESPACE)
    expect_error(404, "NotFound", core.read_namespaced_pod, "crud", NAMESPACE)


def test_lists_come_in_pages(api):
    core = client.CoreV1Api(api)
    for number in range(5):
        core.create_namespaced_config_map(NAMESPACE, client.V1ConfigMap(
            metadata=client.V1ObjectMeta(name=f"page-{number}", labels={"page": "yes"})))
    names, token = [], None
    while True:
        page = core.list_namespaced_config_map(NAMESPACE, label_selector="page=yes", limit=2,
                                               _continue=token)
        assert len(page.items) <= 2
        names += [m.metadata.name for m in page.items]
        token = page.metadata._continue  # pylint: disable=protected-access
        if not token:
            break
    assert names == [f"page-{n}" for n in range(5)], names


def test_watch_follows_changes(api):
    core = client.CoreV1Api(api)
    since = core.list_namespaced_config_map(NAMESPACE).metadata.resource_version
    body = client.V1ConfigMap(metadata=client.V1ObjectMeta(name="watched"), data={"n": "1"})

    def change():
        core.create_namespaced_config_map(NAMESPACE, body)
        core.patch_namespaced_config_map("watched", NAMESPACE, {"data": {"n": "2"}})
        core.delete_namespaced_config_map("watched", NAMESPACE)
    changer = threading.Thread(target=change)
    changer.start()
    events = []
    for event in watch.Watch().stream(core.list_namespaced_config_map, NAMESPACE,
                                      resource_version=since, timeout_seconds=30):
        if event["object"].metadata.name == "watched":
            events.append((event["type"], event["object"].data["n"]))
        if event["type"] == "DELETED":
            break
    changer.join()
    assert events == [("ADDED", "1"), ("MODIFIED", "2"), ("DELETED", "2")], events


def test_patch_and_conflict(api):
    core = client.CoreV1Api(api)
    body = client.V1ConfigMap(metadata=client.V1ObjectMeta(name="shared"), data={"by": "nobody"})
    stale = core.create_namespaced_config_map(NAMESPACE, body)
    core.patch_namespaced_config_map("shared", NAMESPACE, [
        {"op": "replace", "path": "/data/by", "value": "first"}])  # a list is a JSON patch
    stale.data["by"] = "second"
    expect_error(409, "Conflict", core.replace_namespaced_config_map, "shared", NAMESPACE, stale)
    assert core.read_namespaced_config_map("shared", NAMESPACE).data == {"by": "first"}


def test_errors_are_typed(api):
    core = client.CoreV1Api(api)
    core.create_namespaced_config_map(NAMESPACE, client.V1ConfigMap(
        metadata=client.V1ObjectMeta(name="once")))
    expect_error(409, "AlreadyExists", core.create_namespaced_config_map, NAMESPACE,
                 client.V1ConfigMap(metadata=client.V1ObjectMeta(name="once")))
    expect_error(422, "Invalid", core.create_namespaced_config_map, NAMESPACE,
                 client.V1ConfigMap(metadata=client.V1ObjectMeta(name="Not_Valid")))


def test_bind_and_evict(api):
    core = client.CoreV1Api(api)
    create_pod(core, pod("placed", termination_grace_period_seconds=1))
    node = core.list_node().items[0].metadata.name
    core.create_namespaced_pod_binding(
        "placed", NAMESPACE, client.V1Binding(
            metadata=client.V1ObjectMeta(name="placed"),
            target=client.V1ObjectReference(api_version="v1", kind="Node", name=node)),
        _preload_content=False)
    assert core.read_namespaced_pod("placed", NAMESPACE).spec.node_name == node
    core.create_namespaced_pod_eviction("placed", NAMESPACE, client.V1Eviction(
        metadata=client.V1ObjectMeta(name="placed")))

    def leaving():
        try:
            return core.read_namespaced_pod("placed", NAMESPACE).metadata.deletion_timestamp
        except ApiException as error:
            return error.status == 404
    wait_until("the pod leaves", 30, leaving)


def test_deployments_scale(api):
    apps = client.AppsV1Api(api)
    labels = {"app": "site"}
    apps.create_namespaced_deployment(NAMESPACE, client.V1Deployment(
        metadata=client.V1ObjectMeta(name="site"),
        spec=client.V1DeploymentSpec(
            replicas=0, selector=client.V1LabelSelector(match_labels=labels),
            template=client.V1PodTemplateSpec(
                metadata=client.V1ObjectMeta(labels=labels), spec=pod("unused").spec))))
    scale = apps.patch_namespaced_deployment_scale("site", NAMESPACE, {"spec": {"replicas": 2}})
    assert scale.spec.replicas == 2
    assert apps.read_namespaced_deployment("site", NAMESPACE).spec.replicas == 2


def test_custom_kind(api):
    extensions = client.ApiextensionsV1Api(api)
    extensions.create_custom_resource_definition({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": f"levers.{GROUP}"},
        "spec": {"group": GROUP, "scope": "Namespaced",
                 "names": {"plural": "levers", "singular": "lever", "kind": "Lever"},
                 "versions": [{"name": "v1", "served": True, "storage": True, "schema": {
                     "openAPIV3Schema": {"type": "object", "properties": {"spec": {
                         "type": "object",
                         "properties": {"length": {"type": "integer", "minimum": 1}}}}}}}]}})
    try:
        custom = client.CustomObjectsApi(api)

        def lever(length):
            return {"apiVersion": f"{GROUP}/v1", "kind": "Lever", "metadata": {"name": "long"},
                    "spec": {"length": length}}

        def served():
            try:
                return custom.list_namespaced_custom_object(GROUP, "v1", NAMESPACE, "levers")
            except ApiException as error:
                raise AssertionError(error.body) from error
        wait_until("levers are served", 30, served)
        expect_error(422, "Invalid", custom.create_namespaced_custom_object, GROUP, "v1", NAMESPACE,
                     "levers", lever(0))
        custom.create_namespaced_custom_object(GROUP, "v1", NAMESPACE, "levers", lever(3))
        custom.patch_namespaced_custom_object(GROUP, "v1", NAMESPACE, "levers", "long",
                                              {"spec": {"length": 4}})
        found = custom.list_namespaced_custom_object(GROUP, "v1", NAMESPACE, "levers")["items"]
        assert [i["spec"]["length"] for i in found] == [4], found
        levers = dynamic.DynamicClient(api).resources.get(api_version=f"{GROUP}/v1", kind="Lever")
        assert levers.get(name="long", namespace=NAMESPACE).spec.length == 4
    finally:
        extensions.delete_custom_resource_definition(f"levers.{GROUP}")


def main():
    config.load_kube_config(sys.argv[1])
    totals = report.Report()
    with client.ApiClient() as api:
        core = client.CoreV1Api(api)
        core.create_namespace(client.V1Namespace(metadata=client.V1ObjectMeta(name=NAMESPACE)))
        for name, test in list(globals().items()):
            if name.startswith("test_"):
                totals.run(name.removeprefix("test_").replace("_", " "), test, api)
        core.delete_namespace(NAMESPACE)
    return totals.finish()


if __name__ == "__main__":
    sys.exit(main())
