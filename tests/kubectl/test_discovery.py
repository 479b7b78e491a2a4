"""What kubectl asks a cluster about itself."""

import json

from harness import embedded_only, expect_equal, expect_in, expect_match


def test_version_names_the_server(kubectl):
    version = json.loads(kubectl("version", "-o", "json"))
    expect_equal("1", version["serverVersion"]["major"])
    expect_equal("36", version["serverVersion"]["minor"].rstrip("+"))


def test_cluster_info_shows_the_address(kubectl):
    expect_match(r"control plane.* is running at .*https://127\.0\.0\.1:\d+", kubectl("cluster-info"))


def test_api_resources_lists_kinds_and_short_names(kubectl):
    listed = kubectl("api-resources")
    for pattern in (r"^pods +po +v1 +true +Pod$", r"^nodes +no +v1 +false +Node$",
                    r"^deployments +deploy +apps/v1 +true +Deployment$",
                    r"^jobs +batch/v1 +true +Job$",
                    r"^poddisruptionbudgets +pdb +policy/v1 +true +PodDisruptionBudget$",
                    r"^priorityclasses +pc +scheduling\.k8s\.io/v1 +false +PriorityClass$",
                    r"^leases +coordination\.k8s\.io/v1 +true +Lease$"):
        expect_match(pattern, listed)


def test_api_resources_of_one_group_with_verbs(kubectl):
    listed = kubectl("api-resources", "--api-group=apps", "-o", "wide")
    expect_match(r"^deployments .*create,delete,deletecollection,get,list,patch,update,watch", listed)
    assert "pods " not in listed, listed


def test_api_resources_that_are_cluster_scoped(kubectl):
    names = kubectl("api-resources", "--namespaced=false", "-o", "name").split()
    expect_in("nodes", names)
    assert "pods" not in names, names


def test_api_versions_lists_groups(kubectl):
    listed = kubectl("api-versions").split()
    for version in ("v1", "apps/v1", "batch/v1", "policy/v1", "coordination.k8s.io/v1"):
        expect_in(version, listed)


def test_auth_can_i_says_yes(kubectl):
    expect_equal("yes", kubectl("auth", "can-i", "create", "pods").strip())


def test_raw_paths_answer(kubectl):
    expect_equal("ok", kubectl("get", "--raw", "/healthz").strip())
    expect_equal("ok", kubectl("get", "--raw", "/readyz").strip())
    expect_equal("36", json.loads(kubectl("get", "--raw", "/version"))["minor"].rstrip("+"))


def test_an_unknown_kind_is_named(kubectl):
    expect_in('doesn\'t have a resource type "gadgets"', kubectl.refused("get", "gadgets"))


@embedded_only
def test_a_wrong_token_is_refused(kubectl):
    said = kubectl.refused("get", "pods", "--token=wrong")
    expect_match(r"Unauthorized|must be logged in", said)
