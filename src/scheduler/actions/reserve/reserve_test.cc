#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/actions/actions_test_util.h"

namespace basalt::scheduler {
namespace {

using model::TaskStatus;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeQueue;
using testutil::TestCluster;

TEST(ReserveTest, OfANodeThatHasBecomeTooSmallTheYoungestReservationGivesUp) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "4"}}));
  for (const auto& [name, age] : {std::pair{"old", 2h}, std::pair{"young", 1h}}) {
    kube::Reservation object;
    object.meta.ns = "ns";
    object.meta.name = object.meta.uid = name;
    object.meta.creation_timestamp = testutil::kTestNow - age;
    object.tasks.push_back({.name = "t"});
    object.tasks[0].pod_template.spec = MakePod("t", "", {{"cpu", "2"}}).spec;
    model::Reservations& all = given.cluster.mutable_reservations();
    all.Add(std::make_shared<const kube::Reservation>(std::move(object)), "q");
    const model::Task& task = given.cluster.task(all.Find("ns", name)->slots[0].id);
    given.cluster.Move(task.id, {.status = TaskStatus::kBound, .node = given.node("n1").id});
    all.NotePlaced(task);
  }
  given.Add(MakeNode("n1", {{"cpu", "3"}}));
  RunCycle(given, {"reserve"}, {"gang", "predicates", "reservation"});
  const auto status = [&](const char* name) {
    return given.cluster.task(given.cluster.reservations().Find("ns", name)->slots[0].id).status();
  };
  EXPECT_EQ(status("old"), TaskStatus::kBound);
  EXPECT_EQ(status("young"), TaskStatus::kPending);
}

}  // namespace
}  // namespace basalt::scheduler
