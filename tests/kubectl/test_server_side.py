"""What kubectl does by the server's schemas: explain, diff, and apply --server-side."""

import subprocess

from harness import (config_map, deployment, expect_equal, expect_in, expect_match, widget,
                     widget_definition)


def apply_there(kubectl, thing, *flags):
    return kubectl("apply", "--server-side", "-f", "-", *flags, stdin=thing)


def managers(kubectl, *what):
    got = kubectl.json("get", *what, "--show-managed-fields")
    return [(e["manager"], e["operation"]) for e in got["metadata"].get("managedFields", [])]


def test_explain_a_field_of_a_built_in_kind(kubectl):
    said = kubectl("explain", "pod.spec.containers.resources.limits")
    expect_match(r"^FIELD: limits <map\[string\]Quantity>", said)


def test_explain_recursively(kubectl):
    said = kubectl("explain", "deployment.spec.strategy", "--recursive")
    expect_match(r"^  rollingUpdate\t<RollingUpdateDeployment>\n    maxSurge\t<IntOrString>", said)


def test_explain_marks_what_is_required(kubectl):
    expect_match(r"^  selector\t<LabelSelector> -required-", kubectl("explain", "deployment.spec"))


def test_explain_a_field_that_is_not_there(kubectl):
    expect_in('field "nothing" does not exist', kubectl.refused("explain", "pod.spec.nothing"))


def test_explain_a_custom_kind(kubectl):
    kubectl.apply(widget_definition())
    kubectl("wait", "--for=condition=Established", "crd/widgets.test.basalt.example", "--timeout=30s")
    kubectl.wait_for("its schema is published", lambda: kubectl.attempt(
        "explain", "widget.spec").returncode == 0)
    expect_match(r"^  size\t<integer>", kubectl("explain", "widget.spec"))


def test_server_side_apply_creates_changes_and_says_who(kubectl):
    expect_in("serverside-applied", apply_there(kubectl, config_map("settings", a="1", b="2")))
    apply_there(kubectl, config_map("settings", a="3"))
    expect_equal({"a": "3"}, kubectl.json("get", "configmap", "settings")["data"])
    expect_equal([("kubectl", "Apply")], managers(kubectl, "configmap", "settings"))


def test_server_side_apply_names_the_conflict_and_force_ends_it(kubectl):
    apply_there(kubectl, config_map("settings", a="1"), "--field-manager=first")
    said = kubectl.refused("apply", "--server-side", "-f", "-", "--field-manager=second",
                           stdin=config_map("settings", a="2"))
    expect_in('conflict with "first": .data.a', said)
    apply_there(kubectl, config_map("settings", a="2"), "--field-manager=second", "--force-conflicts")
    expect_equal("2", kubectl.path("{.data.a}", "get", "configmap", "settings"))


def test_server_side_apply_leaves_replicas_to_a_scaler(kubectl):
    thing = deployment("site", replicas=0)
    del thing["spec"]["replicas"]
    apply_there(kubectl, thing)
    kubectl("scale", "deployment", "site", "--replicas=0")
    apply_there(kubectl, thing)
    expect_equal("0", kubectl.path("{.spec.replicas}", "get", "deployment", "site"))


def test_server_side_apply_after_client_side_apply(kubectl):
    kubectl.apply(deployment("site", replicas=0))
    changed = deployment("site", replicas=0)
    changed["spec"]["template"]["spec"]["containers"][0]["image"] = "registry.example/app:2"
    expect_in("serverside-applied", apply_there(kubectl, changed))
    expect_in("serverside-applied", apply_there(kubectl, changed))


def test_server_side_apply_of_a_custom_kind(kubectl):
    kubectl.apply(widget_definition())
    kubectl("wait", "--for=condition=Established", "crd/widgets.test.basalt.example", "--timeout=30s")
    kubectl.wait_for("widgets are served", lambda: kubectl.attempt("get", "widgets").returncode == 0)
    apply_there(kubectl, widget("one", size=5, parts=["a"]))
    apply_there(kubectl, widget("one", size=6))
    expect_equal({"size": 6}, kubectl.json("get", "widget", "one")["spec"])


def test_server_side_apply_names_a_field_that_is_not_there(kubectl):
    thing = {**config_map("settings"), "dada": {}}
    expect_in(".dada: field not declared in schema",
              kubectl.refused("apply", "--server-side", "-f", "-", stdin=thing))


def test_server_side_apply_as_a_dry_run(kubectl):
    said = apply_there(kubectl, config_map("settings"), "--dry-run=server")
    expect_in("serverside-applied (server dry run)", said)
    kubectl.refused("get", "configmap", "settings")


def diff(kubectl, thing, *flags):
    result = kubectl.attempt("diff", "-f", "-", *flags, stdin=thing)
    if result.returncode > 1:
        raise AssertionError(f"kubectl diff: {result.stderr}")
    return result.stdout


def test_diff_shows_what_apply_would_change(kubectl):
    if subprocess.run(["which", "diff"], capture_output=True, check=False).returncode != 0:
        return
    kubectl.apply(config_map("settings", a="1"))
    expect_equal("", diff(kubectl, config_map("settings", a="1")))
    said = diff(kubectl, config_map("settings", a="2"))
    expect_match(r'^-  a: "1"$', said)
    expect_match(r'^\+  a: "2"$', said)
    expect_match(r'^\+  a: "2"$', diff(kubectl, config_map("settings", a="2"), "--server-side",
                                       "--force-conflicts"))
