#include "webhook/pod_admission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "kube/types/codec.h"
#include "testing/builders.h"

namespace basalt::webhook {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testutil::MakePod;
using testutil::PodBuilder;

constexpr std::string_view kMinMember = "scheduling.volcano.sh/group-min-member";
constexpr std::string_view kGate = "scheduling.volcano.sh/queue-allocation-gate";
constexpr std::string_view kQueue = "scheduling.volcano.sh/queue-name";

kube::Pod ReadPod(const PodBuilder& pod) {
  auto decoded = kube::Decode<kube::Pod>(pod.Text());
  EXPECT_TRUE(decoded) << decoded.error().message;
  return *decoded;
}

class PodAdmissionTest : public testing::Test {
 protected:
  PodAdmissionTest() {
    kube::Namespace plain;
    plain.meta.name = "default";
    snapshot.PutNamespace(plain);
    kube::Namespace team;
    team.meta.name = "team";
    team.meta.annotations = {{kQueue, "research"}};
    snapshot.PutNamespace(team);
  }

  // The patch as text; "[]": unchanged.
  std::string Mutate(const PodBuilder& pod, std::string_view ns = "default") {
    const Review review = MutatePod(ReadPod(pod), ns, snapshot, policy);
    EXPECT_TRUE(review.allowed());
    return boost::json::serialize(review.patch);
  }

  Snapshot snapshot;
  Policy policy;
};

TEST_F(PodAdmissionTest, ThePodOnANodeStaysInItsQueue) {
  constexpr std::string_view kBound = "basalt.sh/queue";
  const PodBuilder waiting = MakePod("a").Annotation(kQueue, "a");
  const PodBuilder bound =
      MakePod("a").Annotation(kQueue, "a").Annotation(kBound, "a.tag").Node("n1");
  const struct {
    const char* what;
    PodBuilder old, now;
    const char* refused;  // the annotation; "": it is let in
  } kCases[] = {
      {"a pod that waits", waiting, MakePod("a").Annotation(kQueue, "b"), ""},
      {"a label", bound, PodBuilder(bound).Label("x", "y"), ""},
      {"another queue", bound, PodBuilder(bound).Annotation(kQueue, "b"), "queue-name"},
      {"no queue", bound, MakePod("a").Annotation(kBound, "a.tag").Node("n1"), "queue-name"},
      {"another record", bound, PodBuilder(bound).Annotation(kBound, "b.tag"), "basalt.sh/queue"},
      {"no record", bound, MakePod("a").Annotation(kQueue, "a").Node("n1"), "basalt.sh/queue"},
      {"of another scheduler", PodBuilder(bound).Scheduler("other"),
       PodBuilder(bound).Scheduler("other").Annotation(kQueue, "b"), ""},
  };
  for (const auto& test : kCases) {
    const Review review = ValidatePodUpdate(ReadPod(test.now), ReadPod(test.old), policy);
    if (*test.refused == 0) {
      EXPECT_THAT(review.problems, IsEmpty()) << test.what;
    } else {
      EXPECT_THAT(review.problems, ElementsAre(HasSubstr(test.refused))) << test.what;
    }
  }
}

TEST_F(PodAdmissionTest, AGangPodGetsTheNameOfItsGroup) {
  const auto pod = MakePod("a")
                       .Annotation(kMinMember, "3")
                       .Owner(kube::resources::kReplicaSets, "web", "123-456");
  EXPECT_EQ(Mutate(pod),
            R"([{"op":"add","path":"/metadata/annotations/scheduling.k8s.io~1group-name",)"
            R"("value":"podgroup-123-456"}])");
  const auto by_resources =
      MakePod("a")
          .Annotation("scheduling.volcano.sh/group-min-resources", R"({"cpu":"4"})")
          .Owner(kube::resources::kJobs, "j", "7");
  EXPECT_THAT(Mutate(by_resources), HasSubstr(R"("value":"podgroup-7")"));
}

TEST_F(PodAdmissionTest, ABadCountStillNamesTheGroupThatThePodWaitsFor) {
  const auto pod =
      MakePod("a").Annotation(kMinMember, "many").Owner(kube::resources::kJobs, "j", "7");
  EXPECT_THAT(Mutate(pod), HasSubstr("podgroup-7"));
}

TEST_F(PodAdmissionTest, TheGateIsAddedOnceAndOthersStay) {
  const auto plain = MakePod("a").Annotation(kGate, "true");
  EXPECT_EQ(Mutate(plain), R"([{"op":"add","path":"/spec/schedulingGates",)"
                           R"("value":[{"name":"scheduling.volcano.sh/queue-allocation-gate"}]}])");
  EXPECT_EQ(Mutate(MakePod("a").Annotation(kGate, "true").Gate("example.com/other")),
            R"([{"op":"add","path":"/spec/schedulingGates/-",)"
            R"("value":{"name":"scheduling.volcano.sh/queue-allocation-gate"}}])");
  EXPECT_EQ(Mutate(MakePod("a").Annotation(kGate, "true").Gate("example.com/other").Gate(kGate)),
            "[]");
  policy.queue_allocation_gates = false;
  EXPECT_EQ(Mutate(plain), "[]");
}

TEST_F(PodAdmissionTest, TheNamespacesQueueIsTakenWhereThePodNamesNone) {
  EXPECT_THAT(Mutate(MakePod("a").Annotation(kGate, "true"), "team"),
              HasSubstr(R"("path":"/metadata/annotations/scheduling.volcano.sh~1queue-name",)"
                        R"("value":"research")"));
  EXPECT_THAT(Mutate(MakePod("a").Annotation(kGate, "true").Annotation(kQueue, "mine"), "team"),
              Not(HasSubstr("research")));
  EXPECT_THAT(Mutate(MakePod("a").Annotation(kGate, "true").Group("g"), "team"),
              Not(HasSubstr("research")));
}

TEST_F(PodAdmissionTest, ANamespaceThatIsNotKnownYetIsWaitedFor) {
  const kube::Pod pod = ReadPod(MakePod("a").Annotation(kGate, "true"));
  EXPECT_TRUE(MutatePod(pod, "new", snapshot, policy).doubtful);
  EXPECT_FALSE(MutatePod(pod, "team", snapshot, policy).doubtful);
  EXPECT_FALSE(MutatePod(ReadPod(MakePod("a")), "new", snapshot, policy).doubtful);
}

TEST_F(PodAdmissionTest, WhatConcernsNobodyStaysAsItIs) {
  const std::vector<PodBuilder> pods = {
      MakePod("a"),
      MakePod("a").Annotation("volcano.sh/preemptable", "true"),
      MakePod("a").Annotation(kGate, "false"),
      MakePod("a").Annotation(kGate, "True"),
      MakePod("a").Annotation(kGate, "true").Scheduler("default-scheduler"),
      MakePod("a").Annotation(kGate, "true").Node("node-1"),
      MakePod("a")
          .Annotation(kMinMember, "3")
          .Scheduler("other")
          .Owner(kube::resources::kJobs, "j", "7"),
      MakePod("a").Annotation(kMinMember, "3"),  // without an owner: the controller's task
      MakePod("a").Annotation(kMinMember, "3").Group("g").Owner(kube::resources::kJobs, "j", "7"),
      MakePod("a")
          .Annotation(kMinMember, "3")
          .Annotation("scheduling.volcano.sh/group-name", "g")
          .Owner(kube::resources::kJobs, "j", "7"),
  };
  for (const PodBuilder& pod : pods) EXPECT_EQ(Mutate(pod), "[]") << pod.Text();
}

TEST_F(PodAdmissionTest, DisruptionAnnotationsAreCountsOrPercentages) {
  struct Case {
    const char* value;
    bool good;
  };
  for (const Case& c : std::initializer_list<Case>{{"1", true},
                                                   {"100", true},
                                                   {"1%", true},
                                                   {"99%", true},
                                                   {"0", false},
                                                   {"-1", false},
                                                   {"100%", false},
                                                   {"0%", false},
                                                   {"", false},
                                                   {"%", false},
                                                   {"two", false},
                                                   {"1.5", false}}) {
    for (const char* key : {"volcano.sh/jdb-min-available", "volcano.sh/jdb-max-unavailable"}) {
      const Review review = ValidatePod(ReadPod(MakePod("a").Annotation(key, c.value)), policy);
      EXPECT_EQ(review.allowed(), c.good) << key << "=" << c.value;
      if (c.good) continue;
      EXPECT_THAT(review.problems, ElementsAre(HasSubstr(key)));
    }
  }
  const auto both = MakePod("a")
                        .Annotation("volcano.sh/jdb-min-available", "1")
                        .Annotation("volcano.sh/jdb-max-unavailable", "1");
  EXPECT_THAT(ValidatePod(ReadPod(both), policy).problems, ElementsAre(HasSubstr("exclude")));
  const auto foreign =
      MakePod("a").Annotation("volcano.sh/jdb-min-available", "0").Scheduler("other");
  EXPECT_TRUE(ValidatePod(ReadPod(foreign), policy).allowed());
}

TEST_F(PodAdmissionTest, ABadCountOfMembersIsLetInWithAWarning) {
  const Review review = ValidatePod(ReadPod(MakePod("a").Annotation(kMinMember, "0")), policy);
  EXPECT_TRUE(review.allowed());
  EXPECT_THAT(review.warnings, ElementsAre(HasSubstr("group-min-member")));
  EXPECT_THAT(ValidatePod(ReadPod(MakePod("a").Annotation(kMinMember, "2")), policy).warnings,
              IsEmpty());
}

}  // namespace
}  // namespace basalt::webhook
