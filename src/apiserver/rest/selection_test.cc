#include <gtest/gtest.h>

#include <algorithm>

#include "apiserver/server_test_util.h"

namespace basalt::apiserver {
namespace {

struct SelectorRow {
  const char* query;
  const char* names;
};

TEST(SelectionTest, ListsWhatTheSelectorsNarrowItTo) {
  TestServer server;
  const std::pair<const char*, const char*> maps[] = {{"a", R"({"app":"web","tier":"1"})"},
                                                      {"b", R"({"app":"web","tier":"2"})"},
                                                      {"c", R"({"app":"db","tier":"10"})"},
                                                      {"d", "{}"}};
  for (const auto& [name, labels] : maps) {
    ASSERT_EQ(server
                  .Post(kMaps, R"({"metadata":{"name":")" + std::string(name) + R"(","labels":)" +
                                   labels + "}}")
                  .status,
              201);
  }
  const SelectorRow rows[] = {
      {"", "a b c d"},
      {"labelSelector=app", "a b c"},
      {"labelSelector=!app", "d"},
      {"labelSelector=app=web", "a b"},
      {"labelSelector=app==web,tier=2", "b"},
      {"labelSelector=app!=web", "c d"},
      {"labelSelector=app%20in%20(web,db)", "a b c"},
      {"labelSelector=app%20notin%20(web)", "c d"},
      {"labelSelector=tier%3E1", "b c"},
      {"labelSelector=tier%3C2", "a"},
      {"fieldSelector=metadata.name=b", "b"},
      {"fieldSelector=metadata.name!=b", "a c d"},
      {"fieldSelector=metadata.namespace=default", "a b c d"},
      {"fieldSelector=metadata.namespace=other", ""},
      {"labelSelector=app=web&fieldSelector=metadata.name=a", "a"},
  };
  for (const SelectorRow& row : rows) {
    const Answer list = server.Get(kMaps + "?" + row.query);
    ASSERT_EQ(list.status, 200) << row.query << list.body;
    std::string names;
    for (const boost::json::value& item : list.json.at("items").as_array()) {
      const std::string name = Answer::TextAt(item, "metadata.name");
      if (!name.starts_with("kube-")) names += (names.empty() ? "" : " ") + name;
    }
    EXPECT_EQ(names, row.names) << row.query;
  }
}

TEST(SelectionTest, OneNamespaceIsNotTheOther) {
  TestServer server;
  ASSERT_EQ(server.Post("/api/v1/namespaces", R"({"metadata":{"name":"default-2"}})").status, 201);
  ASSERT_EQ(server.Post(kMaps, R"({"metadata":{"name":"a"}})").status, 201);
  ASSERT_EQ(
      server.Post("/api/v1/namespaces/default-2/configmaps", R"({"metadata":{"name":"b"}})").status,
      201);
  EXPECT_EQ(server.Get(kMaps).json.at("items").as_array().size(), 1u);
  EXPECT_EQ(server.Get("/api/v1/configmaps").json.at("items").as_array().size(), 2u);
}

TEST(SelectionTest, WhatCannotBeReadIsRefused) {
  TestServer server;
  for (const char* query : {"labelSelector=a%20b", "labelSelector=,", "labelSelector=a%20in%20()b",
                            "fieldSelector=data=x", "fieldSelector=metadata.name"}) {
    EXPECT_EQ(server.Get(kMaps + "?" + query).status, 400) << query;
  }
}

}  // namespace
}  // namespace basalt::apiserver
