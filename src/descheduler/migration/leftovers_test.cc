#include "descheduler/migration/leftovers.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "descheduler/migration/plan_ids.h"

namespace basalt::descheduler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Phase = kube::ReservationPhase;

class LeftoversTest : public testing::Test {
 protected:
  void AddReservation(const std::string& name, const std::string& plan, const std::string& pod,
                      Phase phase = Phase::kAvailable) {
    auto made = std::make_shared<kube::Reservation>();
    made->meta.ns = "ns";
    made->meta.name = name;
    made->meta.uid = "uid-" + name;
    made->meta.labels = kube::StringMap({{std::string(kDeschedulerLabel), "here"},
                                         {std::string(kMigrationLabel), plan},
                                         {std::string(kMigratingPodLabel), pod}});
    made->status.phase = phase;
    sight_.reservations.push_back(made);
  }
  void AddTaintedNode(const std::string& name, const std::string& plan) {
    auto made = std::make_shared<kube::Node>();
    made->meta.name = name;
    made->spec.taints = {{.key = std::string(kSourceTaint), .value = plan}};
    sight_.nodes.push_back(made);
  }
  std::vector<std::string> Step(Duration later = 0s) {
    now_ += later;
    sight_.pod_stays = [this](std::string_view ns, std::string_view uid) {
      return ns == "ns" && pods_.contains(std::string(uid));
    };
    std::vector<std::string> said;
    for (const Act& act : leftovers_.Step(now_, 120s, sight_)) {
      if (const auto* un = std::get_if<Unreserve>(&act)) said.push_back("unreserve " + un->name);
      if (const auto* it = std::get_if<SetTaint>(&act)) {
        said.push_back(fmt::format("{} {}", it->on ? "taint" : "untaint", it->node));
      }
    }
    return said;
  }

  Leftovers leftovers_{"here"};
  Leftovers::Sight sight_;
  std::set<std::string> pods_;
  Duration now_ = 50s;
  const std::string plan_ = PlanId("here", "0123456789");
};

TEST_F(LeftoversTest, AMoveThatHadNotEvictedIsUndoneAtOnceAndThenItsTaintGoes) {
  pods_ = {"u"};
  AddReservation("r", plan_, "u");
  AddTaintedNode("n", plan_);
  EXPECT_THAT(Step(), ElementsAre("unreserve r"));
  EXPECT_THAT(Step(), IsEmpty()) << "it is on its way";
  leftovers_.Unreserved("ns", "r", Answer::kDone);
  sight_.reservations.clear();
  EXPECT_THAT(Step(), ElementsAre("untaint n"));
  leftovers_.TaintSet("n", Answer::kNotNow);
  EXPECT_THAT(Step(1s), ElementsAre("untaint n"));
}

TEST_F(LeftoversTest, AMoveThatHadEvictedIsWaitedForAsLongAsAReplacementMayTake) {
  AddReservation("r", plan_, "u");
  EXPECT_THAT(Step(), IsEmpty());
  EXPECT_EQ(leftovers_.wake_at(), now_ + 120s);
  EXPECT_THAT(Step(119s), IsEmpty());
  EXPECT_THAT(Step(1s), ElementsAre("unreserve r"));
  leftovers_.Unreserved("ns", "r", Answer::kUnknown);
  EXPECT_THAT(Step(1s), ElementsAre("unreserve r"));
}

TEST_F(LeftoversTest, OneThatWasTakenOrHasEndedIsDeletedAtOnce) {
  AddReservation("taken", plan_, "u", Phase::kSucceeded);
  AddReservation("over", plan_, "u", Phase::kFailed);
  EXPECT_THAT(Step(), ElementsAre("unreserve taken", "unreserve over"));
}

TEST_F(LeftoversTest, ATaintOfOursIsFoundWithoutAReservation) {
  AddTaintedNode("n", plan_);
  AddTaintedNode("theirs", PlanId("elsewhere", "0123456789"));
  AddTaintedNode("somebodys", "x");
  EXPECT_THAT(Step(), ElementsAre("untaint n"));
}

TEST_F(LeftoversTest, ThePlanOfAReservationIsOursUnlessItIsAnothersByItsName) {
  const std::string theirs = PlanId("elsewhere", "0123456789");
  AddReservation("old", "x", "u", Phase::kFailed);
  AddReservation("forged", theirs, "u", Phase::kFailed);
  AddTaintedNode("a", "x");
  AddTaintedNode("b", theirs);
  EXPECT_THAT(Step(), ElementsAre("unreserve old", "unreserve forged"));
  sight_.reservations.clear();
  EXPECT_THAT(Step(), ElementsAre("untaint a"));
}

TEST(PlanIdTest, SayWhosePlanItIs) {
  const std::string plan = PlanId("volcano-system", "abc");
  EXPECT_TRUE(IsPlanOf("volcano-system", plan));
  EXPECT_FALSE(IsPlanOf("other", plan));
  EXPECT_TRUE(LooksLikePlan(plan));
  for (const char* not_one : {"", "d", "p1", "d0123456-abc", "dxyzxyzxy-a", "d01234567-"}) {
    EXPECT_FALSE(LooksLikePlan(not_one)) << not_one;
  }
}

}  // namespace
}  // namespace basalt::descheduler
