#include "kube/types/codec.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kube/types/command.h"
#include "kube/types/event.h"
#include "kube/types/hypernode.h"
#include "kube/types/item_identity.h"
#include "kube/types/lease.h"
#include "kube/types/namespace.h"
#include "kube/types/node.h"
#include "kube/types/pdb.h"
#include "kube/types/pod.h"
#include "kube/types/priority_class.h"
#include "kube/types/reservation.h"
#include "kube/types/resource_quota.h"
#include "kube/types/scheduling.h"
#include "kube/types/storage.h"
#include "kube/types/time.h"
#include "kube/types/workloads.h"

namespace basalt::kube {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <class T>
T Of(std::string_view json) {
  Result<T> object = Decode<T>(json);
  EXPECT_TRUE(object) << object.error().message;
  return object ? *std::move(object) : T();
}

template <class T>
std::string ErrorOf(std::string_view json) {
  const Result<T> object = Decode<T>(json);
  return object ? "decoded" : object.error().message;
}

Time At(std::string_view text) { return ParseTime(text).value_or(Time()); }

TEST(Decode, ReadsMetadata) {
  const Pod pod = Of<Pod>(R"({"kind":"Pod","metadata":{"name":"web-0","namespace":"shop",
      "uid":"u-1","resourceVersion":"42","generateName":"web-","generation":3,
      "creationTimestamp":"2026-01-02T15:04:05Z","deletionTimestamp":"2026-01-02T16:00:00Z",
      "deletionGracePeriodSeconds":30,"labels":{"b":"2","a":"1"},"annotations":{"x":"y\n\u00e9"},
      "ownerReferences":[{"apiVersion":"v1","kind":"Other","name":"o","uid":"u-0"},
        {"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"u-2","controller":true}],
      "finalizers":["f"],"managedFields":[{"manager":"m","fieldsV1":{"f:a":{}}}]}})");
  EXPECT_EQ(pod.meta.Key(), "shop/web-0");
  EXPECT_EQ(pod.meta.uid, "u-1");
  EXPECT_EQ(pod.meta.resource_version, "42");
  EXPECT_EQ(pod.meta.generate_name, "web-");
  EXPECT_EQ(pod.meta.generation, 3);
  EXPECT_EQ(pod.meta.creation_timestamp, At("2026-01-02T15:04:05Z"));
  EXPECT_EQ(pod.meta.deletion_timestamp, At("2026-01-02T16:00:00Z"));
  EXPECT_EQ(pod.meta.deletion_grace_period_seconds, 30);
  EXPECT_EQ(pod.meta.labels, (StringMap{{"a", "1"}, {"b", "2"}}));
  EXPECT_EQ(pod.meta.annotations.Get("x"), "y\n\u00e9");
  ASSERT_NE(pod.meta.Controller(), nullptr);
  EXPECT_EQ(pod.meta.Controller()->name, "web");
  EXPECT_TRUE(pod.meta.HasFinalizer("f"));
}

TEST(Decode, ReadsWhatAPodAsksFor) {
  const Pod pod = Of<Pod>(R"({"spec":{
      "containers":[{"name":"main","image":"img:1","command":["sleep"],"args":["5"],
        "resources":{"requests":{"memory":"1Gi","cpu":0.5},"limits":{"cpu":"1"},
                     "claims":[{"name":"c"}]},
        "ports":[{"containerPort":80,"hostPort":8080,"hostIP":"10.0.0.1","protocol":"UDP"}]}],
      "initContainers":[{"name":"side","restartPolicy":"Always"}],
      "overhead":{"cpu":"10m"},"nodeName":"n1","schedulerName":"volcano","priority":7,
      "priorityClassName":"high","preemptionPolicy":"Never","restartPolicy":"OnFailure",
      "hostNetwork":true,"terminationGracePeriodSeconds":5,"nodeSelector":{"zone":"a"},
      "tolerations":[{"key":"k","operator":"Exists","effect":"NoExecute","tolerationSeconds":60}],
      "schedulingGates":[{"name":"g1"},{"name":"g2"}],
      "volumes":[{"name":"d","persistentVolumeClaim":{"claimName":"data","readOnly":true}},
                 {"name":"e","emptyDir":{}},{"name":"c","configMap":{"name":"x"}},
                 {"name":"g","gcePersistentDisk":{"pdName":"disk"}}],
      "resourceClaims":[{"name":"gpu","resourceClaimTemplateName":"t"}],
      "topologySpreadConstraints":[{"maxSkew":2,"topologyKey":"zone","minDomains":3,
        "whenUnsatisfiable":"ScheduleAnyway","nodeTaintsPolicy":"Honor",
        "nodeAffinityPolicy":"Ignore","labelSelector":{"matchLabels":{"a":"b"}},
        "matchLabelKeys":["hash"]}]}})");
  const PodSpec& spec = pod.spec;
  ASSERT_EQ(spec.containers.size(), 1u);
  const Container& main = spec.containers[0];
  EXPECT_EQ(main.image, "img:1");
  EXPECT_THAT(main.command, ElementsAre("sleep"));
  EXPECT_THAT(main.args, ElementsAre("5"));
  EXPECT_EQ(main.resources.requests.Get("cpu").MilliValue(), 500);
  EXPECT_EQ(main.resources.requests.Get("memory").ToString(), "1Gi");
  EXPECT_EQ(main.resources.requests.begin()->name, "cpu");
  EXPECT_TRUE(main.resources.has_claims);
  EXPECT_EQ(main.ports[0].host_port, 8080);
  EXPECT_EQ(main.ports[0].protocol, Protocol::kUdp);
  EXPECT_TRUE(spec.init_containers[0].restart_always);
  EXPECT_EQ(spec.priority, 7);
  EXPECT_EQ(spec.preemption_policy, PreemptionPolicy::kNever);
  EXPECT_EQ(spec.restart_policy, RestartPolicy::kOnFailure);
  EXPECT_EQ(spec.termination_grace_period_seconds, 5);
  EXPECT_EQ(spec.tolerations[0].op, Toleration::Operator::kExists);
  EXPECT_EQ(spec.tolerations[0].effect, TaintEffect::kNoExecute);
  EXPECT_EQ(spec.tolerations[0].toleration_seconds, 60);
  EXPECT_THAT(spec.scheduling_gates, ElementsAre("g1", "g2"));
  EXPECT_TRUE(pod.gated());
  EXPECT_TRUE(pod.HasGate("g2"));
  EXPECT_EQ(spec.volumes[0].kind, Volume::Kind::kPersistentVolumeClaim);
  EXPECT_EQ(spec.volumes[0].source, "data");
  EXPECT_TRUE(spec.volumes[0].read_only);
  EXPECT_EQ(spec.volumes[1].kind, Volume::Kind::kEmptyDir);
  EXPECT_EQ(spec.volumes[2].kind, Volume::Kind::kOther);
  EXPECT_EQ(spec.volumes[3].source, "gce:disk");
  EXPECT_EQ(spec.resource_claims[0].resource_claim_template_name, "t");
  const TopologySpreadConstraint& spread = spec.topology_spread_constraints[0];
  EXPECT_EQ(spread.max_skew, 2);
  EXPECT_EQ(spread.min_domains, 3);
  EXPECT_EQ(spread.when_unsatisfiable,
            TopologySpreadConstraint::WhenUnsatisfiable::kScheduleAnyway);
  EXPECT_EQ(spread.node_taints_policy, TopologySpreadConstraint::NodePolicy::kHonor);
  EXPECT_EQ(spread.node_affinity_policy, TopologySpreadConstraint::NodePolicy::kIgnore);
  EXPECT_TRUE(Matches(spread.label_selector, {{"a", "b"}}));
  EXPECT_THAT(spread.match_label_keys, ElementsAre("hash"));
}

TEST(Decode, ReadsAffinityOfEveryKind) {
  const Pod pod = Of<Pod>(R"({"spec":{"affinity":{
      "nodeAffinity":{
        "requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[
          {"matchExpressions":[{"key":"gpu","operator":"Gt","values":["1"]}],
           "matchFields":[{"key":"metadata.name","operator":"In","values":["n1"]}]}]},
        "preferredDuringSchedulingIgnoredDuringExecution":[{"weight":5,"preference":
          {"matchExpressions":[{"key":"zone","operator":"Exists"}]}}]},
      "podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[
          {"topologyKey":"zone","labelSelector":{"matchExpressions":[
             {"key":"app","operator":"NotIn","values":["x"]}]},
           "namespaces":["a"],"namespaceSelector":{},"matchLabelKeys":["v"]}]},
      "podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[
          {"weight":9,"podAffinityTerm":{"topologyKey":"host"}}]}}}})");
  ASSERT_TRUE(pod.spec.affinity);
  const Affinity& affinity = *pod.spec.affinity;
  EXPECT_TRUE(affinity.node->required->Matches({{"gpu", "2"}}, "n1"));
  EXPECT_FALSE(affinity.node->required->Matches({{"gpu", "2"}}, "n2"));
  EXPECT_EQ(affinity.node->preferred[0].weight, 5);
  const PodAffinityTerm& term = affinity.pod.required[0];
  EXPECT_TRUE(Matches(term.label_selector, {{"app", "y"}}));
  EXPECT_FALSE(Matches(term.label_selector, {{"app", "x"}}));
  ASSERT_TRUE(term.namespace_selector);
  EXPECT_TRUE(term.namespace_selector->empty());
  EXPECT_THAT(term.match_label_keys, ElementsAre("v"));
  EXPECT_EQ(affinity.pod_anti.preferred[0].weight, 9);
  EXPECT_FALSE(affinity.pod_anti.preferred[0].term.label_selector);
}

TEST(Decode, ReadsAPodsStatus) {
  const Pod pod = Of<Pod>(R"({"spec":{"containers":[
        {"name":"same","resources":{"requests":{"cpu":"1"}}},
        {"name":"resized","resources":{"requests":{"cpu":"1"}}}]},
      "status":{"phase":"Running","qosClass":"Burstable","podIP":"10.1.1.1",
      "nominatedNodeName":"n2","startTime":"2026-01-02T15:04:05Z",
      "conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-01-02T15:04:06Z",
                     "lastProbeTime":null}],
      "containerStatuses":[
        {"name":"same","ready":true,"restartCount":2,"resources":{"requests":{"cpu":"1000m"}},
         "allocatedResources":{"cpu":"1"},"state":{"terminated":{"exitCode":3,"reason":"Error",
         "finishedAt":"2026-01-02T15:10:00Z"}}},
        {"name":"resized","resources":{"requests":{"cpu":"2"}}}]}})");
  EXPECT_EQ(pod.status.phase, PodPhase::kRunning);
  EXPECT_EQ(pod.status.qos_class, QosClass::kBurstable);
  EXPECT_EQ(pod.status.nominated_node_name, "n2");
  EXPECT_TRUE(IsConditionTrue(pod.status.conditions, "Ready"));
  const ContainerStatus& same = pod.status.container_statuses[0];
  EXPECT_EQ(same.state.kind, ContainerState::Kind::kTerminated);
  EXPECT_EQ(same.state.exit_code, 3);
  EXPECT_EQ(same.restart_count, 2);
  EXPECT_FALSE(same.granted);  // it says nothing new
  EXPECT_TRUE(pod.status.container_statuses[1].granted);
}

TEST(Decode, TakesNullForAbsentAndIgnoresWhatItDoesNotKnow) {
  const Pod pod = Of<Pod>(R"({"apiVersion":"v1","unknown":{"deep":[1,{"x":[]}]},
      "metadata":{"name":"a","labels":null,"creationTimestamp":null,"ownerReferences":[null]},
      "spec":{"priority":null,"containers":[null,{"name":"c","lifecycle":{}}],"new":"field"},
      "status":null})");
  EXPECT_EQ(pod.meta.name, "a");
  EXPECT_FALSE(pod.spec.priority);
  EXPECT_EQ(pod.meta.creation_timestamp, Time());
  ASSERT_EQ(pod.spec.containers.size(), 1u);
}

TEST(Decode, NamesThePathOfWhatIsWrong) {
  EXPECT_EQ(ErrorOf<Pod>(R"({"spec":{"priority":"high"}})"),
            "spec.priority: expected an integer, not a string");
  EXPECT_EQ(ErrorOf<Pod>(R"({"spec":{"priority":5000000000}})"),
            "spec.priority: 5000000000 does not fit in 32 bits");
  EXPECT_EQ(ErrorOf<Pod>(R"({"spec":{"priority":1.5}})"),
            "spec.priority: the number is no integer, or too large");
  EXPECT_EQ(ErrorOf<Pod>(R"({"spec":{"containers":{}}})"),
            "spec.containers: expected a list, not an object");
  EXPECT_EQ(ErrorOf<Pod>(R"({"metadata":{"labels":{"a":1}}})"),
            "metadata.labels.a: expected a string, not a number");
  EXPECT_EQ(ErrorOf<Pod>(R"({"metadata":{"name":true}})"),
            "metadata.name: expected a string, not a boolean");
  EXPECT_EQ(ErrorOf<Pod>(R"({"spec":{"containers":[{},{"resources":{"requests":{"cpu":"1K"}}}]}})"),
            "spec.containers[1].resources.requests.cpu: unable to parse quantity's suffix");
  EXPECT_THAT(ErrorOf<Pod>(R"({"metadata":{"creationTimestamp":"now"}})"),
              HasSubstr("metadata.creationTimestamp: parsing time \"now\""));
  EXPECT_THAT(ErrorOf<ReplicaSet>(
                  R"({"spec":{"selector":{"matchExpressions":[{"key":"a","operator":"Near"}]}}})"),
              HasSubstr("spec.selector.matchExpressions[0]: \"Near\" is not a valid label selector "
                        "operator"));
}

TEST(Decode, RefusesWhatIsNoObject) {
  for (const std::string_view json :
       {"", " ", "[]", "5", "\"x\"", "null", "{", "{\"a\":", "{\"metadata\":{\"name\":\"x\"}",
        "{} {}", "{\"metadata\":{\"name\":\"\xff\"}}", "{\"metadata\" {}}"}) {
    EXPECT_FALSE(Decode<Pod>(json)) << json;
  }
}

TEST(DecodeList, DeliversTheGoodItemsBesideTheBadOnes) {
  std::vector<std::string> seen;
  const Result<ListMeta> list = DecodeList<Pod>(
      R"({"kind":"PodList","apiVersion":"v1",
          "metadata":{"resourceVersion":"77","continue":"next","remainingItemCount":5},
          "items":[{"metadata":{"name":"a","namespace":"n"}},
            {"spec":{"containers":[{"resources":{"requests":{"cpu":"one"}}}],"nodeName":"x"},
             "metadata":{"name":"bad","namespace":"n","labels":{"l":"m"}}},
            7, {"metadata":{"name":"b"}}, {"metadata":{"name":["c"]}}, {"metadata":{"name":"d"}}]})",
      [&](Result<Pod>&& pod) {
        seen.push_back(pod ? pod->meta.Key() : "error " + pod.error().message.substr(0, 40));
      });
  ASSERT_TRUE(list) << list.error().message;
  EXPECT_EQ(list->resource_version, "77");
  EXPECT_EQ(list->continue_token, "next");
  EXPECT_EQ(list->remaining_item_count, 5);
  EXPECT_THAT(seen, ElementsAre("n/a", "error n/bad: spec.containers[0].resources.requ",
                                "error items[2]: expected an object, not a numb", "b",
                                "error items[4]: metadata.name: expected a stri", "d"));
}

TEST(DecodeList, KnowsAnEmptyListFromNoList) {
  const auto decode = [](std::string_view json) {
    return DecodeList<Pod>(json, [](Result<Pod>&&) { ADD_FAILURE(); });
  };
  EXPECT_TRUE(decode(R"({"kind":"PodList","items":[]})"));
  EXPECT_TRUE(decode(R"({"kind":"PodList","items":null})"));
  EXPECT_TRUE(decode(R"({"items":[]})"));
  EXPECT_FALSE(decode(R"({"kind":"Pod","metadata":{"name":"x"}})"));
  EXPECT_FALSE(decode(R"({"kind":"PodList","items":{}})"));
}

TEST(DecodeList, FailsAsAWholeWhenTheJsonIsBroken) {
  int delivered = 0;
  EXPECT_FALSE(DecodeList<Pod>(R"({"items":[{"metadata":{"name":"a"}},{"metadata":{"name" 5}}]})",
                               [&](Result<Pod>&& pod) { delivered += pod.has_value(); }));
  EXPECT_EQ(delivered, 1);
}

// As deep as a server that checks nothing would let it be.
std::string Nested(int levels) {
  std::string text;
  for (int i = 0; i < levels; ++i) text += R"({"f:a":)";
  return text + "{}" + std::string(static_cast<std::size_t>(levels), '}');
}

TEST(DecodeList, NeitherDepthNorBadTextOfOneItemCostsTheOthers) {
  for (const int levels : {40, 1000, 100000}) {
    const std::string list = fmt::format(
        R"({{"items":[{{"metadata":{{"managedFields":[{{"fieldsV1":{0}}}],"name":"deep"}}}},
             {{"metadata":{{"labels":{{"a":{0}}},"name":"bad","uid":"u","resourceVersion":"7"}}}},
             {{"metadata":{{"name":"half","labels":{{"a":"\ud800"}}}}}},
             {{"metadata":{{"labels":{{"\ud800":"a"}},"name":"key"}}}},
             {{"metadata":{{"name":"bytes","labels":{{"a":"{1}"}}}}}}, null,
             {{"spec":{0},"metadata":{{"managedFields":{0},"labels":5,"name":"last"}}}}]}})",
        Nested(levels), "\xff");
    std::vector<std::string> seen;
    const Result<ListMeta> decoded = DecodeList<Pod>(list, [&](Result<Pod>&& pod) {
      seen.push_back(pod ? pod->meta.Key() : pod.error().message);
    });
    ASSERT_TRUE(decoded) << decoded.error().message;
    EXPECT_THAT(seen,
                ElementsAre("deep", "bad: metadata.labels.a: expected a string, not an object",
                            HasSubstr("half: metadata.labels.a: invalid text"),
                            HasSubstr("key: metadata.labels: invalid text"), "bytes",
                            "last: metadata.labels: expected an object, not a number"));
    std::vector<std::string> names;
    for (const ItemIdentity& item : IdentifyItems(list)) {
      names.push_back(item.name + item.uid + item.resource_version);
    }
    EXPECT_THAT(names, ElementsAre("deep", "badu7", "half", "key", "bytes", "last"));
  }
}

TEST(IdentifyFrame, ReadsTheMetadataOfWhatCannotBeDecoded) {
  const std::string frame = fmt::format(
      R"({{"object":{{"spec":{0},"metadata":{{"managedFields":[{0}],"name":"a","namespace":"n",
           "labels":7,"uid":["no text"],"resourceVersion":"9"}}}},"type":"MODIFIED"}})",
      Nested(1000));
  const auto decoded = DecodeWatchFrame<Pod>(frame);
  ASSERT_FALSE(decoded);
  EXPECT_EQ(decoded.error().code, ErrorCode::kInvalid);
  EXPECT_THAT(decoded.error().message, HasSubstr("n/a: metadata.labels: expected an object"));
  const auto identity = IdentifyFrame(frame);
  ASSERT_TRUE(identity) << identity.error().message;
  EXPECT_EQ(identity->type, "MODIFIED");
  EXPECT_EQ(identity->object.ns, "n");
  EXPECT_EQ(identity->object.name, "a");
  EXPECT_EQ(identity->object.uid, "");
  EXPECT_EQ(identity->object.resource_version, "9");
  EXPECT_FALSE(IdentifyFrame("[1]"));
  EXPECT_FALSE(IdentifyFrame(R"({"type" 5})"));
}

TEST(DecodeList, LetsTheCallbackDecodeSomethingElse) {
  std::vector<std::string> seen;
  const Result<ListMeta> list =
      DecodeList<Pod>(R"({"items":[{"metadata":{"name":"a\tb"}},{"metadata":{"name":"c"}}]})",
                      [&](Result<Pod>&& pod) {
                        seen.push_back(pod->meta.name);
                        seen.push_back(Of<Node>(R"({"metadata":{"name":"n\tn"}})").meta.name);
                      });
  EXPECT_TRUE(list);
  EXPECT_THAT(seen, ElementsAre("a\tb", "n\tn", "c", "n\tn"));
}

TEST(DecodeWatchFrame, ReadsEachType) {
  const std::pair<std::string, WatchType> cases[] = {{"ADDED", WatchType::kAdded},
                                                     {"MODIFIED", WatchType::kModified},
                                                     {"DELETED", WatchType::kDeleted},
                                                     {"BOOKMARK", WatchType::kBookmark}};
  for (const auto& [type, want] : cases) {
    const auto frame = DecodeWatchFrame<Pod>(R"({"type":")" + type +
                                             R"(","object":{"metadata":{"resourceVersion":"9"}}})");
    ASSERT_TRUE(frame) << frame.error().message;
    EXPECT_EQ(frame->type, want);
    EXPECT_EQ(frame->As<Pod>().meta.resource_version, "9");
  }
  const auto reversed =
      DecodeWatchFrame<Pod>(R"({"object":{"metadata":{"name":"a"}},"type":"DELETED"})");
  ASSERT_TRUE(reversed);
  EXPECT_EQ(reversed->As<Pod>().meta.name, "a");
}

TEST(DecodeWatchFrame, TurnsAnErrorFrameIntoItsError) {
  const auto frame = DecodeWatchFrame<Pod>(
      R"({"type":"ERROR","object":{"kind":"Status","status":"Failure","reason":"Expired",
          "message":"too old resource version","code":410}})");
  ASSERT_FALSE(frame);
  EXPECT_EQ(frame.error().code, ErrorCode::kGone);
  EXPECT_EQ(frame.error().http_status, 410);
  EXPECT_EQ(frame.error().message, "too old resource version");
}

TEST(DecodeWatchFrame, NamesAnObjectThatItCannotRead) {
  const auto frame = DecodeWatchFrame<Pod>(
      R"({"type":"ADDED","object":{"spec":{"priority":[]},"metadata":{"name":"a","namespace":"n"}}})");
  ASSERT_FALSE(frame);
  EXPECT_EQ(frame.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(frame.error().message, "n/a: spec.priority: expected an integer, not a list");
  EXPECT_FALSE(DecodeWatchFrame<Pod>(R"({"type":"NEW","object":{}})"));
  EXPECT_FALSE(DecodeWatchFrame<Pod>(R"({"object":{}})"));
  EXPECT_FALSE(DecodeWatchFrame<Pod>(R"({"type":"ADDED"})"));
}

TEST(Decode, ReadsANode) {
  const Node node = Of<Node>(R"({"metadata":{"name":"n"},"spec":{"unschedulable":true,
      "taints":[{"key":"k","value":"v","effect":"NoSchedule"}]},"status":{
      "capacity":{"cpu":"8"},"allocatable":{"cpu":"7500m","pods":"110"},
      "conditions":[{"type":"Ready","status":"True"}],
      "images":[{"names":["a","b"],"sizeBytes":123456789012}]}})");
  EXPECT_TRUE(node.spec.unschedulable);
  EXPECT_EQ(node.spec.taints[0].effect, TaintEffect::kNoSchedule);
  EXPECT_EQ(node.status.allocatable.Get("cpu").MilliValue(), 7500);
  EXPECT_TRUE(node.ready());
  EXPECT_EQ(node.status.images[0].size_bytes, 123456789012);
  const Toleration toleration{.key = "k", .op = Toleration::Operator::kExists};
  EXPECT_TRUE(toleration.Tolerates(node.spec.taints[0]));
  EXPECT_FALSE(Toleration{.key = "k"}.Tolerates(node.spec.taints[0]));
}

TEST(Decode, KeepsAPodTemplateWhole) {
  const std::string raw =
      R"({"metadata":{"labels":{"a":"b"},"annotations":{"c":"d"}},"spec":{"containers":[)"
      R"({"name":"x","lifecycle":{"preStop":{}}}],"restartPolicy":"Never"}})";
  const Job job = Of<Job>(R"({"metadata":{"name":"j"},"spec":{"template":)" + raw +
                          R"(,"parallelism":3,"completions":5,"backoffLimit":2,"suspend":true,
      "completionMode":"Indexed","selector":{"matchLabels":{"uid":"1"}},"podFailurePolicy":{}},
      "status":{"active":2,"succeeded":1,"uncountedTerminatedPods":{"failed":["u"]},
      "conditions":[{"type":"Suspended","status":"True"}]}})");
  EXPECT_EQ(job.pod_template.raw, raw);
  EXPECT_EQ(job.pod_template.labels.Get("a"), "b");
  EXPECT_EQ(job.pod_template.annotations.Get("c"), "d");
  EXPECT_EQ(job.pod_template.spec.restart_policy, RestartPolicy::kNever);
  EXPECT_EQ(job.parallelism, 3);
  EXPECT_EQ(job.completions, 5);
  EXPECT_TRUE(job.suspend);
  EXPECT_EQ(job.completion_mode, Job::CompletionMode::kIndexed);
  EXPECT_TRUE(job.has_pod_failure_policy);
  EXPECT_THAT(job.uncounted_failed, ElementsAre("u"));
}

TEST(Decode, ReadsWorkloads) {
  const auto deployment = Of<Deployment>(R"({"spec":{"replicas":4,"paused":true,"strategy":{
      "type":"RollingUpdate","rollingUpdate":{"maxSurge":"25%","maxUnavailable":1}},
      "selector":{"matchLabels":{"app":"x"}}},"status":{"replicas":4,"updatedReplicas":3,
      "observedGeneration":2}})");
  EXPECT_EQ(deployment.replicas, 4);
  EXPECT_EQ(deployment.max_surge->Scaled(10, true), 3);
  EXPECT_EQ(deployment.max_surge->Scaled(10, false), 2);
  EXPECT_EQ(deployment.max_unavailable->number, 1);
  EXPECT_EQ(deployment.status.updated, 3);

  const auto stateful = Of<StatefulSet>(R"({"spec":{"podManagementPolicy":"Parallel",
      "updateStrategy":{"rollingUpdate":{"partition":2}},"ordinals":{"start":5},
      "volumeClaimTemplates":[{"metadata":{"name":"d"}}]},"status":{"currentReplicas":1}})");
  EXPECT_EQ(stateful.pod_management, StatefulSet::PodManagement::kParallel);
  EXPECT_EQ(stateful.partition, 2);
  EXPECT_EQ(stateful.first_ordinal, 5);
  EXPECT_THAT(stateful.volume_claim_templates, ElementsAre(R"({"metadata":{"name":"d"}})"));

  EXPECT_EQ(Of<DaemonSet>(R"({"spec":{"updateStrategy":{"type":"OnDelete"}},
      "status":{"numberReady":3}})")
                .number_ready,
            3);
  EXPECT_EQ(Of<ReplicaSet>(R"({"spec":{}})").replicas, 1);
}

TEST(Decode, ReadsGroupsAndQueues) {
  const auto group = Of<PodGroup>(R"({"spec":{"minMember":3,"minTaskMember":{"w":2,"m":1},
      "queue":"q","minResources":{"cpu":"3"},"networkTopology":{"mode":"soft",
      "highestTierAllowed":2},"subGroupPolicy":[{"name":"s","subGroupSize":2,
      "labelSelector":{"matchLabels":{"r":"1"}},"matchLabelKeys":["k"]}]},
      "status":{"phase":"Inqueue","running":1,"conditions":[{"type":"Scheduled","status":"True",
      "transitionID":"t","reason":"tasks in the gang are ready"}]}})");
  EXPECT_EQ(group.min_member, 3);
  EXPECT_THAT(group.min_task_member, ElementsAre(std::pair("m", 1), std::pair("w", 2)));
  EXPECT_EQ(group.min_resources->Get("cpu").Value(), 3);
  EXPECT_EQ(group.network_topology->mode, NetworkTopology::Mode::kSoft);
  EXPECT_EQ(group.sub_group_policy[0].sub_group_size, 2);
  EXPECT_EQ(group.phase, PodGroupPhase::kInqueue);
  EXPECT_EQ(group.conditions[0].transition_id, "t");

  const auto queue = Of<Queue>(R"({"spec":{"weight":2,"capability":{"cpu":"10"},
      "deserved":{"cpu":"5"},"guarantee":{"resource":{"cpu":"1"}},"reclaimable":false,
      "parent":"root","priority":4,"dequeueStrategy":"fifo","type":"t",
      "affinity":{"nodeGroupAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":["g"]}},
      "extendClusters":[{"name":"c","weight":1,"capacity":{"cpu":"1"}}]},
      "status":{"state":"Closing","inqueue":3,"allocated":{"cpu":"2"},
      "reservation":{"nodes":["n"],"resource":{"cpu":"1"}}}})");
  EXPECT_EQ(queue.guarantee.Get("cpu").Value(), 1);
  EXPECT_EQ(queue.reclaimable, false);
  EXPECT_EQ(queue.dequeue_strategy, Queue::DequeueStrategy::kFifo);
  EXPECT_THAT(queue.affinity->affinity->required, ElementsAre("g"));
  EXPECT_EQ(queue.state, QueueState::kClosing);
  EXPECT_THAT(queue.reserved_nodes, ElementsAre("n"));
}

TEST(Decode, ReadsAReservation) {
  const auto reservation = Of<Reservation>(R"({"spec":{"schedulerName":"volcano","queue":"q",
      "minAvailable":2,"ttl":"10m","expires":"2026-01-02T15:04:05Z",
      "owners":[{"labelSelector":{"matchLabels":{"a":"b"}}},{"object":{"kind":"Job","name":"j"}}],
      "tasks":[{"name":"t","replicas":2,"template":{"spec":{"containers":[{"name":"c"}]}},
        "reservationNodeNames":["n1"],"reservationNodePolicy":"Required"}]},
      "status":{"state":{"phase":"Waiting","reason":"r"},"taskStatusCount":{"t":{"phase":
        {"Pending":1,"Available":1}}},"available":1,"allocatable":{"cpu":"1"},
      "currentOwner":{"kind":"Job","name":"j"},
      "conditions":[{"status":"Pending","lastTransitionTime":"2026-01-02T15:04:05Z"}],
      "placements":[{"task":"t","index":1,"node":"n1","phase":"Available"}]}})");
  EXPECT_EQ(reservation.ttl, 10min);
  EXPECT_EQ(reservation.tasks[0].reservation_node_policy, Reservation::NodePolicy::kRequired);
  EXPECT_EQ(reservation.owners[1].object->name, "j");
  EXPECT_EQ(reservation.status.phase, ReservationPhase::kWaiting);
  EXPECT_THAT(reservation.status.task_status_count[0].phases,
              ElementsAre(std::pair("Available", 1), std::pair("Pending", 1)));
  EXPECT_EQ(reservation.status.placements[0].phase, ReservationPhase::kAvailable);
  EXPECT_EQ(reservation.status.current_owner->kind, "Job");
}

TEST(Decode, ReadsTheSmallerKinds) {
  EXPECT_TRUE(Of<Namespace>(R"({"status":{"phase":"Terminating"}})").terminating);
  EXPECT_EQ(Of<PriorityClass>(R"({"value":-5,"globalDefault":true})").value, -5);
  const auto budget = Of<PodDisruptionBudget>(R"({"spec":{"minAvailable":"50%",
      "selector":{}},"status":{"disruptionsAllowed":1,"disruptedPods":{
      "p":"2026-01-02T15:04:05Z"}}})");
  EXPECT_TRUE(Matches(budget.selector, {}));
  EXPECT_EQ(budget.disrupted_pods[0].name, "p");
  const auto claim = Of<PersistentVolumeClaim>(R"({"spec":{"storageClassName":"",
      "resources":{"requests":{"storage":"1Gi"}}},"status":{"phase":"Bound"}})");
  EXPECT_EQ(claim.storage_class_name, "");
  EXPECT_EQ(claim.phase, PersistentVolumeClaim::Phase::kBound);
  const auto volume = Of<PersistentVolume>(R"({"spec":{"claimRef":{"name":"c"},
      "nodeAffinity":{"required":{"nodeSelectorTerms":[{"matchExpressions":[
        {"key":"z","operator":"Exists"}]}]}},"csi":{"driver":"d","volumeHandle":"h"}}})");
  EXPECT_TRUE(volume.node_affinity->Matches({{"z", ""}}, "n"));
  EXPECT_TRUE(
      Of<StorageClass>(R"({"volumeBindingMode":"WaitForFirstConsumer"})").wait_for_first_consumer);
  EXPECT_EQ(Of<CsiNode>(R"({"spec":{"drivers":[{"name":"d","allocatable":{"count":5}}]}})")
                .drivers[0]
                .allocatable_count,
            5);
  EXPECT_EQ(Of<ResourceQuota>(R"({"spec":{"hard":{"pods":"3"},"scopeSelector":{"matchExpressions":[
      {"scopeName":"PriorityClass","operator":"In","values":["x"]}]}}})")
                .scope_selector.size(),
            1u);
  const auto lease = Of<Lease>(R"({"spec":{"holderIdentity":"me","leaseDurationSeconds":15,
      "renewTime":"2026-01-02T15:04:05.123456Z"}})");
  EXPECT_EQ(lease.renew_time, At("2026-01-02T15:04:05Z") + 123456us);
  EXPECT_EQ(Of<Event>(R"({"involvedObject":{"kind":"Pod"},"count":2,"eventTime":null,
      "series":{"count":7}})")
                .series_count,
            7);
  const auto hyper = Of<HyperNode>(R"({"spec":{"tier":2,"members":[{"type":"HyperNode",
      "selector":{"regexMatch":{"pattern":"a.*"}}}]}})");
  EXPECT_EQ(hyper.members[0].regex_match, "a.*");
  EXPECT_EQ(
      Of<Command>(R"({"action":"CloseQueue","target":{"kind":"Queue","name":"q"}})").target->name,
      "q");
}

}  // namespace
}  // namespace basalt::kube
