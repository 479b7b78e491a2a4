#include <gtest/gtest.h>

#include "apiserver/server_test_util.h"

namespace basalt::apiserver {
namespace {

const std::string kPods = "/api/v1/namespaces/default/pods";
const std::string kBudgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
const std::string kDeployments = "/apis/apps/v1/namespaces/default/deployments";
const std::string kMergeType = "application/merge-patch+json";

std::string PodText(const std::string& name, const std::string& more = "") {
  return R"({"metadata":{"name":")" + name +
         R"(","labels":{"app":"a"}},"spec":{"containers":[{"name":"c","image":"x"}])" + more + "}}";
}

std::string BindingText(const std::string& pod, const std::string& node,
                        const std::string& metadata = "") {
  return R"({"metadata":{"name":")" + pod + "\"" + metadata +
         R"(},"target":{"kind":"Node","name":")" + node + "\"}}";
}

class SubresourceTest : public testing::Test {
 protected:
  void MakePod(const std::string& name, const std::string& more = "") {
    ASSERT_EQ(server_.Post(kPods, PodText(name, more)).status, 201);
  }
  // Runs, and is ready or not.
  void Start(const std::string& name, bool ready) {
    const std::string status = ready ? "True" : "False";
    ASSERT_EQ(
        server_
            .Patch(kPods + "/" + name + "/status",
                   R"({"status":{"phase":"Running","conditions":[{"type":"Ready","status":")" +
                       status + R"("}]}})")
            .status,
        200);
  }
  Answer Evict(const std::string& pod, const std::string& more = "") {
    return server_.Post(kPods + "/" + pod + "/eviction",
                        R"({"metadata":{"name":")" + pod + "\"}" + more + "}");
  }
  void MakeBudget(const std::string& name, const std::string& spec) {
    ASSERT_EQ(server_
                  .Post(kBudgets, R"({"metadata":{"name":")" + name +
                                      R"("},"spec":{"selector":{"matchLabels":{"app":"a"}},)" +
                                      spec + "}}")
                  .status,
              201);
    server_.loop().RunFor(1s);
  }

  TestServer server_;
};

TEST_F(SubresourceTest, ABindingPutsThePodOnTheNodeOnce) {
  MakePod("p");
  ASSERT_EQ(server_.Post(kPods + "/p/binding", BindingText("p", "n1")).status, 201);
  const Answer pod = server_.Get(kPods + "/p");
  EXPECT_EQ(pod.At("spec.nodeName"), "n1");
  EXPECT_EQ(pod.At("status.conditions.0.type"), "PodScheduled");
  EXPECT_EQ(server_.Post(kPods + "/p/binding", BindingText("p", "n2")).status, 409);
}

TEST_F(SubresourceTest, ABindingThatDoesNotFitIsRefused) {
  MakePod("p");
  MakePod("gated", R"(,"schedulingGates":[{"name":"g"}])");
  EXPECT_EQ(server_.Post(kPods + "/q/binding", BindingText("q", "n")).status, 404);
  EXPECT_EQ(server_.Post(kPods + "/p/binding", BindingText("q", "n")).status, 400);
  EXPECT_EQ(server_.Post(kPods + "/p/binding", BindingText("p", "")).status, 500);
  EXPECT_EQ(server_.Post(kPods + "/gated/binding", BindingText("gated", "n")).status, 409);
  EXPECT_EQ(server_.Post(kPods + "/p/binding", BindingText("p", "n", R"(,"uid":"other")")).status,
            409)
      << "another pod of the same name";
  EXPECT_EQ(server_.Get(kPods + "/p/binding").status, 405);
  EXPECT_EQ(server_.Get(kPods + "/p").At("spec.nodeName"), "");
}

TEST_F(SubresourceTest, ABindingMayGoToTheCollectionAndMayBeTriedOut) {
  MakePod("p");
  const std::string bindings = "/api/v1/namespaces/default/bindings";
  ASSERT_EQ(server_.Post(bindings + "?dryRun=All", BindingText("p", "n")).status, 201);
  EXPECT_EQ(server_.Get(kPods + "/p").At("spec.nodeName"), "");
  ASSERT_EQ(server_.Post(bindings, BindingText("p", "n")).status, 201);
  EXPECT_EQ(server_.Get(kPods + "/p").At("spec.nodeName"), "n");
}

TEST_F(SubresourceTest, AnEvictionWithoutABudgetIsADeletion) {
  MakePod("p");
  EXPECT_EQ(Evict("q").status, 404);
  EXPECT_EQ(Evict("p", R"(,"deleteOptions":{"dryRun":["All"]})").status, 201);
  EXPECT_EQ(server_.Get(kPods + "/p").status, 200);
  EXPECT_EQ(Evict("p").status, 201);
  EXPECT_EQ(server_.Get(kPods + "/p").status, 404);
}

TEST_F(SubresourceTest, ABudgetRefusesTheEvictionThatIsOneTooMany) {
  for (const char* name : {"a", "b"}) {
    MakePod(name, R"(,"nodeName":"n")");
    Start(name, true);
  }
  MakeBudget("budget", R"("minAvailable":1)");
  EXPECT_EQ(server_.Get(kBudgets + "/budget").At("status.disruptionsAllowed"), "1");
  EXPECT_EQ(Evict("a").status, 201);
  EXPECT_EQ(server_.Get(kPods + "/a").At("status.conditions.1.type"), "DisruptionTarget");
  const Answer refused = Evict("b");
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.At("details.causes.0.reason"), "DisruptionBudget");
}

TEST_F(SubresourceTest, TwoBudgetsForAPodAreAMistake) {
  MakePod("p", R"(,"nodeName":"n")");
  Start("p", true);
  MakeBudget("one", R"("maxUnavailable":1)");
  MakeBudget("two", R"("maxUnavailable":1)");
  EXPECT_EQ(Evict("p").status, 500);
}

TEST_F(SubresourceTest, APodThatIsNotReadyMayGoWhereItsBudgetSaysSo) {
  MakePod("p", R"(,"nodeName":"n")");
  Start("p", false);
  MakeBudget("budget", R"("minAvailable":1)");
  EXPECT_EQ(Evict("p").status, 429);
  ASSERT_EQ(server_
                .Send("PATCH", kBudgets + "/budget",
                      R"({"spec":{"unhealthyPodEvictionPolicy":"AlwaysAllow"}})", kMergeType)
                .status,
            200);
  EXPECT_EQ(Evict("p").status, 201);
}

TEST_F(SubresourceTest, AScaleIsReadAndWritten) {
  ASSERT_EQ(server_
                .Post(kDeployments, R"({"metadata":{"name":"d"},"spec":{"replicas":3,
      "selector":{"matchLabels":{"app":"a"}},"template":{"metadata":{"labels":{"app":"a"}},
      "spec":{"containers":[{"name":"c","image":"x"}]}}}})")
                .status,
            201);
  const std::string scale = kDeployments + "/d/scale";
  const Answer read = server_.Get(scale);
  EXPECT_EQ(read.At("kind"), "Scale");
  EXPECT_EQ(read.At("spec.replicas"), "3");
  EXPECT_EQ(read.At("status.selector"), "app=a");
  EXPECT_EQ(server_.Patch(scale, R"({"spec":{"replicas":5}})").At("spec.replicas"), "5");
  const Answer written = server_.Get(kDeployments + "/d");
  EXPECT_EQ(written.At("spec.replicas"), "5");
  EXPECT_EQ(written.At("metadata.generation"), "2");
  EXPECT_EQ(server_.Put(scale, R"({"metadata":{"name":"d"},"spec":{"replicas":0}})").status, 200);
  EXPECT_EQ(server_.Get(kDeployments + "/d").At("spec.replicas"), "0");
}

TEST_F(SubresourceTest, AScaleThatCannotBeIsRefused) {
  const std::string scale = kDeployments + "/d/scale";
  EXPECT_EQ(server_.Get(scale).status, 404);
  ASSERT_EQ(server_
                .Post(kDeployments, R"({"metadata":{"name":"d"},"spec":{
      "selector":{"matchLabels":{"app":"a"}},"template":{"metadata":{"labels":{"app":"a"}},
      "spec":{"containers":[{"name":"c","image":"x"}]}}}})")
                .status,
            201);
  EXPECT_EQ(server_.Patch(scale, R"({"spec":{"replicas":-1}})").At("details.causes.0.field"),
            "spec.replicas");
  EXPECT_EQ(server_.Patch(scale, R"({"spec":{"replicas":"many"}})").status, 422);
  EXPECT_EQ(server_.Delete(scale).status, 405);
  EXPECT_EQ(server_.Get(kMaps + "/a/scale").status, 404) << "a kind without one";
}

TEST_F(SubresourceTest, AStatusIsWrittenApart) {
  MakePod("p");
  const Answer written = server_.Patch(kPods + "/p/status",
                                       R"({"metadata":{"labels":{"b":"c"}},"spec":{"nodeName":"n"},
                               "status":{"phase":"Running","podIP":"10.0.0.1"}})");
  ASSERT_EQ(written.status, 200) << written.body;
  EXPECT_EQ(written.At("status.phase"), "Running");
  EXPECT_EQ(written.At("status.podIPs.0.ip"), "10.0.0.1");
  EXPECT_EQ(written.At("spec.nodeName"), "") << "what is desired stays";
  EXPECT_EQ(server_.Patch(kPods + "/p", R"({"status":{"phase":"Failed"}})").At("status.phase"),
            "Running");
}

TEST_F(SubresourceTest, ANamespaceGoesWhenItsFinalizerDoes) {
  const std::string spaces = "/api/v1/namespaces";
  ASSERT_EQ(server_.Post(spaces, R"({"metadata":{"name":"a"}})").status, 201);
  EXPECT_EQ(server_.Put(spaces + "/a/finalize", R"({"metadata":{"name":"b"}})").status, 400);
  EXPECT_EQ(server_
                .Put(spaces + "/a/finalize",
                     R"({"metadata":{"name":"a","resourceVersion":"1"},"spec":{}})")
                .status,
            409);
  EXPECT_EQ(server_.Get(spaces + "/a").At("spec.finalizers.0"), "kubernetes");
  const Answer emptied =
      server_.Put(spaces + "/a/finalize", R"({"metadata":{"name":"a"},"spec":{}})");
  EXPECT_EQ(emptied.status, 200);
  EXPECT_EQ(server_.Get(spaces + "/a").At("spec.finalizers"), "");
}

TEST_F(SubresourceTest, WhatNeedsARunningContainerIsNotServed) {
  MakePod("p");
  for (const char* part : {"exec", "attach", "portforward"}) {
    EXPECT_EQ(server_.Get(kPods + "/p/" + part).status, 501) << part;
  }
}

}  // namespace
}  // namespace basalt::apiserver
