#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>
#include <memory>

#include "kube/types/codec.h"
#include "webhook/pod_group_admission.h"
#include "webhook/reservation_admission.h"

// PodGroups and Reservations.
namespace basalt::webhook {
namespace {

using kube::PodGroup;
using kube::Reservation;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

template <class T>
T ReadSpec(std::string_view spec) {
  auto object = kube::Decode<T>(
      fmt::format(R"({{"metadata":{{"name":"x","namespace":"default"}},"spec":{}}})", spec));
  EXPECT_TRUE(object) << object.error().message;
  return *object;
}

class GroupAdmissionTest : public testing::Test {
 protected:
  GroupAdmissionTest() {
    for (const auto& [name, state] :
         std::initializer_list<std::pair<const char*, kube::QueueState>>{
             {"open", kube::QueueState::kOpen},
             {"new", kube::QueueState::kNone},
             {"closed", kube::QueueState::kClosed},
             {"closing", kube::QueueState::kClosing}}) {
      kube::Queue queue;
      queue.meta.name = name;
      queue.state = state;
      snapshot.PutQueue(std::make_shared<const kube::Queue>(queue));
    }
    kube::Namespace ns;
    ns.meta.name = "default";
    snapshot.PutNamespace(ns);
    ns.meta.name = "team";
    ns.meta.annotations = {{"scheduling.volcano.sh/queue-name", "open"}};
    snapshot.PutNamespace(ns);
  }
  std::vector<std::string> Problems(std::string_view group) {
    return ValidatePodGroup(ReadSpec<PodGroup>(group), nullptr, snapshot).problems;
  }
  std::string Patch(const Review& review) { return boost::json::serialize(review.patch); }

  Snapshot snapshot;
  Policy policy;
  Time now = Time(1'800'000'000s);
};

TEST_F(GroupAdmissionTest, AGroupWhosePodsRunStaysInItsQueue) {
  const PodGroup changed = ReadSpec<PodGroup>(R"({"minMember":1,"queue":"new"})");
  PodGroup old = ReadSpec<PodGroup>(R"({"minMember":1,"queue":"open"})");
  EXPECT_THAT(ValidatePodGroup(changed, &old, snapshot).problems, IsEmpty()) << "nothing runs";
  old.running = 1;
  EXPECT_THAT(ValidatePodGroup(changed, &old, snapshot).problems,
              ElementsAre(HasSubstr("they count in queue open until they end")));
  EXPECT_THAT(ValidatePodGroup(old, &old, snapshot).problems, IsEmpty());
}

TEST_F(GroupAdmissionTest, APodGroupGetsAQueueAndOneMember) {
  EXPECT_EQ(Patch(MutatePodGroup(ReadSpec<PodGroup>("{}"), "default", snapshot)),
            R"([{"op":"add","path":"/spec/queue","value":"default"},)"
            R"({"op":"add","path":"/spec/minMember","value":1}])");
  EXPECT_EQ(Patch(MutatePodGroup(ReadSpec<PodGroup>(R"({"minMember":2,"queue":"default"})"), "team",
                                 snapshot)),
            R"([{"op":"add","path":"/spec/queue","value":"open"}])");
  EXPECT_EQ(
      Patch(MutatePodGroup(ReadSpec<PodGroup>(R"({"minMember":2,"queue":"x"})"), "team", snapshot)),
      "[]");
}

TEST_F(GroupAdmissionTest, APodGroupGoesToAnOpenQueue) {
  EXPECT_THAT(Problems(R"({"minMember":1,"queue":"open"})"), IsEmpty());
  EXPECT_THAT(Problems(R"({"minMember":1,"queue":"new"})"), IsEmpty());
  EXPECT_THAT(Problems(R"({"minMember":1,"queue":"default"})"), IsEmpty());
  EXPECT_THAT(Problems(R"({"queue":"closed"})"), ElementsAre(HasSubstr("\"closed\" is Closed")));
  EXPECT_THAT(Problems(R"({"queue":"closing"})"), ElementsAre(HasSubstr("\"closing\" is Closing")));
  EXPECT_THAT(Problems(R"({"queue":"no"})"), ElementsAre(HasSubstr("there is no queue \"no\"")));
}

TEST_F(GroupAdmissionTest, AQueueMayCloseAroundItsGroups) {
  const auto old = ReadSpec<PodGroup>(R"({"queue":"closed","minMember":1})");
  EXPECT_TRUE(
      ValidatePodGroup(ReadSpec<PodGroup>(R"({"queue":"closed","minMember":2})"), &old, snapshot)
          .allowed());
  const auto before = ReadSpec<PodGroup>(R"({"queue":"open","minMember":1})");
  EXPECT_FALSE(ValidatePodGroup(old, &before, snapshot).allowed());
}

TEST_F(GroupAdmissionTest, CountsOfAPodGroupAreNotNegative) {
  EXPECT_THAT(Problems(R"({"minMember":-1})"), ElementsAre(HasSubstr("spec.minMember: -1")));
  EXPECT_THAT(Problems(R"({"minTaskMember":{"a":-2}})"),
              ElementsAre(HasSubstr("spec.minTaskMember[a]: -2")));
  EXPECT_THAT(Problems(R"({"minResources":{"cpu":"-1"}})"),
              ElementsAre(HasSubstr("spec.minResources[cpu]: -1")));
  EXPECT_THAT(Problems(R"({"networkTopology":{"highestTierAllowed":1,"highestTierName":"spine"}})"),
              ElementsAre(HasSubstr("exclude each other")));
}

constexpr std::string_view kTask =
    R"({"name":"t","replicas":2,"template":{"spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}]}}})";

TEST_F(GroupAdmissionTest, AReservationGetsSchedulerQueueAndAllReplicas) {
  const auto reservation = ReadSpec<Reservation>(fmt::format(R"({{"tasks":[{}]}})", kTask));
  EXPECT_EQ(Patch(MutateReservation(reservation, "team", snapshot, policy)),
            R"([{"op":"add","path":"/spec/schedulerName","value":"volcano"},)"
            R"({"op":"add","path":"/spec/tasks/0/template/spec/schedulerName","value":"volcano"},)"
            R"({"op":"add","path":"/spec/queue","value":"open"},)"
            R"({"op":"add","path":"/spec/minAvailable","value":2}])");
  const auto whole = ReadSpec<Reservation>(
      R"({"schedulerName":"s","queue":"q","minAvailable":1,"tasks":[{"name":"t","template":{"spec":
          {"schedulerName":"s","containers":[{"name":"c"}]}}}]})");
  EXPECT_EQ(Patch(MutateReservation(whole, "team", snapshot, policy)), "[]");
}

TEST_F(GroupAdmissionTest, AReservationSaysWhatItWants) {
  struct Case {
    std::string spec;
    const char* want;  // "": good
  };
  const std::string container = R"("template":{"spec":{"containers":[{"name":"c"}]}})";
  for (const Case& c : std::initializer_list<Case>{
           {fmt::format(R"({{"minAvailable":2,"ttl":"0s","queue":"open","tasks":[{}]}})", kTask),
            ""},
           {R"({"tasks":[]})", "spec.tasks: at least one"},
           {fmt::format(R"({{"tasks":[{0},{0}]}})", kTask), "another task has this name"},
           {fmt::format(R"({{"minAvailable":3,"tasks":[{}]}})", kTask), "must not exceed the 2"},
           {fmt::format(R"({{"minAvailable":-1,"tasks":[{}]}})", kTask), "spec.minAvailable: -1"},
           {fmt::format(R"({{"ttl":"-1s","tasks":[{}]}})", kTask), "spec.ttl: -1s"},
           {fmt::format(R"({{"queue":"no","tasks":[{}]}})", kTask),
            "spec.queue: there is no queue"},
           {fmt::format(R"({{"queue":"closed","tasks":[{}]}})", kTask), "is Closed"},
           {fmt::format(R"({{"owners":[{{}}],"tasks":[{}]}})", kTask),
            "spec.owners[0]: want object"},
           {fmt::format(R"({{"owners":[{{"object":{{"name":"x"}}}}],"tasks":[{}]}})", kTask), ""},
           {R"({"tasks":[{"name":"t","replicas":0,)" + container + "}]}",
            "spec.tasks[0].replicas: 0: must be positive"},
           {R"({"tasks":[{"name":"T!",)" + container + "}]}", "spec.tasks[0].name: \"T!\""},
           {R"({"tasks":[{"name":"t","reservationNodePolicy":"Required",)" + container + "}]}",
            "the policy Required needs at least one"},
           {R"({"tasks":[{"name":"t","reservationNodePolicy":"Required",)"
            R"("reservationNodeNames":["n"],)" +
                container + "}]}",
            ""},
           {R"({"tasks":[{"name":"t"}]})", "template.spec.containers: at least one"},
           {R"({"tasks":[{"name":"t","template":{"spec":{"containers":[{"name":"c",)"
            R"("resources":{"requests":{"cpu":"-1"}}}]}}}]})",
            "resources.requests[cpu]: -1"},
           {R"({"tasks":[{"name":"t","template":{"spec":{"containers":[{"name":"c"}],)"
            R"("initContainers":[{"name":"i","resources":{"limits":{"cpu":"-1"}}}]}}}]})",
            "spec.tasks[0].template.spec.initContainers[0].resources.limits[cpu]: -1"},
           {R"({"tasks":[{"name":"t","replicas":10001,)" + container + "}]}",
            "10001 replicas are more than"},
       }) {
    const auto problems =
        ValidateReservation(ReadSpec<Reservation>(c.spec), nullptr, snapshot, now).problems;
    if (*c.want == '\0') {
      EXPECT_THAT(problems, IsEmpty()) << c.spec;
    } else {
      EXPECT_THAT(problems, ElementsAre(HasSubstr(c.want))) << c.spec;
    }
  }
}

TEST_F(GroupAdmissionTest, OfAReservationOnlyTheEndAndTheOwnersChange) {
  const auto old = ReadSpec<Reservation>(fmt::format(R"({{"ttl":"1h","tasks":[{}]}})", kTask));
  const auto judge = [&](const std::string& spec) {
    return ValidateReservation(ReadSpec<Reservation>(spec), &old, snapshot, now).problems;
  };
  EXPECT_THAT(judge(fmt::format(
                  R"({{"ttl":"2h","owners":[{{"object":{{"name":"a"}}}}],"tasks":[{}]}})", kTask)),
              IsEmpty());
  EXPECT_THAT(judge(fmt::format(R"({{"ttl":"1h","queue":"open","tasks":[{}]}})", kTask)),
              ElementsAre(HasSubstr("spec.queue: cannot be changed")));
  EXPECT_THAT(judge(R"({"ttl":"1h","tasks":[]})"),
              ElementsAre(HasSubstr("spec.tasks: cannot be changed")));
  EXPECT_THAT(judge(fmt::format(R"({{"ttl":"1h","minAvailable":1,"tasks":[{}]}})", kTask)),
              ElementsAre(HasSubstr("spec.minAvailable: cannot be changed")));
  EXPECT_THAT(judge(fmt::format(R"({{"expires":"2020-01-01T00:00:00Z","tasks":[{}]}})", kTask)),
              IsEmpty());
}

TEST_F(GroupAdmissionTest, AReservationThatIsSentAgainWithoutItsDefaultsHasNotChanged) {
  const auto old = ReadSpec<Reservation>(
      R"({"schedulerName":"volcano","tasks":[{"name":"t","template":{"spec":
          {"schedulerName":"volcano","containers":[{"name":"c"}]}}}]})");
  const auto again = ReadSpec<Reservation>(
      R"({"schedulerName":"volcano","tasks":[{"name":"t","template":{"spec":
          {"containers":[{"name":"c"}]}}}]})");
  EXPECT_THAT(ValidateReservation(again, &old, snapshot, now).problems, IsEmpty());
}

TEST_F(GroupAdmissionTest, AReservationThatHasEndedIsLetInWithAWarning) {
  const Review review =
      ValidateReservation(ReadSpec<Reservation>(fmt::format(
                              R"({{"expires":"2020-01-01T00:00:00Z","tasks":[{}]}})", kTask)),
                          nullptr, snapshot, now);
  EXPECT_TRUE(review.allowed());
  EXPECT_THAT(review.warnings, ElementsAre(HasSubstr("has passed")));
}

}  // namespace
}  // namespace basalt::webhook
