// What is scheduled for a reservation: pods as the API server would have made them.
#include "model/reserved_pod.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kube/types/codec.h"
#include "kube/types/pod_resources.h"
#include "model/annotations.h"

namespace basalt::model {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// A reservation of one task with this template; `more` are further fields of the task.
kube::Reservation ReservationOf(const std::string& pod_template, const std::string& more = "") {
  const auto read = kube::Decode<kube::Reservation>(fmt::format(
      R"({{"metadata":{{"name":"r","namespace":"ns","uid":"u","creationTimestamp":"2026-01-01T00:00:00Z"}},
          "spec":{{"schedulerName":"volcano","tasks":[{{"name":"t","replicas":3,"template":{}{}}}]}}}})",
      pod_template, more));
  EXPECT_TRUE(read) << read.error().message;
  return read.value_or(kube::Reservation{});
}
std::shared_ptr<const kube::Pod> PodFrom(const std::string& pod_template,
                                         const std::string& more = "",
                                         const kube::PriorityClass* of_class = nullptr) {
  return ReservedPod(ReservationOf(pod_template, more), 0, 2, 12, of_class);
}

TEST(ReservedPodTest, HasANameThatNoPodCanHaveAndAnOrderThatTextsHave) {
  const auto pod = PodFrom("{}");
  EXPECT_EQ(pod->meta.ns, "ns");
  EXPECT_EQ(pod->meta.name, "reservation:r:t:2");
  EXPECT_EQ(pod->meta.uid, "u:0000000012");
  EXPECT_EQ(pod->meta.creation_timestamp, ReservationOf("{}").meta.creation_timestamp);
  EXPECT_EQ(SlotOf(*pod), 12u);
  EXPECT_EQ(SlotOf(*ReservedPod(ReservationOf("{}"), 0, 0, 4'000'000'001u, nullptr)),
            4'000'000'001u);
  EXPECT_EQ(pod->spec.scheduler_name, "volcano") << "the reservation's";
  EXPECT_EQ(PodFrom(R"({"spec":{"schedulerName":"own"}})")->spec.scheduler_name, "own");
}

TEST(ReservedPodTest, BelongsToTheReservationAndToNoGroupQueueOrGateOfItsTemplate) {
  const auto pod = PodFrom(R"({"metadata":{"labels":{"app":"web"},"annotations":{
      "example.com/kept":"yes","scheduling.k8s.io/group-name":"g",
      "scheduling.volcano.sh/group-name":"g","scheduling.volcano.sh/group-min-member":"2",
      "scheduling.volcano.sh/group-min-resources":"{}","scheduling.volcano.sh/queue-name":"q",
      "scheduling.volcano.sh/queue-allocation-gate":"true","volcano.sh/reservation-name":"other",
      "basalt.sh/evictions":"x","basalt.sh/queue":"x","volcano.sh/task-spec":"x"}},
      "spec":{"nodeName":"n","schedulingGates":[{"name":"g"}]}})");
  EXPECT_EQ(pod->meta.labels.Get("app"), "web");
  std::vector<std::string> left;
  for (const auto entry : pod->meta.annotations) {
    left.push_back(fmt::format("{}={}", entry.key, entry.value));
  }
  EXPECT_THAT(left,
              ElementsAre("example.com/kept=yes", "scheduling.k8s.io/group-name=reservation:r",
                          "volcano.sh/task-spec=t"));
  EXPECT_EQ(pod->spec.node_name, "");
  EXPECT_THAT(pod->spec.scheduling_gates, IsEmpty());
}

TEST(ReservedPodTest, AsksForItsLimitsWhereItAsksForNothingElse) {
  const auto pod = PodFrom(R"({"spec":{
      "containers":[{"name":"c","resources":{"limits":{"cpu":"2","memory":"1Gi"},"requests":{"cpu":"1"}}},
                    {"name":"d","resources":{"limits":{"cpu":"4"}}},{"name":"e"}],
      "initContainers":[{"name":"i","resources":{"limits":{"memory":"3Gi"}}}],
      "resources":{"limits":{"cpu":"9"}}}})");
  const auto request = [](const kube::ResourceRequirements& resources, const char* name) {
    const kube::Quantity* found = resources.requests.Find(name);
    return found ? found->ToString() : "none";
  };
  EXPECT_EQ(request(pod->spec.containers[0].resources, "cpu"), "1");
  EXPECT_EQ(request(pod->spec.containers[0].resources, "memory"), "1Gi");
  EXPECT_EQ(request(pod->spec.containers[1].resources, "cpu"), "4");
  EXPECT_EQ(request(pod->spec.containers[2].resources, "cpu"), "none");
  EXPECT_EQ(request(pod->spec.init_containers[0].resources, "memory"), "3Gi");
  EXPECT_EQ(request(*pod->spec.resources, "cpu"), "9");
}

TEST(ReservedPodTest, OnTheNodesNetworkEveryPortIsOneOfTheNodes) {
  constexpr const char* kPorts =
      R"("containers":[{"name":"c","ports":[{"containerPort":80},{"containerPort":81,"hostPort":9}]}])";
  const auto ports = [&](const char* more) {
    std::vector<int> numbers;
    const auto pod = PodFrom(fmt::format(R"({{"spec":{{{}{}}}}})", kPorts, more));
    for (const auto& port : pod->spec.containers[0].ports) numbers.push_back(port.host_port);
    return numbers;
  };
  EXPECT_THAT(ports(""), ElementsAre(0, 9));
  EXPECT_THAT(ports(R"(,"hostNetwork":true)"), ElementsAre(80, 9));
}

TEST(ReservedPodTest, KeepsItsVolumesButForClaimsThatAreMadeWithThePod) {
  const auto pod = PodFrom(R"({"spec":{"volumes":[
      {"name":"a","persistentVolumeClaim":{"claimName":"c"}},
      {"name":"b","ephemeral":{"volumeClaimTemplate":{}}},{"name":"e","emptyDir":{}}]}})");
  ASSERT_THAT(pod->spec.volumes, SizeIs(2));
  EXPECT_EQ(pod->spec.volumes[0].name, "a");
  EXPECT_EQ(pod->spec.volumes[1].name, "e");
}

TEST(ReservedPodTest, IsAsImportantAsItsClassSaysAndAsLittleAsNothingWithoutOne) {
  kube::PriorityClass high;
  high.value = 70;
  high.preemption_policy = kube::PreemptionPolicy::kNever;
  const auto pod = PodFrom(R"({"spec":{"priority":5}})", "", &high);
  EXPECT_EQ(pod->spec.priority, 70);
  EXPECT_EQ(pod->spec.preemption_policy, kube::PreemptionPolicy::kNever);
  const auto plain = PodFrom(R"({"spec":{"priority":5,"preemptionPolicy":"Never"}})");
  EXPECT_EQ(plain->spec.priority, 0);
  EXPECT_EQ(plain->spec.preemption_policy, kube::PreemptionPolicy::kPreemptLowerPriority);
}

// The nodes that a task requires, as terms "field in names & label" of which one must hold.
std::vector<std::string> TermsOf(const kube::Pod& pod) {
  std::vector<std::string> terms;
  if (!pod.spec.affinity || !pod.spec.affinity->node || !pod.spec.affinity->node->required) {
    return terms;
  }
  for (const kube::NodeSelectorTerm& term : pod.spec.affinity->node->required->terms) {
    std::string text;
    for (const auto* list : {&term.match_expressions, &term.match_fields}) {
      for (const kube::NodeSelectorRequirement& one : *list) {
        text +=
            fmt::format("{}{}={}", text.empty() ? "" : "&", one.key, fmt::join(one.values, ","));
      }
    }
    terms.push_back(text);
  }
  return terms;
}

TEST(ReservedPodTest, MustBeOnOneOfTheNodesThatItsTaskRequiresAndWhereItsTemplateLetsIt) {
  constexpr const char* kNodes =
      R"(,"reservationNodeNames":["n1","n2"],"reservationNodePolicy":"Required")";
  constexpr const char* kZones =
      R"({"spec":{"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":
          {"nodeSelectorTerms":[{"matchExpressions":[{"key":"zone","operator":"In","values":["a"]}]},
          {},{"matchFields":[{"key":"metadata.name","operator":"In","values":["n2"]}]}]}}}}})";
  EXPECT_THAT(TermsOf(*PodFrom("{}", kNodes)), ElementsAre("metadata.name=n1", "metadata.name=n2"));
  EXPECT_THAT(TermsOf(*PodFrom(kZones, kNodes)),
              ElementsAre("zone=a&metadata.name=n1", "metadata.name=n2&metadata.name=n1",
                          "zone=a&metadata.name=n2", "metadata.name=n2&metadata.name=n2"));
  EXPECT_THAT(TermsOf(*PodFrom("{}", R"(,"reservationNodeNames":["n1"])")), IsEmpty()) << "a wish";
  EXPECT_THAT(TermsOf(*PodFrom(kZones)), ElementsAre("zone=a", "", "metadata.name=n2"));
}

TEST(ReservedGroupTest, NeedsTheLimitsOfInitContainersAndOfWholePodsToo) {
  const auto needs = [](const char* spec, const char* name) {
    const auto group = ReservedGroup(ReservationOf(fmt::format(R"({{"spec":{}}})", spec)), "q", "");
    return group->min_resources->Get(name).ToString();
  };
  EXPECT_EQ(needs(R"({"containers":[{"name":"c"}],
      "initContainers":[{"name":"i","resources":{"limits":{"cpu":"2"}}}]})",
                  "cpu"),
            "6");
  EXPECT_EQ(
      needs(R"({"containers":[{"name":"c"}],"resources":{"limits":{"memory":"1Gi"}}})", "memory"),
      "3Gi");
}

TEST(ReservedGroupTest, NeedsAsManyAsTheReservationAndWhatTheFirstOfThemAskFor) {
  struct Row {
    const char* least;
    int members;
    const char* cpu;
    const char* gpu;
  };
  // Three of 1 CPU by their limit, none of a task that is not wanted, two of a GPU.
  for (const Row& row : {Row{"1", 1, "1", "0"}, Row{"3", 3, "3", "0"}, Row{"4", 4, "3", "1"},
                         Row{"5", 5, "3", "2"}, Row{"0", 5, "3", "2"}, Row{"9", 9, "3", "2"}}) {
    const auto reservation = kube::Decode<kube::Reservation>(fmt::format(
        R"({{"metadata":{{"name":"r","namespace":"ns","uid":"u"}},"spec":{{"minAvailable":{},"tasks":[
        {{"name":"a","replicas":3,"template":{{"spec":{{"containers":[
            {{"name":"c","resources":{{"limits":{{"cpu":"1"}}}}}}]}}}}}},
        {{"name":"b","replicas":0,"template":{{"spec":{{"containers":[
            {{"name":"c","resources":{{"requests":{{"cpu":"100"}}}}}}]}}}}}},
        {{"name":"c","replicas":2,"template":{{"spec":{{"containers":[
            {{"name":"c","resources":{{"requests":{{"nvidia.com/gpu":"1"}}}}}}]}}}}}}]}}}})",
        row.least));
    ASSERT_TRUE(reservation) << reservation.error().message;
    const auto group = ReservedGroup(*reservation, "q", "high");
    EXPECT_EQ(group->min_member, row.members) << row.least;
    EXPECT_EQ(group->min_resources->Get("cpu").ToString(), row.cpu) << row.least;
    EXPECT_EQ(group->min_resources->Get("nvidia.com/gpu").ToString(), row.gpu) << row.least;
    EXPECT_EQ(group->min_resources->Get("pods"), kube::Quantity::Of(row.members)) << row.least;
    EXPECT_EQ(group->meta.Key(), "ns/reservation:r");
    EXPECT_EQ(group->meta.uid, "u");
    EXPECT_EQ(group->queue, "q");
    EXPECT_EQ(group->priority_class_name, "high");
  }
}

}  // namespace
}  // namespace basalt::model
