"""kubectl apply: new, changed, unchanged; it computes three-way patches from what it last applied."""

from harness import (config_map, deployment, expect_equal, expect_in, expect_match, pod,
                     widget, widget_definition)


def three_times(kubectl, first, second, what):
    """New, unchanged, changed."""
    expect_in(f"{what} created", kubectl.apply(first))
    expect_in(f"{what} unchanged", kubectl.apply(first))
    expect_in(f"{what} configured", kubectl.apply(second))
    expect_in(f"{what} unchanged", kubectl.apply(second))


def test_apply_config_map(kubectl):
    three_times(kubectl, config_map("settings", a="1", b="2"), config_map("settings", a="3"),
                "configmap/settings")
    expect_equal({"a": "3"}, kubectl.json("get", "configmap", "settings")["data"])


def test_apply_pod(kubectl):
    changed = pod("web")
    changed["spec"]["containers"][0]["image"] = "registry.example/app:2"
    three_times(kubectl, pod("web"), changed, "pod/web")


def test_apply_deployment(kubectl):
    first = deployment("site", replicas=0)
    first["spec"]["template"]["spec"]["containers"][0]["env"] = [
        {"name": "A", "value": "1"}, {"name": "B", "value": "2"}]
    second = deployment("site", replicas=0)
    second["spec"]["template"]["spec"]["containers"][0]["env"] = [{"name": "B", "value": "9"}]
    second["metadata"]["labels"] = {"new": "label"}
    three_times(kubectl, first, second, "deployment.apps/site")
    got = kubectl.json("get", "deployment", "site")
    expect_equal([{"name": "B", "value": "9"}],
                 got["spec"]["template"]["spec"]["containers"][0]["env"])
    expect_equal("label", got["metadata"]["labels"]["new"])


def test_apply_keeps_what_others_set(kubectl):
    kubectl.apply(deployment("site", replicas=0))
    kubectl("label", "deployment", "site", "by=hand")
    changed = deployment("site", replicas=0)
    changed["metadata"]["labels"] = {"by-apply": "yes"}
    kubectl.apply(changed)
    expect_equal({"by": "hand", "by-apply": "yes"},
                 kubectl.json("get", "deployment", "site")["metadata"]["labels"])


def test_apply_custom_kind(kubectl):
    kubectl.apply(widget_definition())
    kubectl("wait", "--for=condition=Established", "crd/widgets.test.basalt.example",
            "--timeout=30s")
    first = widget("one", parts=["a", "b"])
    kubectl.wait_for("widgets are served", lambda: "created" in kubectl.apply(first))
    expect_in("unchanged", kubectl.apply(first))
    expect_in("configured", kubectl.apply(widget("one", size=5, parts=["c"])))
    expect_equal({"size": 5, "parts": ["c"]}, kubectl.json("get", "widget", "one")["spec"])


def test_apply_of_several_objects_at_once(kubectl):
    said = kubectl.apply(config_map("a"), deployment("site", replicas=0), pod("web"))
    expect_equal(["configmap/a created", "deployment.apps/site created", "pod/web created"],
                 said.splitlines())


def test_apply_as_a_dry_run(kubectl):
    kubectl.apply(config_map("settings", a="1"))
    said = kubectl("apply", "--dry-run=server", "-f", "-", stdin=config_map("settings", a="2"))
    expect_in("configured (server dry run)", said)
    expect_equal("1", kubectl.path("{.data.a}", "get", "configmap", "settings"))


def test_apply_of_what_is_invalid_is_refused(kubectl):
    wrong = deployment("site")
    wrong["spec"]["template"]["metadata"]["labels"] = {"app": "other"}
    said = kubectl.refused("apply", "-f", "-", stdin=wrong)
    expect_match(r"`selector` does not match template `labels`", said)


def test_diff_shows_what_apply_would_change(kubectl):
    kubectl.apply(config_map("settings", a="1"))
    result = kubectl.attempt("diff", "-f", "-", stdin=config_map("settings", a="2"))
    expect_equal(1, result.returncode)
    expect_match(r'^\+ +a: "2"$', result.stdout)
