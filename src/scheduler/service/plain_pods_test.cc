// Pods without a group, and pods whose group is missing, under the whole scheduler.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>

#include "scheduler/service/scheduler_service.h"
#include "testing/scheduling/scheduling_cluster.h"

namespace basalt::scheduler {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakePodGroup;
namespace json = boost::json;
namespace resources = kube::resources;

class PlainPodsTest : public testing::Test {
 protected:
  testutil::SchedulingCluster cluster_;
  SchedulerService service_{cluster_.loop(), cluster_.client()};
};

TEST_F(PlainPodsTest, AreScheduledOneByOneWithoutAGroup) {
  for (int i = 0; i < 4; ++i) cluster_.Create(MakeNode("n" + std::to_string(i)).Cpu("2"));
  service_.Start();
  for (int i = 0; i < 9; ++i) cluster_.Create(MakePod("plain-" + std::to_string(i)).Cpu("1"));
  cluster_.loop().RunFor(5s);
  EXPECT_EQ(cluster_.Bound(), 8);
  EXPECT_TRUE(cluster_.List(resources::kPodGroups).empty());
}

TEST_F(PlainPodsTest, APodWhoseGroupDoesNotExistWaitsAndSaysSo) {
  cluster_.Create(MakeNode("n0").Cpu("8"));
  service_.Start();
  for (int i = 0; i < 2; ++i) {
    cluster_.Create(MakePod("train-" + std::to_string(i)).Cpu("1").Group("train"));
  }
  cluster_.loop().RunFor(5s);
  EXPECT_EQ(cluster_.Bound(), 0);
  const json::value pod = cluster_.Get(resources::kPods, "default", "train-0");
  EXPECT_THAT(
      json::serialize(pod.at("status")),
      AllOf(HasSubstr("PodGroupNotFound"), HasSubstr("default/train, which does not exist")));
  cluster_.Create(MakePodGroup("train", 2));
  cluster_.loop().RunFor(1s);
  EXPECT_EQ(cluster_.Bound(), 2);
}

}  // namespace
}  // namespace basalt::scheduler
