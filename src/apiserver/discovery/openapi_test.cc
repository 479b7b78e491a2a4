#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "apiserver/server_test_util.h"

namespace basalt::apiserver {
namespace {

using testing::HasSubstr;
namespace json = boost::json;

const std::string kSchemas = "/components/schemas/";

TEST(OpenApiTest, DescribesFieldsTheirTypesAndHowListsAreMerged) {
  TestServer server;
  const Answer document = server.Get("/openapi/v3/api/v1");
  ASSERT_EQ(document.status, 200);
  const json::value& ports =
      document.json.at_pointer(kSchemas + "io.k8s.api.core.v1.Container/properties/ports");
  EXPECT_EQ(ports, json::parse(R"({
    "type": "array", "items": {"$ref": "#/components/schemas/io.k8s.api.core.v1.ContainerPort"},
    "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["containerPort", "protocol"],
    "x-kubernetes-patch-merge-key": "containerPort", "x-kubernetes-patch-strategy": "merge"})"));
  EXPECT_EQ(document.json.at_pointer(kSchemas + "io.k8s.api.core.v1.Container/required"),
            json::parse(R"(["name"])"));
  EXPECT_EQ(
      document.json.at_pointer(kSchemas + "io.k8s.api.core.v1.Pod/x-kubernetes-group-version-kind"),
      json::parse(R"([{"group": "", "kind": "Pod", "version": "v1"}])"));
}

// Every reference leads somewhere, in every document.
void FindReferences(const json::value& value, const json::value& document, int& found) {
  if (value.is_array()) {
    for (const json::value& item : value.get_array()) FindReferences(item, document, found);
  } else if (value.is_object()) {
    for (const auto& [key, child] : value.get_object()) {
      if (key == "$ref" && child.is_string()) {
        ++found;
        const std::string name(std::string_view(child.get_string()).substr(21));
        EXPECT_NE(document.at_pointer("/components/schemas").as_object().if_contains(name), nullptr)
            << name;
      } else {
        FindReferences(child, document, found);
      }
    }
  }
}

TEST(OpenApiTest, RefersToNothingThatIsMissing) {
  TestServer server;
  const Answer root = server.Get("/openapi/v3");
  ASSERT_EQ(root.status, 200);
  int found = 0;
  for (const auto& [version, entry] : root.json.at("paths").as_object()) {
    const Answer document = server.Get(std::string(entry.at("serverRelativeURL").as_string()));
    ASSERT_EQ(document.status, 200) << std::string_view(version);
    FindReferences(document.json, document.json, found);
  }
  EXPECT_GT(found, 1000);
}

TEST(OpenApiTest, ACustomKindComesAndGoesAndChangesTheHash) {
  TestServer server;
  ASSERT_EQ(server.Get("/openapi/v3/apis/a.b/v1").status, 404);
  ASSERT_EQ(server
                .Post(kDefinitions, R"({"metadata":{"name":"things.a.b"},"spec":{"group":"a.b",
    "scope":"Namespaced","names":{"plural":"things","kind":"Thing"},"versions":[{"name":"v1",
    "served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{
    "spec":{"type":"object","properties":{"x":{"type":"integer"}}}}}}}]}})")
                .status,
            201);
  const Answer root = server.Get("/openapi/v3");
  const std::string url(
      root.json.at("paths").at("apis/a.b/v1").at("serverRelativeURL").as_string());
  const Answer document = server.Get("/openapi/v3/apis/a.b/v1");
  EXPECT_EQ(document.json.at_pointer(kSchemas + "b.a.v1.Thing/properties/spec/properties/x/type"),
            "integer");
  net::Headers known{{"If-None-Match", *net::FindHeader(document.headers, "Etag")}};
  EXPECT_EQ(server.Send("GET", url, "", "", known).status, 304);
  ASSERT_EQ(server.Delete(kDefinitions + "/things.a.b").status, 200);
  EXPECT_EQ(server.Get("/openapi/v3/apis/a.b/v1").status, 404);
}

}  // namespace
}  // namespace basalt::apiserver
