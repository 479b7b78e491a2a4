#include "cli/kubeconfig_entries.h"

#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>

#include "cli/yaml_text.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;

constexpr std::string_view kOthers = R"(apiVersion: v1
kind: Config
current-context: production
clusters:
- name: production
  cluster: {server: "https://prod.example", insecure-skip-tls-verify: true}
users:
- name: admin
  user: {exec: {command: login, args: ["01", "no"], env: null}}
contexts:
- name: production
  context: {cluster: production, user: admin, namespace: "123"}
preferences: {colors: true}
)";

const auto kNobodyAnswers = [](const std::string&) { return false; };
const auto kAllAnswer = [](const std::string&) { return true; };

UpCluster At(std::string server) {
  return {.server = std::move(server), .ca_pem = "ca", .token = "t"};
}

json::object Parsed(std::string_view text) {
  auto config = ParseKubeconfig(text);
  EXPECT_TRUE(config) << config.error().message;
  return config.value_or(json::object());
}

TEST(KubeconfigEntriesTest, OthersAreTheSameBeforeAndAfter) {
  const json::object before = Parsed(kOthers);
  json::object config = before;
  EXPECT_EQ(FreeName(config, kAllAnswer), "basalt");
  const std::string current = AddCluster(config, "basalt", At("https://127.0.0.1:1"));
  EXPECT_EQ(current, "production");
  EXPECT_EQ(config.at("current-context"), "basalt");
  EXPECT_EQ(config.at("clusters").as_array().size(), 2u);
  config = Parsed(YamlText(config));  // as the file has it
  EXPECT_TRUE(RemoveCluster(config, "basalt", "https://127.0.0.1:1", current));
  EXPECT_EQ(json::serialize(config), json::serialize(before));
}

TEST(KubeconfigEntriesTest, TwoThatRunHaveTwoNamesAndTheNameOfOneThatIsGoneIsTaken) {
  json::object config = Parsed("");
  AddCluster(config, FreeName(config, kAllAnswer), At("https://127.0.0.1:1"));
  EXPECT_EQ(FreeName(config, kNobodyAnswers), "basalt");
  EXPECT_EQ(FreeName(config, kAllAnswer), "basalt-2");
  const std::string current = AddCluster(config, "basalt-2", At("https://127.0.0.1:2"));
  EXPECT_EQ(current, "basalt");
  // The first ends first: the second stays the current one.
  json::object first_gone = config;
  EXPECT_TRUE(RemoveCluster(first_gone, "basalt", "https://127.0.0.1:1", ""));
  EXPECT_EQ(first_gone.at("current-context"), "basalt-2");
  EXPECT_TRUE(RemoveCluster(first_gone, "basalt-2", "https://127.0.0.1:2", current));
  EXPECT_EQ(first_gone.at("current-context"), "") << "what was current before is gone";
  EXPECT_TRUE(HasNoEntries(first_gone));
  // The second ends first.
  EXPECT_TRUE(RemoveCluster(config, "basalt-2", "https://127.0.0.1:2", current));
  EXPECT_EQ(config.at("current-context"), "basalt");
}

// An `up` that was killed has left its entries, and its context is the current one.
TEST(KubeconfigEntriesTest, TheContextFromBeforeOneThatWasKilledComesBackAfterTheNext) {
  const json::object before = Parsed(kOthers);
  json::object config = before;
  AddCluster(config, "basalt", At("https://127.0.0.1:1"));
  for (const char* server : {"https://127.0.0.1:2", "https://127.0.0.1:3"}) {  // killed, too
    config = Parsed(YamlText(config));
    EXPECT_EQ(FreeName(config, kNobodyAnswers), "basalt");
    EXPECT_EQ(AddCluster(config, "basalt", At(server)), "production");
  }
  EXPECT_TRUE(RemoveCluster(config, "basalt", "https://127.0.0.1:3", "production"));
  EXPECT_EQ(json::serialize(config), json::serialize(before));
}

TEST(KubeconfigEntriesTest, AContextThatWasChosenSinceCountsMoreThanTheOneBefore) {
  json::object config = Parsed(kOthers);
  AddCluster(config, "basalt", At("https://127.0.0.1:1"));
  config["current-context"] = "another";
  EXPECT_EQ(AddCluster(config, "basalt", At("https://127.0.0.1:2")), "another");
}

// As an older Basalt has left it.
TEST(KubeconfigEntriesTest, WithoutAContextBeforeThereIsNoneAfterwards) {
  json::object config = Parsed(R"(current-context: basalt
clusters:
- name: basalt
  cluster: {server: "https://127.0.0.1:1", extensions: [{name: basalt.sh/up, extension: {}}]}
)");
  EXPECT_EQ(AddCluster(config, "basalt", At("https://127.0.0.1:2")), "");
}

TEST(KubeconfigEntriesTest, ANameThatSomebodyElseHasIsNeverTaken) {
  for (const char* theirs : {"clusters: [{name: basalt, cluster: {server: 'https://127.0.0.1:1'}}]",
                             "users: [{name: basalt, user: {}}]",
                             "contexts: [{name: basalt, context: {cluster: x, user: y}}]"}) {
    EXPECT_EQ(FreeName(Parsed(theirs), kNobodyAnswers), "basalt-2") << theirs;
  }
}

TEST(KubeconfigEntriesTest, WhatAnotherUpHasPutInItsPlaceStays) {
  json::object config = Parsed("");
  AddCluster(config, "basalt", At("https://127.0.0.1:1"));
  AddCluster(config, "basalt", At("https://127.0.0.1:2"));
  EXPECT_FALSE(RemoveCluster(config, "basalt", "https://127.0.0.1:1", ""));
  EXPECT_FALSE(HasNoEntries(config));
  EXPECT_EQ(config.at("clusters").as_array().size(), 1u);
}

TEST(KubeconfigEntriesTest, WhatIsNoKubeconfigIsRefused) {
  for (const char* text : {"a: [", "- x\n", "kind: Pod\n", "clusters: 3\n", "a: 1\n---\nb: 2\n"}) {
    EXPECT_FALSE(ParseKubeconfig(text)) << text;
  }
  EXPECT_TRUE(ParseKubeconfig(""));
  EXPECT_TRUE(ParseKubeconfig("clusters: null\n"));
}

}  // namespace
}  // namespace basalt::cli
