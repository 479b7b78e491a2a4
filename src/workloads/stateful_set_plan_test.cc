#include "workloads/stateful_set_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "workloads/stateful_set_controller.h"

namespace basalt::workloads {
namespace {

constexpr Time kStatefulNow{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

// A set "db" and its pods, each written as "N" and what it is: "0+" ready, "1" not ready, "2-"
// going, "3!" failed; behind it "'" when it is of an old revision.
class StatefulSetPlanTest : public testing::Test {
 protected:
  StatefulSetPlanTest() {
    set.meta.name = "db";
    set.replicas = 3;
    set.current_revision = "new";
  }

  const kube::Pod* Make(std::string_view text) {
    kube::Pod& pod = pods_.emplace_back();
    const bool old = text.ends_with('\'');
    if (old) text.remove_suffix(1);
    pod.meta.name = "db-" + std::string(text.substr(0, text.find_first_of("+-!")));
    pod.meta.labels = {{"controller-revision-hash", old ? "old" : "new"}};
    pod.status.phase = kube::PodPhase::kRunning;
    if (text.ends_with('+')) {
      pod.status.conditions.push_back({.type = "Ready",
                                       .status = kube::ConditionStatus::kTrue,
                                       .last_transition_time = kStatefulNow - 5s});
    }
    if (text.ends_with('-')) pod.meta.deletion_timestamp = kStatefulNow;
    if (text.ends_with('!')) pod.status.phase = kube::PodPhase::kFailed;
    return &pod;
  }

  StatefulSetPlan Plan(std::initializer_list<std::string_view> pods) {
    pods_.clear();
    std::vector<const kube::Pod*> all;
    for (const std::string_view text : pods) all.push_back(Make(text));
    return PlanStatefulSet(set, all, "new", kStatefulNow);
  }

  // "+1 +2 -db-3".
  std::string Does(std::initializer_list<std::string_view> pods) {
    const StatefulSetPlan plan = Plan(pods);
    std::string text;
    for (const std::int32_t ordinal : plan.create) text += fmt::format(" +{}", ordinal);
    for (const kube::Pod* pod : plan.remove) text += " -" + pod->meta.name;
    return text.empty() ? "" : text.substr(1);
  }

  kube::StatefulSet set;

 private:
  std::deque<kube::Pod> pods_;
};

TEST_F(StatefulSetPlanTest, AnOrderedSetStartsOneAfterTheOther) {
  EXPECT_EQ(Does({}), "+0");
  EXPECT_EQ(Does({"0"}), "");
  EXPECT_EQ(Does({"0+"}), "+1");
  EXPECT_EQ(Does({"0+", "1+"}), "+2");
  EXPECT_EQ(Does({"0+", "1+", "2+"}), "");
  EXPECT_EQ(Does({"1+", "2+"}), "+0") << "a lost one first";
  EXPECT_EQ(Does({"0+", "1!", "2+"}), "-db-1");
  EXPECT_EQ(Does({"0+", "1-", "2+"}), "") << "its name is not free yet";
}

TEST_F(StatefulSetPlanTest, AnOrderedSetEndsDownwards) {
  set.replicas = 1;
  EXPECT_EQ(Does({"0+", "1+", "2+"}), "-db-2");
  EXPECT_EQ(Does({"0+", "1+", "2-"}), "");
  EXPECT_EQ(Does({"0+", "1+"}), "-db-1");
  EXPECT_EQ(Does({"0", "1+", "2+"}), "") << "not while one that stays is not ready";
  set.replicas = 0;
  EXPECT_EQ(Does({"0"}), "-db-0");
}

TEST_F(StatefulSetPlanTest, AParallelSetDoesAllAtOnce) {
  set.pod_management = kube::StatefulSet::PodManagement::kParallel;
  EXPECT_EQ(Does({}), "+0 +1 +2");
  EXPECT_EQ(Does({"1"}), "+0 +2");
  EXPECT_EQ(Does({"0", "1+", "2", "3", "4+"}), "-db-4 -db-3");
}

TEST_F(StatefulSetPlanTest, OrdinalsBeginWhereTheSetSays) {
  set.first_ordinal = 5;
  set.pod_management = kube::StatefulSet::PodManagement::kParallel;
  EXPECT_EQ(Does({"4+", "5+"}), "+6 +7 -db-4");
  set.replicas = 2147483647;
  EXPECT_EQ(Plan({}).create.size(), 500u) << "not all at once";
  set.first_ordinal = 2147483646;
  EXPECT_EQ(Plan({}).create.size(), 1u) << "no more than there are numbers";
}

TEST_F(StatefulSetPlanTest, ARollingUpdateGoesDownwardsOneAtATime) {
  EXPECT_EQ(Does({"0+'", "1+'", "2+'"}), "-db-2");
  EXPECT_EQ(Does({"0+'", "1+'", "2-'"}), "");
  EXPECT_EQ(Does({"0+'", "1+'"}), "+2");
  EXPECT_EQ(Does({"0+'", "1+'", "2"}), "");
  EXPECT_EQ(Does({"0+'", "1+'", "2+"}), "-db-1");
  set.partition = 1;
  EXPECT_EQ(Does({"0+'", "1+", "2+"}), "");
  set.partition = 0;
  set.strategy = kube::StatefulSet::Strategy::kOnDelete;
  EXPECT_EQ(Does({"0+'", "1+'", "2+'"}), "");
}

TEST_F(StatefulSetPlanTest, ReadyMeansForAsLongAsTheSetSays) {
  set.min_ready_seconds = 30;
  const StatefulSetPlan plan = Plan({"0+"});
  EXPECT_TRUE(plan.create.empty());
  EXPECT_EQ(plan.look_again, kStatefulNow + 25s);
  EXPECT_EQ(plan.status.counts.ready, 1);
  EXPECT_EQ(plan.status.counts.available, 0);
}

TEST_F(StatefulSetPlanTest, TheStatusSaysHowFarAnUpdateIs) {
  set.current_revision = "old";
  StatefulSetPlan plan = Plan({"0+'", "1+'", "2+"});
  EXPECT_EQ(plan.status.counts.replicas, 3);
  EXPECT_EQ(plan.status.counts.updated, 1);
  EXPECT_EQ(plan.status.counts.current, 2);
  EXPECT_EQ(plan.status.current_revision, "old");
  EXPECT_EQ(plan.status.update_revision, "new");
  plan = Plan({"0+", "1+", "2+"});
  EXPECT_EQ(plan.status.counts.current, 3);
  EXPECT_EQ(plan.status.current_revision, "new");
}

TEST_F(StatefulSetPlanTest, OnlyItsOwnNamesCount) {
  EXPECT_EQ(OrdinalOf(set, "db-0"), 0);
  EXPECT_EQ(OrdinalOf(set, "db-12"), 12);
  for (const char* name :
       {"db", "db-", "db-01", "db-x", "db-1x", "dbx-1", "db--1", "web-0", "db-99999999999"}) {
    EXPECT_EQ(OrdinalOf(set, name), std::nullopt) << name;
  }
}

TEST_F(StatefulSetPlanTest, APodHasItsNameAndItsClaims) {
  set.meta.ns = "shop";
  set.meta.uid = "u";
  set.service_name = "db-svc";
  set.selector.emplace();
  set.pod_template.labels = {{"app", "db"}};
  set.pod_template.raw =
      R"({"metadata":{"labels":{"app":"db"}},"spec":{"containers":[{"name":"c"}],)"
      R"("volumes":[{"name":"data","emptyDir":{}}]}})";
  set.volume_claim_templates = {
      R"({"metadata":{"name":"data"},"spec":{"accessModes":["ReadWriteOnce"]}})"};
  const boost::json::value pod(StatefulPod(set, "new", 2));
  EXPECT_EQ(pod.at("metadata").at("name"), "db-2");
  EXPECT_EQ(pod.at("spec").at("hostname"), "db-2");
  EXPECT_EQ(pod.at("spec").at("subdomain"), "db-svc");
  EXPECT_EQ(boost::json::serialize(pod.at("spec").at("volumes")),
            R"([{"name":"data","persistentVolumeClaim":{"claimName":"data-db-2"}}])");
  EXPECT_EQ(pod.at("metadata").at("labels").at("apps.kubernetes.io/pod-index"), "2");
  const auto claims = StatefulClaims(set, 2);
  ASSERT_EQ(claims.size(), 1u);
  EXPECT_EQ(claims[0].at("metadata").at("name"), "data-db-2");
  EXPECT_EQ(claims[0].at("metadata").at("labels").at("app"), "db");
  EXPECT_EQ(claims[0].at("metadata").as_object().if_contains("ownerReferences"), nullptr);
}

}  // namespace
}  // namespace basalt::workloads
