"""kubectl create, run and replace."""

import json

from harness import (config_map, deployment, embedded_only, expect_equal, expect_in, expect_match, job,
                     pod)


def test_create_from_a_file(kubectl):
    expect_in("pod/web created", kubectl.create(pod("web")))
    expect_equal("registry.example/app:1",
                 kubectl.path("{.spec.containers[0].image}", "get", "pod", "web"))


def test_create_twice_is_refused(kubectl):
    kubectl.create(pod("web"))
    said = kubectl.refused("create", "-f", "-", stdin=pod("web"))
    expect_in('(AlreadyExists)', said)
    expect_in('pods "web" already exists', said)


def test_create_with_a_generated_name(kubectl):
    made = pod("unused")
    made["metadata"] = {"generateName": "batch-"}
    said = kubectl.create(made) + kubectl.create(made)
    names = [line.split()[0] for line in said.splitlines()]
    expect_equal(2, len(set(names)))
    expect_match(r"^pod/batch-[a-z0-9]{5}$", names[0])


def test_create_of_what_is_invalid_is_refused(kubectl):
    wrong = pod("web")
    wrong["spec"]["containers"][0]["resources"]["requests"]["cpu"] = "-1"
    expect_match(r"must be greater than or equal to 0",
                 kubectl.refused("create", "-f", "-", stdin=wrong))
    wrong = pod("Not_A_Name")
    expect_match(r"metadata\.name.*Invalid value", kubectl.refused("create", "-f", "-", stdin=wrong))
    wrong = pod("web")
    wrong["spec"]["containers"] = []
    expect_match(r"spec\.containers: Required value",
                 kubectl.refused("create", "-f", "-", stdin=wrong))


def test_create_with_an_unknown_field_is_refused(kubectl):
    wrong = pod("web")
    wrong["spec"]["contanerz"] = []
    expect_match(r'unknown field "spec\.contanerz"', kubectl.refused("create", "-f", "-", stdin=wrong))


def test_create_as_a_dry_run(kubectl):
    said = kubectl("create", "-f", "-", "--dry-run=server", "-o", "json", stdin=pod("ghost"))
    assert json.loads(said)["metadata"]["uid"], said
    expect_in("NotFound", kubectl.refused("get", "pod", "ghost"))


def test_create_in_a_missing_namespace_is_refused(kubectl):
    said = kubectl.refused("create", "configmap", "x", "--namespace=not-there")
    expect_in('namespaces "not-there" not found', said)


def test_create_by_generator(kubectl):
    """The objects that kubectl itself writes."""
    kubectl("create", "configmap", "settings", "--from-literal=a=1", "--from-literal=b=2")
    kubectl("create", "secret", "generic", "password", "--from-literal=p=hidden")
    kubectl("create", "deployment", "site", "--image=registry.example/site:1", "--replicas=0")
    kubectl("create", "job", "once", "--image=registry.example/once:1")
    kubectl("create", "quota", "limits", "--hard=pods=5")
    kubectl("create", "poddisruptionbudget", "keep", "--selector=app=site", "--min-available=1")
    expect_equal("2", kubectl.path("{.data.b}", "get", "configmap", "settings"))
    expect_equal("aGlkZGVu", kubectl.path("{.data.p}", "get", "secret", "password"))
    expect_equal("5", kubectl.path("{.spec.hard.pods}", "get", "quota", "limits"))
    expect_equal("RollingUpdate", kubectl.path("{.spec.strategy.type}", "get", "deploy", "site"))
    expect_equal("1", kubectl.path("{.spec.minAvailable}", "get", "pdb", "keep"))


def test_create_namespace_and_priority_class(kubectl):
    name = kubectl.ns
    kubectl("create", "priorityclass", name, "--value=1000", "--description=for a test")
    try:
        kubectl.create(pod("web", priorityClassName=name))
        expect_equal("1000", kubectl.path("{.spec.priority}", "get", "pod", "web"))
        expect_match(r'no PriorityClass with name nope was found',
                     kubectl.refused("create", "-f", "-", stdin=pod("x", priorityClassName="nope")))
    finally:
        kubectl("delete", "priorityclass", name)


def test_run_makes_a_pod(kubectl):
    expect_in("pod/solo created", kubectl("run", "solo", "--image=registry.example/solo:1",
                                          "--labels=a=b", "--", "sleep", "5"))
    expect_equal('["sleep","5"]', kubectl.path("{.spec.containers[0].args}", "get", "pod", "solo"))


def test_replace_puts_the_whole_object(kubectl):
    kubectl.create(config_map("settings", a="1", b="2"))
    kubectl("replace", "-f", "-", stdin=config_map("settings", a="9"))
    expect_equal({"a": "9"}, kubectl.json("get", "configmap", "settings")["data"])


def test_replace_with_an_old_version_conflicts(kubectl):
    kubectl.create(config_map("settings", a="1"))
    old = kubectl.json("get", "configmap", "settings")
    kubectl("label", "configmap", "settings", "x=y")
    old["data"]["a"] = "2"
    said = kubectl.refused("replace", "-f", "-", stdin=old)
    expect_match(r"the object has been modified", said)


def test_replace_of_what_is_immutable_is_refused(kubectl):
    kubectl.create(deployment("site", replicas=0), job("once"))
    changed = kubectl.json("get", "deployment", "site")
    del changed["metadata"]["resourceVersion"]  # its controller may write in between
    changed["spec"]["selector"]["matchLabels"]["app"] = "other"
    changed["spec"]["template"]["metadata"]["labels"]["app"] = "other"
    expect_match(r"field is immutable", kubectl.refused("replace", "-f", "-", stdin=changed))


@embedded_only  # elsewhere the certificate of the kubeconfig comes first
def test_create_token_says_who_it_is(kubectl):
    kubectl("create", "serviceaccount", "robot")
    token = kubectl("create", "token", "robot", "--duration=10m").strip()
    expect_equal(3, len(token.split(".")))
    said = kubectl("auth", "whoami", "-o", "jsonpath={.status.userInfo.username}", "--token", token)
    expect_equal(f"system:serviceaccount:{kubectl.ns}:robot", said)


def test_create_role_and_binding(kubectl):
    kubectl("create", "role", "reader", "--verb=get,list", "--resource=pods")
    kubectl("create", "rolebinding", "readers", "--role=reader", "--user=ann")
    expect_equal("rbac.authorization.k8s.io",
                 kubectl.path("{.subjects[0].apiGroup}", "get", "rolebinding", "readers"))
    expect_match(r"^readers +Role/reader ", kubectl("get", "rolebindings"))


def test_create_ingress(kubectl):
    kubectl("create", "ingress", "site", "--rule=site.example/*=web:80")
    expect_match(r"^site +<none> +site\.example +80 ", kubectl("get", "ingress"))


def test_create_an_autoscaler(kubectl):
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "site"}
    kubectl.create({"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler",
                    "metadata": {"name": "site"}, "spec": {"maxReplicas": 3, "scaleTargetRef": target}})
    expect_match(r"^site +Deployment/site +cpu: <unknown>/80% +1 +3 ", kubectl("get", "hpa"))


def test_a_service_gets_an_address_of_its_own(kubectl):
    for name in ("one", "two"):
        kubectl("create", "service", "clusterip", name, "--tcp=80")
    addresses = kubectl.path("{.items[*].spec.clusterIP}", "get", "services").split()
    expect_equal(2, len({a for a in addresses if a not in ("", "None")}))
