#include "webhook/queue_admission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>
#include <memory>

#include "kube/types/codec.h"

namespace basalt::webhook {
namespace {

using kube::Queue;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Queue ReadQueue(std::string_view name, std::string_view spec, std::string_view status = "{}") {
  auto queue = kube::Decode<Queue>(
      fmt::format(R"({{"metadata":{{"name":"{}"}},"spec":{},"status":{}}})", name, spec, status));
  EXPECT_TRUE(queue) << queue.error().message;
  return *queue;
}

class QueueAdmissionTest : public testing::Test {
 protected:
  void Put(std::string_view name, std::string_view spec, std::string_view status = "{}") {
    snapshot.PutQueue(std::make_shared<const Queue>(ReadQueue(name, spec, status)));
  }
  std::vector<std::string> Create(std::string_view name, std::string_view spec) {
    return ValidateQueue(ReadQueue(name, spec), nullptr, snapshot, policy).problems;
  }
  std::vector<std::string> Update(std::string_view name, std::string_view spec) {
    return ValidateQueue(ReadQueue(name, spec), snapshot.FindQueue(name), snapshot, policy)
        .problems;
  }
  std::vector<std::string> Delete(std::string_view name) {
    return ValidateQueueDeletion(name, snapshot).problems;
  }

  Snapshot snapshot;
  Policy policy;
};

TEST_F(QueueAdmissionTest, DefaultsAreWeightOneAndReclaimable) {
  EXPECT_EQ(boost::json::serialize(MutateQueue(ReadQueue("a", "{}")).patch),
            R"([{"op":"add","path":"/spec/reclaimable","value":true},)"
            R"({"op":"add","path":"/spec/weight","value":1}])");
  EXPECT_THAT(MutateQueue(ReadQueue("a", R"({"weight":4,"reclaimable":false})")).patch, IsEmpty());
}

TEST_F(QueueAdmissionTest, AHierarchyStartsAtRoot) {
  Queue queue = ReadQueue("a", R"({"weight":1,"reclaimable":true})");
  queue.meta.annotations = {{"volcano.sh/hierarchy", "sci/dev"},
                            {"volcano.sh/hierarchy-weights", "2/3"}};
  EXPECT_EQ(boost::json::serialize(MutateQueue(queue).patch),
            R"([{"op":"add","path":"/metadata/annotations/volcano.sh~1hierarchy",)"
            R"("value":"root/sci/dev"},)"
            R"({"op":"add","path":"/metadata/annotations/volcano.sh~1hierarchy-weights",)"
            R"("value":"1/2/3"}])");
  queue.meta.annotations = {{"volcano.sh/hierarchy", "root/sci"},
                            {"volcano.sh/hierarchy-weights", "1/0"}};
  EXPECT_THAT(MutateQueue(queue).patch, IsEmpty());
  EXPECT_THAT(ValidateQueue(queue, nullptr, snapshot, policy).problems,
              ElementsAre(HasSubstr("no positive number")));
  queue.meta.annotations = {{"volcano.sh/hierarchy", "root/sci"},
                            {"volcano.sh/hierarchy-weights", "1"}};
  EXPECT_THAT(ValidateQueue(queue, nullptr, snapshot, policy).problems,
              ElementsAre(HasSubstr("as many parts")));
}

TEST_F(QueueAdmissionTest, AmountsOfOneQueueAreInOrder) {
  struct Case {
    const char* spec;
    const char* want;  // "": good
  };
  for (
      const Case& c : std::initializer_list<Case>{
          {R"({"capability":{"cpu":"4"},"deserved":{"cpu":"2"},"guarantee":{"resource":{"cpu":1}}})",
           ""},
          {R"({"capability":{"cpu":"4"},"deserved":{"cpu":"4000m"},"guarantee":{"resource":{"cpu":"4"}}})",
           ""},
          {R"({"guarantee":{"resource":{"cpu":1}}})", ""},
          {R"({"deserved":{"memory":"1Gi"},"capability":{"cpu":"1"}})", ""},
          {R"({"capability":{"cpu":"2"},"deserved":{"cpu":"4"}})",
           "spec.deserved[cpu]: 4: must not exceed spec.capability[cpu], which is 2"},
          {R"({"deserved":{"cpu":"2"},"guarantee":{"resource":{"cpu":"3"}}})",
           "spec.guarantee.resource[cpu]: 3: must not exceed spec.deserved[cpu], which is 2"},
          {R"({"capability":{"nvidia.com/gpu":"2"},"guarantee":{"resource":{"nvidia.com/gpu":"3"}}})",
           "spec.guarantee.resource[nvidia.com/gpu]: 3: must not exceed spec.capability"},
          {R"({"capability":{"cpu":"-1"}})", "spec.capability[cpu]: -1: must not be negative"},
          {R"({"weight":-1})", "spec.weight: -1: must be positive"},
      }) {
    const auto problems = Create("a", c.spec);
    if (*c.want == '\0') {
      EXPECT_THAT(problems, IsEmpty()) << c.spec;
    } else {
      EXPECT_THAT(problems, ElementsAre(HasSubstr(c.want))) << c.spec;
    }
  }
}

TEST_F(QueueAdmissionTest, ThePlaceInTheTreeIsSound) {
  Put("root", "{}");
  Put("a", R"({"parent":"root"})");
  Put("b", R"({"parent":"a"})");
  Put("busy", "{}", R"({"allocated":{"pods":"3"}})");
  EXPECT_THAT(Create("c", R"({"parent":"b"})"), IsEmpty());
  EXPECT_THAT(Create("c", R"({"parent":"nobody"})"),
              ElementsAre(HasSubstr("spec.parent: there is no queue \"nobody\"")));
  EXPECT_THAT(Create("c", R"({"parent":"c"})"), ElementsAre(HasSubstr("its own parent")));
  EXPECT_THAT(Update("a", R"({"parent":"b"})"), ElementsAre(HasSubstr("circle")));
  EXPECT_THAT(Create("c", R"({"parent":"busy"})"), ElementsAre(HasSubstr("3 pods of its own")));
  EXPECT_THAT(Create("root", R"({"parent":"a"})"), ElementsAre(HasSubstr("has no parent")));
  Put("c", R"({"parent":"b"})");
  Put("d", R"({"parent":"c"})");
  EXPECT_THAT(Create("e", R"({"parent":"d"})"), IsEmpty());
  Put("e", R"({"parent":"d"})");
  EXPECT_THAT(Create("f", R"({"parent":"e"})"), ElementsAre(HasSubstr("more than 5 levels")));
}

TEST_F(QueueAdmissionTest, AmountsHoldInTheTree) {
  Put("root", "{}");
  Put("a",
      R"({"capability":{"cpu":"10"},"deserved":{"cpu":"8"},"guarantee":{"resource":{"cpu":4}}})");
  Put("b", R"({"parent":"a","deserved":{"cpu":"5"},"guarantee":{"resource":{"cpu":"3"}}})");
  struct Case {
    const char* spec;
    const char* want;
  };
  for (const Case& c : std::initializer_list<Case>{
           {R"({"parent":"a","capability":{"cpu":"10"},"deserved":{"cpu":"3"}})", ""},
           {R"({"parent":"a","capability":{"cpu":"11"}})", "more than the 10 of queue \"a\""},
           {R"({"parent":"b","capability":{"cpu":"11"}})", "more than the 10 of queue \"a\""},
           {R"({"parent":"a","deserved":{"cpu":"4"}})",
            "the children of queue \"a\" have 9 together, more than its deserved of 8"},
           {R"({"parent":"a","guarantee":{"resource":{"cpu":"2"}}})",
            "the children of queue \"a\" have 5 together, more than its guarantee of 4"},
           {R"({"parent":"a","guarantee":{"resource":{"memory":"2Gi"}}})", ""},
       }) {
    const auto problems = Create("c", c.spec);
    if (*c.want == '\0') {
      EXPECT_THAT(problems, IsEmpty()) << c.spec;
    } else {
      EXPECT_THAT(problems, ElementsAre(HasSubstr(c.want))) << c.spec;
    }
  }
  // From above: the parent must hold what is below it.
  EXPECT_THAT(Update("a", R"({"deserved":{"cpu":"4"},"capability":{"cpu":"10"}})"),
              testing::Contains(HasSubstr("have 5 together, more than its deserved of 4")));
  Put("d", R"({"parent":"b","capability":{"cpu":"9"}})");
  EXPECT_THAT(Update("a", R"({"capability":{"cpu":"8.5"}})"),
              ElementsAre(HasSubstr("less than the 9 of queue \"d\" below it")));
}

TEST_F(QueueAdmissionTest, AQueueBetweenThatStatesNothingPassesOnWhatIsBelowIt) {
  Put("a", R"({"guarantee":{"resource":{"cpu":"4"}}})");
  Put("middle", R"({"parent":"a"})");
  EXPECT_THAT(Create("c", R"({"parent":"middle","guarantee":{"resource":{"cpu":"4"}}})"),
              IsEmpty());
  EXPECT_THAT(Create("c", R"({"parent":"middle","guarantee":{"resource":{"cpu":"5"}}})"),
              ElementsAre(HasSubstr("the children of queue \"a\" have 5 together")));
}

TEST_F(QueueAdmissionTest, WhatDoesNotChangeIsNotJudgedAgain) {
  Put("bad", R"({"parent":"gone","capability":{"cpu":"1"},"deserved":{"cpu":"2"}})");
  EXPECT_THAT(
      Update("bad",
             R"({"parent":"gone","capability":{"cpu":"1"},"deserved":{"cpu":"2"},"weight":3})"),
      IsEmpty());
}

TEST_F(QueueAdmissionTest, TheRootsAmountsStay) {
  Put("root", "{}");
  EXPECT_THAT(Update("root", R"({"capability":{"cpu":"1"}})"),
              ElementsAre(HasSubstr("root queue cannot be changed")));
  EXPECT_THAT(Update("root", R"({"weight":2})"), IsEmpty());
}

TEST_F(QueueAdmissionTest, OnlyAnUnusedQueueIsDeleted) {
  Put("root", "{}");
  Put("default", "{}");
  Put("a", "{}");
  Put("b", R"({"parent":"a"})");
  Put("shadows", "{}", R"({"running":1})");
  Put("pods", "{}", R"({"allocated":{"pods":2,"cpu":"1"}})");
  kube::PodGroup group;
  group.meta.ns = "default";
  group.meta.name = "g";
  group.queue = "b";
  snapshot.PutGroup(group);
  EXPECT_THAT(Delete("root"), ElementsAre(HasSubstr("cannot be deleted")));
  EXPECT_THAT(Delete("default"), ElementsAre(HasSubstr("cannot be deleted")));
  EXPECT_THAT(Delete("a"), ElementsAre(HasSubstr("has 1 child queues, such as \"b\"")));
  EXPECT_THAT(Delete("b"), ElementsAre(HasSubstr("has 1 jobs")));
  EXPECT_THAT(Delete("shadows"), ElementsAre(HasSubstr("has 1 jobs")));
  EXPECT_THAT(Delete("pods"), ElementsAre(HasSubstr("has 2 pods")));
  EXPECT_THAT(Delete("nobody"), IsEmpty());
  group.phase = kube::PodGroupPhase::kCompleted;
  snapshot.PutGroup(group);
  EXPECT_THAT(Delete("b"), IsEmpty());
  snapshot.DropQueue("b");
  EXPECT_THAT(Delete("a"), IsEmpty());
}

TEST_F(QueueAdmissionTest, ATreeThatIsACircleAlreadyHoldsNobody) {
  Put("a", R"({"parent":"b"})");
  Put("b", R"({"parent":"a"})");
  EXPECT_THAT(Update("a", R"({"parent":"b","capability":{"cpu":"1"},"deserved":{"cpu":"1"}})"),
              IsEmpty());
  EXPECT_THAT(Create("c", R"({"parent":"a"})"), ElementsAre(HasSubstr("levels")));
}

}  // namespace
}  // namespace basalt::webhook
