// deps: basalt_testing_scheduling
// Reservations for pods that are to be moved: a move is no growth of its queue, and nobody makes it
// one.
#include <gtest/gtest.h>

#include "tests/reservations/reservation_cluster.h"

namespace basalt::systemtest {
namespace {

namespace resources = kube::resources;
using testutil::TextAt;

// A queue of two CPUs, full with two pods on n1; n2 is empty.
class MovesTest : public testing::Test {
 protected:
  void SetUp() override {
    c_.AddNode("n1", "4");
    c_.AddQueue("q", "2");
    c_.Start();
    for (const char* name : {"a", "b"}) c_.cluster().Create(InQueue(c_.PodOf("web", name)));
    c_.Run(2s);
    ASSERT_EQ(c_.NodeOf("a"), "n1");
    ASSERT_EQ(c_.NodeOf("b"), "n1");
    c_.AddNode("n2", "4");
  }
  void TearDown() override { EXPECT_EQ(c_.Check(), ""); }

  static testutil::PodBuilder InQueue(testutil::PodBuilder pod) {
    return std::move(pod.Annotation("scheduling.volcano.sh/queue-name", "q"));
  }
  std::string Uid(const char* pod) {
    return TextAt(c_.cluster().Get(resources::kPods, "default", pod), "metadata.uid");
  }
  // For pods with the label app=web, on n2.
  testutil::AnyBuilder Move(const std::string& name, const char* pod,
                            const std::string& cpu = "1") {
    testutil::AnyBuilder made = c_.Reservation(name, 1, cpu);
    json::array nodes{"n2"};
    made.Set("spec.queue", "q")
        .Set("spec.tasks.0.reservationNodeNames", nodes)
        .Set("spec.tasks.0.reservationNodePolicy", "Required")
        .Set("spec.owners.0.labelSelector.matchLabels.app", "web");
    if (pod) made.Label("basalt.sh/migrating-pod", Uid(pod));
    return made;
  }
  std::string Allocated() {
    return TextAt(c_.cluster().Get(resources::kQueues, "", "q"), "status.allocated.cpu");
  }

  ReservationCluster c_;
};

TEST_F(MovesTest, AMoveIsNotRefusedThoughTheQueueIsFull) {
  c_.cluster().Create(Move("growth", nullptr));
  c_.cluster().Create(Move("move", "a"));
  c_.Run(2s);
  EXPECT_EQ(c_.PhaseOf("growth"), "Pending");
  EXPECT_EQ(c_.PhaseOf("move"), "Available");
  EXPECT_EQ(Allocated(), "2") << "the two count once";
  c_.DeletePod("a");
  c_.cluster().Create(InQueue(c_.PodOf("web", "a-again")));
  c_.Run(2s);
  EXPECT_EQ(c_.NodeOf("a-again"), "n2");
  EXPECT_EQ(c_.PhaseOf("move"), "Succeeded");
  EXPECT_EQ(c_.PhaseOf("growth"), "Pending");
  EXPECT_EQ(Allocated(), "2");
}

TEST_F(MovesTest, OnePodMovesOnceAndNotIntoMoreThanItHas) {
  c_.cluster().Create(Move("first", "a"));
  c_.Run(1s);
  c_.cluster().Create(Move("second", "a"));
  c_.cluster().Create(Move("larger", "b", "2"));
  c_.Run(2s);
  EXPECT_EQ(c_.PhaseOf("first"), "Available");
  EXPECT_EQ(c_.PhaseOf("second"), "Pending");
  EXPECT_EQ(c_.PhaseOf("larger"), "Pending");
}

TEST_F(MovesTest, WhileThePodRunsNobodyElseStartsOnItsShare) {
  c_.cluster().Create(Move("move", "a"));
  c_.Run(1s);
  c_.cluster().Create(InQueue(c_.PodOf("web", "extra")));
  c_.Run(2s);
  EXPECT_EQ(c_.NodeOf("extra"), "") << "the queue would have three";
  EXPECT_EQ(c_.PhaseOf("move"), "Available");
  c_.DeletePod("a");
  c_.Run(2s);
  EXPECT_EQ(c_.NodeOf("extra"), "n2");
}

TEST_F(MovesTest, WhenThePodIsGoneItsShareIsTheReservations) {
  c_.cluster().Create(Move("move", "a"));
  c_.cluster().Create(InQueue(c_.Pod("other")));
  c_.Run(2s);
  c_.DeletePod("a");
  c_.Run(2s);
  EXPECT_EQ(c_.NodeOf("other"), "");
  EXPECT_EQ(Allocated(), "2");
  c_.Delete("move");
  c_.Run(2s);
  EXPECT_NE(c_.NodeOf("other"), "");
}

TEST_F(MovesTest, ARestartedSchedulerCountsTheMoveOnceToo) {
  c_.cluster().Create(Move("move", "a"));
  c_.Run(2s);
  c_.Start();
  c_.Run(2s);
  EXPECT_EQ(c_.PhaseOf("move"), "Available");
  EXPECT_EQ(Allocated(), "2");
}

}  // namespace
}  // namespace basalt::systemtest
