#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "apiserver/server_test_util.h"

// What the server tells of itself, as kubectl and client-go ask it.
namespace basalt::apiserver {
namespace {

namespace json = boost::json;

const std::string kAggregated =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";

const json::object* EntryNamed(const json::value& list, std::string_view field,
                               std::string_view name) {
  for (const json::value& item : list.as_array()) {
    if (Answer::TextAt(item, field) == name) return &item.as_object();
  }
  return nullptr;
}

TEST(DiscoveryTest, ListsTheResourcesOfAVersionWithTheirSubresources) {
  TestServer server;
  const Answer core = server.Get("/api/v1");
  ASSERT_EQ(core.status, 200);
  EXPECT_EQ(core.At("kind"), "APIResourceList");
  EXPECT_EQ(core.At("groupVersion"), "v1");
  const json::value& resources = core.json.at("resources");
  const json::object* pods = EntryNamed(resources, "name", "pods");
  ASSERT_NE(pods, nullptr);
  EXPECT_EQ(pods->at("shortNames"), json::array{"po"});
  EXPECT_EQ(pods->at("categories"), json::array{"all"});
  EXPECT_EQ(pods->at("namespaced"), true);
  EXPECT_EQ(EntryNamed(resources, "name", "pods/eviction")->at("group"), "policy");
  EXPECT_EQ(EntryNamed(resources, "name", "pods/log")->at("verbs"), json::array{"get"});
  EXPECT_EQ(EntryNamed(resources, "name", "nodes")->at("namespaced"), false);
  EXPECT_EQ(EntryNamed(resources, "name", "bindings")->at("verbs"), json::array{"create"});
  EXPECT_EQ(EntryNamed(resources, "name", "configmaps/status"), nullptr);
  const Answer apps = server.Get("/apis/apps/v1");
  EXPECT_EQ(EntryNamed(apps.json.at("resources"), "name", "deployments/scale")->at("kind"),
            "Scale");
}

TEST(DiscoveryTest, GroupsNameTheirVersionsThePreferredOneFirst) {
  TestServer server;
  EXPECT_EQ(server.Get("/api").At("versions.0"), "v1");
  const Answer groups = server.Get("/apis");
  ASSERT_EQ(groups.status, 200);
  const json::object* apps = EntryNamed(groups.json.at("groups"), "name", "apps");
  ASSERT_NE(apps, nullptr);
  EXPECT_EQ(apps->at("preferredVersion").at("groupVersion"), "apps/v1");
  EXPECT_EQ(server.Get("/apis/apps").At("preferredVersion.version"), "v1");
  EXPECT_NE(EntryNamed(groups.json.at("groups"), "name", "authorization.k8s.io"), nullptr);
}

TEST(DiscoveryTest, WhatIsNotThereIsNotFound) {
  TestServer server;
  for (const char* path : {"/apis/none", "/apis/none/v1", "/apis/apps/v9", "/api/v9", "/nowhere"}) {
    EXPECT_EQ(server.Get(path).status, 404) << path;
  }
}

TEST(DiscoveryTest, TheAggregatedFormSaysTheSameAsTheListsDo) {
  TestServer server;
  for (const char* root : {"/api", "/apis"}) {
    const Answer all = server.Get(root, kAggregated);
    ASSERT_EQ(all.status, 200);
    EXPECT_EQ(all.At("kind"), "APIGroupDiscoveryList");
    for (const json::value& group : all.json.at("items").as_array()) {
      const std::string name = Answer::TextAt(group, "metadata.name");
      for (const json::value& version : group.at("versions").as_array()) {
        const std::string text = Answer::TextAt(version, "version");
        const Answer list =
            server.Get(name.empty() ? "/api/" + text : "/apis/" + name + "/" + text);
        std::set<std::string> listed;
        for (const json::value& item : list.json.at("resources").as_array()) {
          listed.insert(Answer::TextAt(item, "name"));
        }
        std::set<std::string> aggregated;
        for (const json::value& item : version.at("resources").as_array()) {
          const std::string resource = Answer::TextAt(item, "resource");
          aggregated.insert(resource);
          const json::value* parts = item.as_object().if_contains("subresources");
          if (parts == nullptr) continue;
          for (const json::value& part : parts->as_array()) {
            aggregated.insert(resource + "/" + Answer::TextAt(part, "subresource"));
          }
        }
        EXPECT_EQ(aggregated, listed) << name << "/" << text;
      }
    }
  }
}

TEST(DiscoveryTest, ACustomKindIsToldOfWhileItsDefinitionIsThere) {
  TestServer server;
  ASSERT_EQ(server.Get("/apis/a.b/v1").status, 404);
  ASSERT_EQ(server
                .Post(kDefinitions, R"({"metadata":{"name":"things.a.b"},"spec":{"group":"a.b",
      "scope":"Cluster","names":{"plural":"things","kind":"Thing","shortNames":["th"]},
      "versions":[{"name":"v1beta1","served":true,"storage":false,
        "schema":{"openAPIV3Schema":{"type":"object"}}},
      {"name":"v1","served":true,"storage":true,"subresources":{"status":{}},
        "schema":{"openAPIV3Schema":{"type":"object"}}}]}})")
                .status,
            201);
  EXPECT_EQ(server.Get("/apis/a.b").At("preferredVersion.version"), "v1");
  const Answer list = server.Get("/apis/a.b/v1");
  EXPECT_EQ(list.At("resources.0.name"), "things");
  EXPECT_EQ(list.At("resources.0.shortNames.0"), "th");
  EXPECT_EQ(list.At("resources.1.name"), "things/status");
  EXPECT_EQ(server.Get("/apis/a.b/v1beta1").json.at("resources").as_array().size(), 1u);
  ASSERT_EQ(server.Delete(kDefinitions + "/things.a.b").status, 200);
  server.loop().RunFor(1s);
  EXPECT_EQ(server.Get("/apis/a.b/v1").status, 404);
}

TEST(DiscoveryTest, TellsItsVersionAndThatItIsWell) {
  TestServer server;
  EXPECT_EQ(server.Get("/version").At("major"), "1");
  for (const char* path : {"/healthz", "/livez", "/readyz", "/readyz/ping"}) {
    const Answer answer = server.Get(path);
    EXPECT_EQ(answer.status, 200) << path;
    EXPECT_EQ(answer.body, "ok") << path;
  }
}

}  // namespace
}  // namespace basalt::apiserver
