#include "model/reservation_use.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/annotations.h"
#include "model/reservations_test_util.h"

namespace basalt::model {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testutil::MakeGroup;
using ReservationUseTest = ReservationsTest;

class ReservationRefusalTest : public ReservationsTest {
 protected:
  std::string Refusal(const std::string& job = "g") {
    const ReservationRefusal refusal = RefusalOf(given_.cluster, given_.job(job));
    return refusal.reason.empty() ? "none" : fmt::format("{}: {}", refusal.reason, refusal.message);
  }
  void AddNaming(const std::string& name, const std::string& reservation, bool web = true) {
    kube::Pod pod = WebPod(name, "g");
    if (!web) pod.meta.labels.Set("app", "db");
    if (!reservation.empty()) pod.meta.annotations.Set(annotations::kReservationName, reservation);
    given_.Add(std::move(pod));
  }
};

TEST_F(ReservationRefusalTest, IsOfTheFirstReasonThatHolds) {
  given_.Add(MakeGroup("g", "q", 1));
  AddNaming("plain", "");
  EXPECT_EQ(Refusal(), "none");
  AddNaming("g-a-1", "r");
  EXPECT_EQ(Refusal(), "InvalidReservation: there is no reservation r in namespace ns");
  Add(Object("r"));
  EXPECT_EQ(Refusal(), "InvalidReservation: reservation r is not Available but Pending");
  Hold("r", 0, "n1");
  EXPECT_EQ(Refusal(), "none");
  AddNaming("g-a-2", "r", /*web=*/false);
  AddNaming("g-a-0", "r", /*web=*/false);
  EXPECT_EQ(Refusal(),
            "ReservationOwnerNotMatch: reservation r is for others: pod g-a-0 matches none of its "
            "owners")
      << "the first in the order of the job's pods";
}

TEST_F(ReservationRefusalTest, AGangNeedsAPlaceForEachThatItNeedsToStart) {
  given_.Add(MakeGroup("g", "q", 3));
  for (const char* name : {"a", "b", "c"}) AddNaming(name, "r");
  Add(Object("r", 2));
  for (std::size_t slot : {0, 1}) Hold("r", slot, "n1");
  EXPECT_EQ(
      Refusal(),
      "ReservationSpecNotMatch: reservation r has room for 2 of the 3 pods that are needed to "
      "start: their template differs, or they are more than it has left");
  AddNaming("d", "");
  EXPECT_EQ(Refusal(), "none") << "one that names none finds its own place";
}

TEST_F(ReservationRefusalTest, AGroupNamesItForAllItsPodsAndAPodForItself) {
  kube::PodGroup group = MakeGroup("g", "q", 1);
  group.meta.annotations.Set(annotations::kReservationName, "of-group");
  given_.Add(std::move(group));
  AddNaming("by-group", "");
  AddNaming("by-itself", "r");
  const auto named = [&](const char* pod) {
    return std::string(ReservationUser(given_.cluster, given_.job("g"), given_.task(pod)).named());
  };
  EXPECT_EQ(named("by-group"), "of-group");
  EXPECT_EQ(named("by-itself"), "r") << "its own word comes first";
  given_.Add(MakeGroup("h", "q", 1));
  kube::Pod pod = WebPod("alone", "h");
  pod.meta.annotations.Set(annotations::kReservationName, "r");
  given_.Add(std::move(pod));
  EXPECT_EQ(ReservationUser(given_.cluster, given_.job("h"), given_.task("alone")).named(), "r");
  EXPECT_EQ(NamedReservation(*given_.task("alone").pod, nullptr), "r");
  EXPECT_EQ(NamedReservation(*given_.task("by-group").pod, nullptr), "");
}

TEST_F(ReservationUseTest, APodIsOfferedSlotsLikeItselfOfThoseThatAreAvailableToIt) {
  // Tasks of another container, of a priority class, and as the pod is.
  kube::Reservation object = *Object("r");
  for (const char* name : {"another", "important"}) {
    object.tasks.insert(object.tasks.begin(), object.tasks.back());
    object.tasks[0].name = name;
  }
  object.tasks[1].pod_template.spec.containers[0].image = "another";
  object.tasks[0].pod_template.spec.priority_class_name = "high";
  Add(std::make_shared<const kube::Reservation>(object));
  given_.Add(MakeGroup("g", "q", 1));
  AddWebPod("p", "g");
  const auto offered = [&](const char* pod) {
    std::vector<std::string> names;
    for (const ReservedSlot* slot :
         ReservationUser(given_.cluster, given_.job("g"), given_.task(pod)).Slots(9)) {
      names.push_back(given_.cluster.task(slot->id).name());
    }
    return names;
  };
  for (std::size_t slot : {0, 2}) Hold("r", slot, "n1");
  EXPECT_THAT(offered("p"), IsEmpty()) << "it is Pending: one of its tasks has no place";
  Hold("r", 1, "n1");
  EXPECT_THAT(offered("p"), ElementsAre("reservation:r:t:0"));
  kube::Pod naming = WebPod("of-others", "g");
  naming.meta.labels.Set("app", "db");
  naming.meta.annotations.Set(annotations::kReservationName, "r");
  given_.Add(std::move(naming));
  EXPECT_THAT(offered("of-others"), IsEmpty()) << "it names what it may not use";
}

TEST_F(ReservationUseTest, APodIsOfferedFreeSlotsOfTheOldestThatServesIt) {
  Add(Object("young", 2, 9));
  Add(Object("old", 2, 5));
  for (std::size_t slot : {0, 1}) {
    Hold("young", slot, "n1");
    Hold("old", slot, "n2");
  }
  given_.Add(MakeGroup("g", "q", 1));
  AddWebPod("p", "g");
  const auto offered = [&](std::size_t most) {
    std::vector<std::string> names;
    for (const ReservedSlot* slot :
         ReservationUser(given_.cluster, given_.job("g"), given_.task("p")).Slots(most)) {
      names.push_back(given_.cluster.task(slot->id).name());
    }
    return names;
  };
  EXPECT_THAT(offered(3),
              ElementsAre("reservation:old:t:0", "reservation:old:t:1", "reservation:young:t:0"));
  EXPECT_THAT(offered(1), ElementsAre("reservation:old:t:0"));
  all().Remove("ns", "old");
  EXPECT_THAT(offered(9), ElementsAre("reservation:young:t:0", "reservation:young:t:1"));
}

}  // namespace
}  // namespace basalt::model
