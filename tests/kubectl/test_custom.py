"""A kind of our own, through a CRD."""

import json

from harness import columns, expect_equal, expect_in, expect_match, rows, widget, widget_definition


def define(kubectl):
    kubectl.apply(widget_definition())
    kubectl("wait", "--for=condition=Established", "crd/widgets.test.basalt.example",
            "--timeout=30s")
    kubectl.wait_for("widgets are served",
                     lambda: kubectl.attempt("get", "widgets").returncode == 0)


def test_custom_kind_has_its_columns_and_short_name(kubectl):
    define(kubectl)
    kubectl.create(widget("one", size=4, colour="red"))
    table = kubectl("get", "wd")
    expect_equal(["NAME", "SIZE", "COLOUR", "AGE"], columns(table))
    expect_equal(["one", "4", "red"], rows(table)[0][:3])
    expect_match(r"^widgets +wd +test\.basalt\.example/v1 +true +Widget$", kubectl("api-resources"))


def test_custom_kind_is_validated(kubectl):
    define(kubectl)
    for wrong, said in ((widget("w", size=11), "should be less than or equal to 10"),
                        (widget("w", colour="green"), 'supported values: "red", "blue"'),
                        (widget("w", size="big"), "must be of type integer")):
        expect_in(said, kubectl.refused("create", "-f", "-", "--validate=false",
                                        stdin=wrong).replace("Unsupported", "unsupported"))
    missing = widget("w")
    del missing["spec"]["size"]
    expect_in("spec.size: Required value",
              kubectl.refused("create", "-f", "-", "--validate=false", stdin=missing))


def test_custom_kind_scales_and_patches(kubectl):
    define(kubectl)
    kubectl.create(widget("one"))
    kubectl("scale", "widget", "one", "--replicas=5")
    expect_equal("5", kubectl.path("{.spec.size}", "get", "widget", "one"))
    kubectl("patch", "widget", "one", "--type=merge", "-p", '{"spec":{"colour":"blue"}}')
    kubectl("patch", "widget", "one", "--subresource=status", "--type=merge", "-p",
            '{"status":{"phase":"Done"}}')
    got = kubectl.json("get", "widget", "one")
    expect_equal({"size": 5, "colour": "blue"}, got["spec"])
    expect_equal("Done", got["status"]["phase"])
    expect_match(r"UnsupportedMediaType|media type|not supported", kubectl.refused(
        "patch", "widget", "one", "--type=strategic", "-p", '{"spec":{"size":1}}'))


def test_custom_kind_is_labelled_deleted_and_watched(kubectl):
    define(kubectl)
    kubectl.create(widget("one"), widget("two"))
    kubectl("label", "widget", "one", "a=b")
    expect_equal("widget.test.basalt.example/one",
                 kubectl("get", "widgets", "-l", "a=b", "-o", "name").strip())
    kubectl("delete", "widgets", "--all")
    expect_equal([], json.loads(kubectl("get", "widgets", "-o", "json"))["items"])


def test_custom_kind_goes_with_its_definition(kubectl):
    other = json.loads(json.dumps(widget_definition()).replace("widget", "gizmo").replace(
        "Widget", "Gizmo").replace('"wd"', '"gz"'))
    kubectl.apply(other)
    kubectl("wait", "--for=condition=Established", "crd/gizmos.test.basalt.example",
            "--timeout=30s")
    kubectl.wait_for("gizmos are served",
                     lambda: kubectl.attempt("get", "gizmos").returncode == 0)
    kubectl("delete", "crd", "gizmos.test.basalt.example")
    kubectl.wait_for("gizmos are gone", lambda: kubectl.attempt("get", "gizmos").returncode != 0)
