#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/framework/session.h"
#include "scheduler/plugins/registry.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler::plugins {
namespace {

TEST(ConformanceTest, CriticalPodsAreNeverVictims) {
  testutil::TestCluster given;
  auto critical = testutil::MakePod("critical", "", {});
  critical.spec.priority_class_name = "system-node-critical";
  given.Add(testutil::MakePod("plain", "", {})).Add(std::move(critical));
  const auto plugins = testutil::MakePlugins(testutil::OneTier({"conformance"}), BuiltinPlugins());
  const Session session(given.cluster, *plugins, testutil::kTestNow);
  EXPECT_THAT(
      testutil::Names(session.Reclaimable(given.task("plain"), given.tasks({"plain", "critical"}))),
      testing::ElementsAre("plain"));
}

TEST(ConformanceTest, WhatTheClusterItselfNeedsStaysForWhateverReasonOthersGo) {
  testutil::TestCluster given;
  const auto add = [&](const char* name, const char* ns, const char* priority_class) {
    kube::Pod pod = testutil::MakePod(name, "", {});
    pod.meta.ns = ns;
    pod.spec.priority_class_name = priority_class;
    given.Add(std::move(pod));
  };
  add("node", "ns", "system-node-critical");
  add("cluster", "ns", "system-cluster-critical");
  add("high", "ns", "high");
  add("system", "kube-system", "");
  add("plain", "ns", "");
  std::vector<const Task*> candidates = given.tasks({"node", "cluster", "high", "plain"});
  candidates.push_back(given.cluster.FindTask("kube-system", "system"));
  const auto plugins = testutil::MakePlugins(testutil::OneTier({"conformance"}), BuiltinPlugins());
  const Session session(given.cluster, *plugins, testutil::kTestNow);
  const Task& plain = given.task("plain");
  const auto expected = testing::ElementsAre("high", "plain");
  EXPECT_THAT(testutil::Names(session.Preemptable(plain, candidates)), expected);
  EXPECT_THAT(testutil::Names(session.Reclaimable(plain, candidates)), expected);
  EXPECT_THAT(testutil::Names(session.Evictable({}, candidates)), expected);
}

}  // namespace
}  // namespace basalt::scheduler::plugins
