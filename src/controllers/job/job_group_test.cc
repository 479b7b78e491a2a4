#include "controllers/job/job_group.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "controllers/job/job_test_util.h"
#include "testing/builders.h"

namespace basalt::controllers {
namespace {

using testutil::TextAt;

std::int64_t Priority(std::string_view name) { return name == "high" ? 100 : 0; }

std::string Task(std::string_view name, int replicas, std::string_view cpu,
                 std::string_view priority = "", std::string_view more = "") {
  return fmt::format(
      R"({{"name": "{}", "replicas": {}, {} "template": {{"spec": {{"priorityClassName": "{}",
         "containers": [{{"name": "c", "resources": {{"requests": {{"cpu": "{}"}}}}}}]}}}}}})",
      name, replicas, more, priority, cpu);
}

TEST(JobGroup, MinResourcesAreThoseOfThePodsThatMustBeThere) {
  struct ResourceCase {
    std::string_view what;
    std::string spec;
    std::string_view cpu;
    std::string_view pods;
  };
  const ResourceCase cases[] = {
      {"all", R"("tasks": [)" + Task("a", 2, "1") + "]", "2", "2"},
      {"the first of them", R"("minAvailable": 1, "tasks": [)" + Task("a", 2, "1") + "]", "1", "1"},
      {"those of the higher priority first",
       R"("minAvailable": 2, "tasks": [)" + Task("a", 2, "1") + "," + Task("b", 1, "4", "high") +
           "]",
       "5", "2"},
      {"each task's minimum, filled up by priority",
       R"("minAvailable": 4, "tasks": [)" + Task("a", 3, "1", "", R"("minAvailable": 1,)") + "," +
           Task("b", 3, "4", "high", R"("minAvailable": 1,)") + "]",
       "13", "4"},
  };
  for (const ResourceCase& one : cases) {
    const kube::ResourceList sum = MinResourcesOf(RunningJob(one.spec).spec, Priority);
    EXPECT_EQ(sum.Get("cpu").ToString(), one.cpu) << one.what;
    EXPECT_EQ(sum.Get("requests.cpu").ToString(), one.cpu) << one.what;
    EXPECT_EQ(sum.Get("pods").ToString(), one.pods) << one.what;
    EXPECT_EQ(sum.Get("count/pods").ToString(), one.pods) << one.what;
  }
}

TEST(JobGroup, WhatCannotBeThereYetIsNotAskedFor) {
  const kube::VcJobSpec spec = RunningJob(R"("minAvailable": 5,
      "tasks": [{"name": "a", "replicas": 2}, {"name": "b", "replicas": 3}])")
                                   .spec;
  EXPECT_EQ(MinMemberOf(spec, {true, true}), 5);
  EXPECT_EQ(MinMemberOf(spec, {true, false}), 2);
  EXPECT_EQ(MinMemberOf(spec, {false, false}), 0);
}

TEST(JobGroup, SaysWhatTheJobSaysAndIsChangedWhereItDoesNot) {
  const kube::VcJob job = RunningJob(
      R"("queue": "q", "priorityClassName": "high",
         "networkTopology": {"mode": "soft", "highestTierAllowed": 2},
         "tasks": [{"name": "w", "replicas": 4,
                    "partitionPolicy": {"totalPartitions": 2, "partitionSize": 2,
                                        "minPartitions": 1}}])");
  const std::string body = JobGroupBody(job, 2, Priority);
  const boost::json::value group = boost::json::parse(body);
  EXPECT_EQ(TextAt(group, "metadata.name"), "train-job-uid");
  EXPECT_EQ(TextAt(group, "metadata.ownerReferences.0.uid"), "job-uid");
  EXPECT_EQ(TextAt(group, "spec.queue"), "q");
  EXPECT_EQ(TextAt(group, "spec.networkTopology.mode"), "soft");
  EXPECT_EQ(boost::json::serialize(*testutil::FindPath(group, "spec.subGroupPolicy")),
            R"([{"name":"w","subGroupSize":2,"minSubGroups":1,"labelSelector":{"matchLabels":)"
            R"({"volcano.sh/task-spec":"w"}},"matchLabelKeys":["volcano.sh/partition-id"]}])");
  Result<kube::PodGroup> known = kube::Decode<kube::PodGroup>(body);
  ASSERT_TRUE(known);
  EXPECT_EQ(JobGroupPatch(*known, job, 2, Priority), "");
  EXPECT_THAT(JobGroupPatch(*known, job, 4, Priority), testing::HasSubstr(R"("minMember":4)"));
  known->priority_class_name = "low";
  EXPECT_THAT(JobGroupPatch(*known, job, 2, Priority),
              testing::HasSubstr(R"({"priorityClassName":"high"})"));
}

}  // namespace
}  // namespace basalt::controllers
