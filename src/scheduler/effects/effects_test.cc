#include "scheduler/effects/effects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>
#include <vector>

#include "kube/types/codec.h"
#include "model/annotations.h"
#include "testing/cluster.h"

namespace basalt::scheduler {
namespace {

using testutil::MakeNode;
using testutil::MakePod;
using testutil::TextAt;
namespace resources = kube::resources;

class EffectsTest : public testing::Test {
 protected:
  explicit EffectsTest(testutil::SimClusterOptions options = {})
      : cluster_(std::move(options)),
        events_(cluster_.client(), {.component = "volcano"}),
        effects_(cluster_.client(), events_, {},
                 [this](model::Outcome outcome) { outcomes_.push_back(std::move(outcome)); }) {
    cluster_.Create(MakeNode("n1"));
  }

  std::shared_ptr<const kube::Pod> Create(const testutil::PodBuilder& pod) {
    return Decoded(cluster_.Create(pod));
  }
  std::shared_ptr<const kube::Pod> Decoded(const boost::json::value& value) {
    return std::make_shared<const kube::Pod>(
        kube::Decode<kube::Pod>(boost::json::serialize(value)).value());
  }
  boost::json::value Pod(std::string_view name) {
    return cluster_.Get(resources::kPods, "default", name);
  }
  static model::Promise PromiseOf(const std::shared_ptr<const kube::Pod>& pod, std::string node,
                                  std::vector<std::shared_ptr<const kube::Pod>> victims = {}) {
    model::Promise promise{.pod = pod,
                           .node = std::move(node),
                           .reason = "Unschedulable",
                           .message = "waits for room"};
    for (auto& victim : victims) {
      promise.victims.push_back({.pod = victim, .reason = "preempt"});
    }
    return promise;
  }
  template <class... Intents>
  void Submit(Intents... intents) {
    std::vector<model::Intent> list;
    (list.emplace_back(std::move(intents)), ...);
    effects_.Submit(std::move(list));
    EXPECT_TRUE(cluster_.loop().RunUntil([this] { return effects_.idle(); }, 10min));
  }

  testutil::SimCluster cluster_;
  kube::EventRecorder events_;
  std::vector<model::Outcome> outcomes_;
  Effects effects_;
};

// Claims that wait for their pod's node, on the API server.
class VolumeEffectsTest : public EffectsTest {
 protected:
  boost::json::value CreateClaim(const std::string& name) {
    return cluster_.MustCreate(
        resources::kPersistentVolumeClaims, "default",
        boost::json::object{{"apiVersion", "v1"},
                            {"kind", "PersistentVolumeClaim"},
                            {"metadata", {{"name", name}, {"namespace", "default"}}},
                            {"spec",
                             {{"accessModes", boost::json::array{"ReadWriteOnce"}},
                              {"storageClassName", "wait"},
                              {"resources", {{"requests", {{"storage", "1Gi"}}}}}}}});
  }
  boost::json::value CreateVolume(const std::string& name) {
    return cluster_.MustCreate(
        resources::kPersistentVolumes, "",
        boost::json::object{{"apiVersion", "v1"},
                            {"kind", "PersistentVolume"},
                            {"metadata", {{"name", name}}},
                            {"spec",
                             {{"accessModes", boost::json::array{"ReadWriteOnce"}},
                              {"storageClassName", "wait"},
                              {"capacity", {{"storage", "1Gi"}}},
                              {"hostPath", {{"path", "/data"}}}}}});
  }
  // What the volume controller does.
  void MarkBound(const std::string& name) {
    ASSERT_TRUE(cluster_
                    .Patch({resources::kPersistentVolumeClaims, "default", name, "status"},
                           kube::PatchKind::kMerge, R"({"status":{"phase":"Bound"}})")
                    .has_value());
  }
  boost::json::value Claim(const std::string& name) {
    return cluster_.Get(resources::kPersistentVolumeClaims, "default", name);
  }
  bool Ends(Duration within) {
    return cluster_.loop().RunUntil([this] { return !outcomes_.empty(); }, within);
  }
};

TEST_F(VolumeEffectsTest, APodIsBoundOnceTheProvisionerHasMadeItsVolume) {
  const auto claim = CreateClaim("data");
  model::Bind bind{.pod = Create(MakePod("a")), .node = "n1"};
  bind.volumes.push_back(
      {.ns = "default", .claim = "data", .claim_uid = TextAt(claim, "metadata.uid")});
  effects_.Submit({bind});
  EXPECT_FALSE(Ends(1min));
  EXPECT_EQ(Claim("data").at("metadata").at("annotations").at(kSelectedNodeAnnotation), "n1");
  EXPECT_EQ(Pod("a").at("spec").as_object().contains("nodeName"), false);
  MarkBound("data");
  ASSERT_TRUE(Ends(1min));
  EXPECT_TRUE(outcomes_[0].result.has_value());
  EXPECT_EQ(TextAt(Pod("a"), "spec.nodeName"), "n1");
}

TEST_F(VolumeEffectsTest, AVolumeThatIsThereIsGivenToTheClaim) {
  const auto claim = CreateClaim("data");
  const auto volume = CreateVolume("pv");
  model::Bind bind{.pod = Create(MakePod("a")), .node = "n1"};
  bind.volumes.push_back({.ns = "default",
                          .claim = "data",
                          .claim_uid = TextAt(claim, "metadata.uid"),
                          .volume = "pv",
                          .volume_version = TextAt(volume, "metadata.resourceVersion")});
  effects_.Submit({bind});
  EXPECT_FALSE(Ends(10s));
  const auto given = cluster_.Get(resources::kPersistentVolumes, "", "pv");
  EXPECT_EQ(TextAt(given, "spec.claimRef.name"), "data");
  EXPECT_EQ(TextAt(given, "spec.claimRef.uid"), TextAt(claim, "metadata.uid"));
  MarkBound("data");
  ASSERT_TRUE(Ends(1min));
  EXPECT_EQ(TextAt(Pod("a"), "spec.nodeName"), "n1");
}

TEST_F(VolumeEffectsTest, ABindWhoseVolumeNeverComesFails) {
  const auto claim = CreateClaim("data");
  model::Bind bind{.pod = Create(MakePod("a")), .node = "n1"};
  bind.volumes.push_back(
      {.ns = "default", .claim = "data", .claim_uid = TextAt(claim, "metadata.uid")});
  effects_.Submit({bind});
  EXPECT_FALSE(Ends(9min));
  ASSERT_TRUE(Ends(2min));
  EXPECT_THAT(outcomes_[0].result.error().message, testing::HasSubstr("not bound in time"));
  EXPECT_EQ(Pod("a").at("spec").as_object().contains("nodeName"), false);
}

// One who may write the status of groups and nothing else of them, where no group is there.
class StatusRightsAlone final : public kube::ApiClient {
 public:
  explicit StatusRightsAlone(kube::ApiClient& api) : api_(api) {}
  void Send(kube::ApiRequest request, kube::ApiHandler handler) override {
    const bool of_group = request.path.find("/podgroups/") != std::string::npos;
    if (of_group && request.method != "GET" && !request.path.ends_with("/status")) {
      ++refused;
      loop().Post([handler = std::move(handler)]() mutable {
        handler(Fail(ErrorCode::kForbidden, "podgroups is forbidden"));
      });
      return;
    }
    if (request.path.ends_with("/status")) ++statuses;
    api_.Send(std::move(request), std::move(handler));
  }
  std::unique_ptr<kube::WatchStream> Watch(kube::ApiRequest request,
                                           kube::WatchObserver& observer) override {
    return api_.Watch(std::move(request), observer);
  }
  Loop& loop() override { return api_.loop(); }

  int statuses = 0;
  int refused = 0;

 private:
  kube::ApiClient& api_;
};

TEST_F(EffectsTest, AGroupThatIsGoneDoesNotMakeTheNextOnesStatusLookForAnotherPlace) {
  StatusRightsAlone rights(cluster_.api());
  kube::Client client(rights);
  Effects effects(client, events_, {}, [](const model::Outcome&) {});
  for (const char* name : {"gone", "next"}) {  // neither is there: each is asked for by its status
    auto group = std::make_shared<kube::PodGroup>();
    group->meta.ns = "default";
    group->meta.name = group->meta.uid = name;
    effects.Submit({model::GroupStatus{.group = group, .phase = model::JobPhase::kInqueue}});
    EXPECT_TRUE(cluster_.loop().RunUntil([&] { return effects.idle(); }, 10min));
  }
  EXPECT_EQ(rights.statuses, 2);
  EXPECT_EQ(rights.refused, 0);
}

TEST_F(EffectsTest, ABindIsCarriedOutAndReported) {
  Submit(model::Bind{.pod = Create(MakePod("a")), .node = "n1"});
  EXPECT_EQ(TextAt(Pod("a"), "spec.nodeName"), "n1");
  ASSERT_EQ(outcomes_.size(), 1u);
  EXPECT_TRUE(outcomes_[0].result.has_value());
  EXPECT_TRUE(cluster_.loop().RunUntil([this] { return events_.idle(); }, 1min));
  EXPECT_EQ(events_.stats().created, 1u);
}

TEST_F(EffectsTest, ABindOfAPodThatIsElsewhereFails) {
  const auto pod = Create(MakePod("a"));
  Submit(model::Bind{.pod = pod, .node = "n1"},
         model::Bind{.pod = Create(MakePod("b")), .node = "n1"});
  outcomes_.clear();
  Submit(model::Bind{.pod = pod, .node = "n2"});
  ASSERT_EQ(outcomes_.size(), 1u);
  EXPECT_EQ(outcomes_[0].result.error().code, ErrorCode::kConflict);
}

TEST_F(EffectsTest, ANominationThatWasWrittenIsClearedAlsoBeforeItsEcho) {
  const auto pod = Create(MakePod("a"));
  Submit(PromiseOf(pod, "n1"));
  EXPECT_EQ(TextAt(Pod("a"), "status.nominatedNodeName"), "n1");
  const std::string version = TextAt(Pod("a"), "metadata.resourceVersion");
  Submit(PromiseOf(pod, "n1"));
  EXPECT_EQ(TextAt(Pod("a"), "metadata.resourceVersion"), version) << "said again";
  Submit(PromiseOf(pod, ""));
  EXPECT_EQ(TextAt(Pod("a"), "status.nominatedNodeName"), "");
}

TEST_F(EffectsTest, NobodyIsEvictedForAPodThatCouldNotBeNominated) {
  const auto victim = Create(MakePod("victim").Node("n1"));
  const auto gone = Create(MakePod("gone"));
  ASSERT_TRUE(cluster_.Delete({resources::kPods, "default", "gone"}).has_value());
  Submit(PromiseOf(gone, "n1", {victim}));
  cluster_.loop().RunFor(1s);
  ASSERT_EQ(outcomes_.size(), 1u);
  EXPECT_EQ(outcomes_[0].kind, model::Outcome::Kind::kEvict);
  EXPECT_FALSE(outcomes_[0].result.has_value());
  EXPECT_EQ(TextAt(Pod("victim"), "metadata.deletionTimestamp"), "");

  const auto waits = Create(MakePod("waits"));
  outcomes_.clear();
  Submit(PromiseOf(waits, "n1", {victim}));
  ASSERT_EQ(outcomes_.size(), 1u);
  EXPECT_TRUE(outcomes_[0].result.has_value());
  EXPECT_EQ(TextAt(Pod("waits"), "status.nominatedNodeName"), "n1");
}

TEST_F(EffectsTest, NobodyIsEvictedForAPodThatIsPlacedOrGoneBeforeItsPromiseIsWritten) {
  const auto victim = Create(MakePod("victim").Node("n1"));
  const auto placed = Create(MakePod("placed"));
  Submit(PromiseOf(placed, "n1", {victim}), model::Bind{.pod = placed, .node = "n1"});
  const auto gone = Create(MakePod("gone"));
  effects_.Submit({PromiseOf(gone, "n1", {victim})});
  effects_.Forget(gone->meta.uid);
  cluster_.loop().RunFor(1s);
  EXPECT_EQ(TextAt(Pod("victim"), "metadata.deletionTimestamp"), "");
  EXPECT_THAT(outcomes_, testing::SizeIs(3)) << "two evictions that are not to be, and a bind";
}

TEST_F(EffectsTest, ABindThatWasDoneBeforeCountsAsDone) {
  const auto pod = Create(MakePod("a"));
  Submit(model::Bind{.pod = pod, .node = "n1"});
  Submit(model::Bind{.pod = pod, .node = "n1"});
  ASSERT_EQ(outcomes_.size(), 2u);
  EXPECT_TRUE(outcomes_[1].result.has_value());
}

TEST_F(EffectsTest, APodOfTheSameNameIsNeverHit) {
  const auto old = Create(MakePod("a"));
  cluster_.Delete({resources::kPods, "default", "a"}, {.grace_period_seconds = 0});
  Create(MakePod("a"));
  Submit(model::Bind{.pod = old, .node = "n1"}, model::Evict{.pod = old, .reason = "preempt"});
  EXPECT_EQ(TextAt(Pod("a"), "spec.nodeName"), "");
  EXPECT_EQ(TextAt(Pod("a"), "metadata.deletionTimestamp"), "");
}

TEST_F(EffectsTest, OurGateGoesAndAnotherStays) {
  boost::json::object gated = MakePod("a").Json();
  gated["spec"].as_object()["schedulingGates"] = boost::json::array{
      boost::json::object{{"name", "example.com/other"}},
      boost::json::object{{"name", "scheduling.volcano.sh/queue-allocation-gate"}}};
  Submit(model::Ungate{.pod = Decoded(cluster_.MustCreate(resources::kPods, "default", gated))});
  EXPECT_EQ(TextAt(Pod("a"), "spec.schedulingGates.0.name"), "example.com/other");
  EXPECT_EQ(TextAt(Pod("a"), "spec.schedulingGates.1.name"), "");
}

TEST_F(EffectsTest, APodThatIsBoundIsNotSaidToWait) {
  const auto pod = Create(MakePod("a"));
  Submit(model::PodWaits{.pod = pod, .reason = "Unschedulable", .message = "m"},
         model::Bind{.pod = pod, .node = "n1"});
  EXPECT_EQ(TextAt(Pod("a"), "status.conditions.0.status"), "True");
}

TEST_F(EffectsTest, NominationAndReasonAreOneWrite) {
  const auto pod = Create(MakePod("a"));
  const std::string before = TextAt(Pod("a"), "metadata.resourceVersion");
  Submit(PromiseOf(pod, "n1"));
  EXPECT_EQ(TextAt(Pod("a"), "status.nominatedNodeName"), "n1");
  EXPECT_EQ(TextAt(Pod("a"), "status.conditions.0.message"), "waits for room");
  const std::string after = TextAt(Pod("a"), "metadata.resourceVersion");
  EXPECT_EQ(std::stoll(after) - std::stoll(before), 1);
  Submit(PromiseOf(Decoded(Pod("a")), "n1"));
  EXPECT_EQ(TextAt(Pod("a"), "metadata.resourceVersion"), after);
}

TEST_F(EffectsTest, OfAPodThatWasDeletedMeanwhileItIsNotSaidThatItsBindFailed) {
  const auto pod = Create(MakePod("a"));
  cluster_.Delete({resources::kPods, "default", "a"}, {.grace_period_seconds = 0});
  Submit(model::Bind{.pod = pod, .node = "n1"});
  ASSERT_EQ(outcomes_.size(), 1u);
  EXPECT_FALSE(outcomes_[0].result.has_value());
  cluster_.loop().RunFor(1min);
  EXPECT_EQ(events_.stats().created, 0u);
}

TEST_F(EffectsTest, OfAGatedPodThatWasDeletedMeanwhileItIsNotSaidThatItsBindFailed) {
  const auto pod = Create(MakePod("a").Gate(model::annotations::kQueueAllocationGate));
  cluster_.Delete({resources::kPods, "default", "a"}, {.grace_period_seconds = 0});
  Submit(model::Bind{.pod = pod, .node = "n1"});
  EXPECT_FALSE(outcomes_.back().result.has_value());
  cluster_.loop().RunFor(1min);
  EXPECT_EQ(events_.stats().created, 0u);
}

TEST_F(EffectsTest, WhatWaitsForAPodThatIsGoneIsNotWritten) {
  const auto pod = Create(MakePod("a"));
  effects_.Submit({model::PodWaits{.pod = pod, .reason = "Unschedulable", .message = "m"}});
  effects_.Submit({model::Bind{.pod = pod, .node = "n1"}});  // behind that write
  effects_.Forget(pod->meta.uid);
  cluster_.loop().RunFor(1s);
  EXPECT_EQ(TextAt(Pod("a"), "spec.nodeName"), "");
  EXPECT_TRUE(effects_.idle());
}

TEST_F(EffectsTest, OfAPodThatIsGoneNothingIsRemembered) {
  const auto pod = Create(MakePod("a"));
  const auto say = [&] {
    Submit(model::PodWaits{.pod = pod, .reason = "Unschedulable", .message = "m"});
    return TextAt(Pod("a"), "metadata.resourceVersion");
  };
  const std::string once = say();
  EXPECT_EQ(effects_.remembered(), 1u);
  EXPECT_EQ(say(), once) << "it says so already";
  effects_.Forget(pod->meta.uid);
  EXPECT_EQ(effects_.remembered(), 0u);

  ASSERT_TRUE(cluster_.Delete({resources::kPods, "default", "a"}).has_value());
  Submit(model::PodWaits{.pod = pod, .reason = "Unschedulable", .message = "another"});
  EXPECT_EQ(effects_.remembered(), 0u) << "the API server said that it is gone";
}

TEST_F(EffectsTest, PlacesThatAreTakenTogetherAreToldTogetherAMomentLater) {
  auto reservation = std::make_shared<kube::Reservation>();
  reservation->meta.ns = "default";
  reservation->meta.name = reservation->meta.uid = "r";
  const auto says = [&](int succeeded, kube::ReservationPhase phase) {
    model::ReservationStatus status{.reservation = reservation, .status = {}};
    status.status.phase = phase;
    status.status.succeeded = succeeded;
    return status;
  };
  Loop& loop = cluster_.loop();
  const Duration start = loop.Monotonic();
  Submit(says(0, kube::ReservationPhase::kAvailable));
  EXPECT_THAT(outcomes_, testing::SizeIs(1));
  EXPECT_LT(loop.Monotonic() - start, 50ms) << "what is held is told at once";
  std::vector<model::Intent> first, second;
  first.emplace_back(says(1, kube::ReservationPhase::kAvailable));
  second.emplace_back(says(2, kube::ReservationPhase::kSucceeded));
  effects_.Submit(std::move(first));
  cluster_.loop().RunFor(90ms);
  effects_.Submit(std::move(second));
  EXPECT_THAT(outcomes_, testing::SizeIs(1));
  EXPECT_FALSE(effects_.idle());
  EXPECT_TRUE(cluster_.loop().RunUntil([this] { return effects_.idle(); }, 10min));
  cluster_.loop().RunFor(1s);
  EXPECT_THAT(outcomes_, testing::SizeIs(2)) << "once for both";
  // That it has failed is not kept back, and what waited is not told after it.
  Submit(says(1, kube::ReservationPhase::kFailed));
  EXPECT_THAT(outcomes_, testing::SizeIs(3));
}

TEST_F(EffectsTest, OneThatWasStoppedWritesNothing) {
  effects_.Stop();
  Submit(model::Bind{.pod = Create(MakePod("a")), .node = "n1"});
  EXPECT_EQ(TextAt(Pod("a"), "spec.nodeName"), "");
}

// An answer that got lost must not make us believe that a bind failed.
class EffectsUnderFaultsTest : public EffectsTest {
 protected:
  EffectsUnderFaultsTest() : EffectsTest({.faults = {.lose_response = 0.5}}) {}
};

TEST_F(EffectsUnderFaultsTest, WhatIsReportedOfABindIsWhatThePodSays) {
  for (int i = 0; i < 50; ++i) {
    const std::string name = "p" + std::to_string(i);
    outcomes_.clear();
    Submit(model::Bind{.pod = Create(MakePod(name)), .node = "n1"});
    ASSERT_EQ(outcomes_.size(), 1u);
    if (outcomes_[0].result.has_value()) {
      EXPECT_EQ(TextAt(Pod(name), "spec.nodeName"), "n1");
    }
  }
}

// Else somebody else would have to leave as well.
TEST_F(EffectsUnderFaultsTest, AnEvictionWhoseAnswerWasLostIsNoRefusal) {
  for (int i = 0; i < 50; ++i) {
    outcomes_.clear();
    Submit(model::Evict{.pod = Create(MakePod("p" + std::to_string(i)).Node("n1")),
                        .reason = "preempt"});
    ASSERT_EQ(outcomes_.size(), 1u);
    EXPECT_TRUE(outcomes_[0].result.has_value());
  }
}

}  // namespace
}  // namespace basalt::scheduler
