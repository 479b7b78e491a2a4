"""Changing what is there: label, annotate, patch, edit, set."""

import json

from harness import config_map, deployment, expect_equal, expect_in, expect_match, pod


def test_label(kubectl):
    kubectl.create(pod("web"))
    kubectl("label", "pod", "web", "tier=front")
    expect_equal("front", kubectl.path("{.metadata.labels.tier}", "get", "pod", "web"))
    expect_match(r"already has a value",
                 kubectl.refused("label", "pod", "web", "tier=back"))
    kubectl("label", "pod", "web", "tier=back", "--overwrite")
    expect_equal("back", kubectl.path("{.metadata.labels.tier}", "get", "pod", "web"))
    kubectl("label", "pod", "web", "tier-")
    expect_equal({"app": "web"}, kubectl.json("get", "pod", "web")["metadata"]["labels"])


def test_label_all_and_by_selector(kubectl):
    kubectl.create(pod("a"), pod("b"))
    kubectl("label", "pods", "--all", "batch=1")
    kubectl("label", "pods", "-l", "app=b", "batch=2", "--overwrite")
    expect_equal("1 2", kubectl.path("{.items[*].metadata.labels.batch}", "get", "pods"))


def test_label_with_a_bad_value_is_refused(kubectl):
    kubectl.create(pod("web"))
    expect_match(r"invalid label value|Invalid value", kubectl.refused("label", "pod", "web", "a=b/c"))


def test_annotate(kubectl):
    kubectl.create(pod("web"))
    kubectl("annotate", "pod", "web", "note=a longer text, with signs: {}")
    expect_equal("a longer text, with signs: {}",
                 kubectl.path("{.metadata.annotations.note}", "get", "pod", "web"))
    kubectl("annotate", "pod", "web", "note-")
    assert "note" not in kubectl.json("get", "pod", "web")["metadata"].get("annotations", {})


def test_patch_strategic_merge(kubectl):
    kubectl.create(deployment("site", replicas=0))
    patch = {"spec": {"template": {"spec": {"containers": [
        {"name": "side", "image": "registry.example/side:1"}]}}}}
    kubectl("patch", "deployment", "site", "-p", json.dumps(patch))
    names = kubectl.path("{.spec.template.spec.containers[*].name}", "get", "deployment", "site")
    expect_equal({"main", "side"}, set(names.split()))


def test_patch_merge_and_json(kubectl):
    kubectl.create(config_map("settings", a="1", b="2"))
    kubectl("patch", "configmap", "settings", "--type=merge", "-p", '{"data":{"a":null,"c":"3"}}')
    kubectl("patch", "configmap", "settings", "--type=json", "-p",
            '[{"op":"test","path":"/data/b","value":"2"},'
            '{"op":"replace","path":"/data/b","value":"9"}]')
    expect_equal({"b": "9", "c": "3"}, kubectl.json("get", "configmap", "settings")["data"])
    said = kubectl.refused("patch", "configmap", "settings", "--type=json", "-p",
                           '[{"op":"test","path":"/data/b","value":"2"}]')
    expect_match(r"(?i)test failed|testing value|request is invalid", said)


def test_patch_without_effect(kubectl):
    kubectl.create(config_map("settings", a="1"))
    expect_in("patched (no change)",
              kubectl("patch", "configmap", "settings", "--type=merge", "-p", '{"data":{"a":"1"}}'))


def test_patch_status_leaves_the_spec(kubectl):
    kubectl.create(pod("web"))
    kubectl("patch", "pod", "web", "--subresource=status", "--type=merge", "-p",
            '{"status":{"nominatedNodeName":"n1"},"spec":{"schedulerName":"other"}}')
    got = kubectl.json("get", "pod", "web")
    expect_equal("n1", got["status"].get("nominatedNodeName"))
    expect_equal("default-scheduler", got["spec"]["schedulerName"])


def test_patch_of_an_immutable_field_is_refused(kubectl):
    kubectl.create(pod("web"))
    expect_match(r"pod updates may not change fields other than|Forbidden",
                 kubectl.refused("patch", "pod", "web", "-p", '{"spec":{"hostname":"x"}}'))


def test_edit_with_a_script(kubectl):
    kubectl.create(config_map("settings", a="before"))
    kubectl("edit", "configmap", "settings", env={"KUBE_EDITOR": "sed -i s/before/after/"})
    expect_equal("after", kubectl.path("{.data.a}", "get", "configmap", "settings"))
    said = kubectl.attempt("edit", "configmap", "settings", env={"KUBE_EDITOR": "true"})
    expect_in("no changes made", said.stdout + said.stderr)


def test_set_image_and_resources(kubectl):
    kubectl.create(deployment("site", replicas=0))
    kubectl("set", "image", "deployment/site", "main=registry.example/app:2")
    kubectl("set", "resources", "deployment/site", "-c=main", "--requests=cpu=250m")
    kubectl("set", "env", "deployment/site", "MODE=fast")
    main = kubectl.json("get", "deployment", "site")["spec"]["template"]["spec"]["containers"][0]
    expect_equal("registry.example/app:2", main["image"])
    expect_equal("250m", main["resources"]["requests"]["cpu"])
    expect_equal([{"name": "MODE", "value": "fast"}], main["env"])
