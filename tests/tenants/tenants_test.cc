// deps: basalt_testing basalt_testing_scheduling basalt_scheduler_service
// Tenants who do not trust each other, on virtual time: what one does to its own objects does not
// let it past its limits, and does not take from others what is theirs.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <memory>
#include <optional>

#include "scheduler/config/config.h"
#include "scheduler/service/scheduler_service.h"
#include "testing/builders.h"
#include "testing/scheduling/scheduling_cluster.h"
#include "testing/test_signer.h"

namespace basalt::systemtest {
namespace {

namespace json = boost::json;
namespace resources = kube::resources;
using testing::HasSubstr;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakePodGroup;
using testutil::MakeQueue;
using testutil::TextAt;

constexpr std::string_view kQueueName = "scheduling.volcano.sh/queue-name";
using testutil::kGate;

// Passes everything on, but for binds in one namespace, which it refuses while it is told to: as an
// admission webhook would.
class RefusingApi final : public kube::ApiClient {
 public:
  explicit RefusingApi(kube::ApiClient& api) : api_(api) {}
  void RefuseBindsIn(std::string ns) { ns_ = std::move(ns); }
  int refused() const { return refused_; }
  // How long a bind may be under way.
  Duration longest_bind() const { return longest_bind_; }

  void Send(kube::ApiRequest request, kube::ApiHandler handler) override {
    const bool bind = request.path.ends_with("/binding");
    if (bind) longest_bind_ = std::max(longest_bind_, request.timeout);
    if (bind && !ns_.empty() && request.path.contains(fmt::format("/namespaces/{}/", ns_))) {
      ++refused_;
      loop().Post([handler = std::move(handler)]() mutable {
        handler(Fail(ErrorCode::kForbidden, "admission webhook \"block\" denied the request"));
      });
      return;
    }
    api_.Send(std::move(request), std::move(handler));
  }
  std::unique_ptr<kube::WatchStream> Watch(kube::ApiRequest request,
                                           kube::WatchObserver& observer) override {
    return api_.Watch(std::move(request), observer);
  }
  Loop& loop() override { return api_.loop(); }

 private:
  kube::ApiClient& api_;
  std::string ns_;
  int refused_ = 0;
  Duration longest_bind_{0};
};

class TenantsTest : public testing::Test {
 protected:
  // A scheduler, in place of the one before, which is gone without a word.
  void StartScheduler(std::string_view config = scheduler::DefaultConfigYaml()) {
    process_.reset();
    options_.signer = testutil::SharedTestSigner();
    process_.emplace(cluster_, options_);
    ASSERT_TRUE(process_->service.Configure(config).has_value());
    process_->api.RefuseBindsIn(refused_ns_);
    process_->service.Start();
    Run(5s);
  }
  void Run(Duration duration) { cluster_.loop().RunFor(duration); }
  void Restart() { StartScheduler(); }

  void AddQueue(std::string_view name, std::string_view cpu) {
    cluster_.Create(MakeQueue(name).Set("spec.capability.cpu", cpu));
  }
  void AddPod(std::string_view name, std::string_view queue) {
    cluster_.Create(MakePod(name).Cpu("1").Annotation(kQueueName, queue));
  }
  void AddMember(std::string_view name, std::string_view group) {
    cluster_.Create(MakePod(name).Cpu("1").Group(group));
  }
  void Annotate(std::string_view pod, std::string_view key, std::string_view value) {
    const json::object patch{{"metadata", {{"annotations", {{key, value}}}}}};
    ASSERT_TRUE(cluster_.Patch({resources::kPods, "default", pod}, kube::PatchKind::kMerge,
                               json::serialize(patch)));
  }
  json::value Pod(std::string_view name, std::string_view ns = "default") {
    return cluster_.Get(resources::kPods, ns, name);
  }
  bool IsBound(std::string_view name, std::string_view ns = "default") {
    return !TextAt(Pod(name, ns), "spec.nodeName").empty();
  }
  std::string Annotation(std::string_view pod, std::string_view key) {
    const json::value object = Pod(pod);
    const json::value* all = testutil::FindPath(object, "metadata.annotations");
    const json::value* value = all ? all->as_object().if_contains(key) : nullptr;
    return value ? std::string(value->as_string()) : "";
  }
  bool HasEvent(std::string_view pod, std::string_view reason) {
    for (const json::value& event : cluster_.List(resources::kEvents)) {
      if (TextAt(event, "involvedObject.name") == pod && TextAt(event, "reason") == reason) {
        return true;
      }
    }
    return false;
  }

  struct Process {
    Process(testutil::SchedulingCluster& cluster, scheduler::SchedulerServiceOptions options)
        : direct(cluster.network()),
          api(direct),
          client(api),
          service(cluster.loop(), client, std::move(options)) {}
    ~Process() { direct.Crash(); }
    testutil::DirectApiClient direct;
    RefusingApi api;
    kube::Client client;
    scheduler::SchedulerService service;
  };

  testutil::SchedulingCluster cluster_;
  scheduler::SchedulerServiceOptions options_;
  std::optional<Process> process_;
  std::string refused_ns_;
};

// ---- a queue's limit is not escaped by another name

TEST_F(TenantsTest, ARunningPodStaysInItsQueueWhateverItsAnnotationSays) {
  cluster_.Create(MakeNode("n1").Cpu("16"));
  AddQueue("team-a", "2");
  StartScheduler();
  AddPod("p0", "team-a");
  AddPod("p1", "team-a");
  Run(5s);
  ASSERT_EQ(cluster_.Bound(), 2);
  EXPECT_THAT(Annotation("p0", "basalt.sh/queue"), testing::StartsWith("team-a."));
  Annotate("p0", kQueueName, "nowhere");
  Annotate("p1", kQueueName, "default");
  AddPod("p2", "team-a");
  AddPod("p3", "team-a");
  Run(20s);
  EXPECT_EQ(cluster_.Bound(), 2);
  EXPECT_TRUE(HasEvent("p0", "QueueChanged"));
  Restart();
  Run(20s);
  EXPECT_EQ(cluster_.Bound(), 2) << "after a restart";
  ASSERT_TRUE(cluster_.Delete({resources::kPods, "default", "p0"}, {.grace_period_seconds = 0}));
  Run(20s);
  EXPECT_EQ(cluster_.Bound(), 2) << "one left, one came";
}

TEST_F(TenantsTest, AGroupWhosePodsRunStaysInItsQueue) {
  cluster_.Create(MakeNode("n1").Cpu("16"));
  AddQueue("team-c", "2");
  AddQueue("open", "16");
  StartScheduler();
  cluster_.Create(MakePodGroup("g", 1, "team-c"));
  AddMember("g-0", "g");
  AddMember("g-1", "g");
  Run(5s);
  ASSERT_EQ(cluster_.Bound(), 2);
  ASSERT_TRUE(cluster_.Patch({resources::kPodGroups, "default", "g"}, kube::PatchKind::kMerge,
                             R"({"spec":{"queue":"open"}})"));
  AddPod("p0", "team-c");
  Run(20s);
  EXPECT_EQ(cluster_.Bound(), 2) << "its queue was changed";
  Restart();
  Run(20s);
  EXPECT_EQ(cluster_.Bound(), 2) << "after a restart";
  ASSERT_TRUE(cluster_.Delete({resources::kPodGroups, "default", "g"}));
  Run(20s);
  EXPECT_EQ(cluster_.Bound(), 2) << "the group was deleted";
  Restart();
  Run(20s);
  EXPECT_EQ(cluster_.Bound(), 2) << "after another restart";
}

TEST_F(TenantsTest, ARunningPodDoesNotLeaveItsQueueWithItsGroup) {
  cluster_.Create(MakeNode("n1").Cpu("16"));
  AddQueue("team-c", "1");
  AddQueue("open", "16");
  StartScheduler();
  cluster_.Create(MakePodGroup("g", 1, "team-c"));
  cluster_.Create(MakePodGroup("other", 1, "open"));
  AddMember("other-0", "other");
  AddMember("g-0", "g");
  Run(5s);
  ASSERT_EQ(cluster_.Bound(), 2);
  Annotate("g-0", "scheduling.k8s.io/group-name", "other");
  AddPod("p0", "team-c");
  Run(20s);
  EXPECT_FALSE(IsBound("p0"));
  Restart();
  Run(20s);
  EXPECT_FALSE(IsBound("p0")) << "after a restart";
}

TEST_F(TenantsTest, ARecordThatATenantWroteDoesNotCount) {
  cluster_.Create(MakeNode("n1").Cpu("16"));
  AddQueue("team-a", "2");
  AddQueue("team-b", "2");
  StartScheduler();
  AddPod("a0", "team-a");
  AddPod("b0", "team-b");
  Run(5s);
  ASSERT_EQ(cluster_.Bound(), 2);
  // Into a queue that another one was really bound in: the record is that pod's.
  Annotate("b0", "basalt.sh/queue", Annotation("a0", "basalt.sh/queue"));
  AddPod("b1", "team-b");
  AddPod("b2", "team-b");
  Run(20s);
  EXPECT_EQ(cluster_.Bound(), 3) << "while the scheduler lives it knows better";
  Restart();
  AddPod("a1", "team-a");
  Run(20s);
  EXPECT_TRUE(IsBound("a1")) << "b0 is not team-a's";
  EXPECT_EQ(cluster_.Bound(), 4) << "b0 counts where its annotation says";
  EXPECT_TRUE(HasEvent("b0", "QueueChanged"));
}

// ---- evictions

TEST_F(TenantsTest, APodDoesNotProtectItselfWithAForgedRecord) {
  std::string config(testutil::kPreemptAndReclaim);
  config.replace(config.find("enqueue, "), 9, "");
  // A group of one pod has none to spare; its rule is not what this is about.
  config.replace(config.find("  - name: gang\n"), 15,
                 "  - name: gang\n    enablePreemptable: false\n");
  cluster_.Create(MakeNode("n1").Cpu("2"));
  for (const auto& [name, value] : {std::pair("low", 1), std::pair("high", 1000)}) {
    cluster_.Create(testutil::MakeObject(resources::kPriorityClasses, name).Set("value", value));
  }
  StartScheduler(config);
  const char* forged =
      R"([{"pod":"default/low","uid":"0","origin":"o","for":"default/hp","forUid":"1",)"
      R"("at":"2099-01-01T00:00:00Z"}])";
  cluster_.Create(
      MakePod("low").Cpu("2").PriorityClass("low").Annotation("basalt.sh/evictions", forged));
  Run(5s);
  ASSERT_TRUE(IsBound("low"));
  StartScheduler(config);
  cluster_.Create(MakePod("hp").Cpu("2").PriorityClass("high"));
  Run(20s);
  const json::value low = Pod("low");
  EXPECT_TRUE(low.is_null() || !TextAt(low, "metadata.deletionTimestamp").empty());
}

// ---- claims

TEST_F(TenantsTest, AGatedPodThatFitsNowhereKeepsNobodyOutOfRoomThatIsThere) {
  for (const char* name : {"n1", "n2", "n3", "n4"}) cluster_.Create(MakeNode(name).Cpu("16"));
  StartScheduler();
  cluster_.Create(MakePod("gated").Cpu("100000").Gate(kGate).Annotation(kGate, "true"));
  Run(5s);
  const json::value gated = Pod("gated");
  EXPECT_EQ(testutil::FindPath(gated, "spec.schedulingGates.0"), nullptr)
      << "nodes may come for it";
  cluster_.Create(MakePod("plain").Cpu("1"));
  // A gang that the nodes cannot hold either is seen by autoscalers.
  cluster_.Create(MakePodGroup("gang", 2));
  for (const char* name : {"gang-0", "gang-1"}) {
    cluster_.Create(MakePod(name).Cpu("17").Group("gang"));
  }
  Run(10s);
  EXPECT_TRUE(IsBound("plain"));
  for (const char* name : {"gang-0", "gang-1"}) {
    EXPECT_EQ(TextAt(Pod(name), "status.conditions.0.reason"), "Unschedulable") << name;
  }
}

// ---- binds

TEST_F(TenantsTest, APodWhoseBindIsRefusedGivesItsRoomBackWhileItWaits) {
  cluster_.Create(testutil::MakeObject(resources::kNamespaces, "poison"));
  cluster_.Create(MakeNode("n1").Cpu("4"));
  refused_ns_ = "poison";
  StartScheduler();
  cluster_.Create(MakePod("bad").Ns("poison").Cpu("4"));
  Run(8s);
  const int refused = process_->api.refused();
  EXPECT_GE(refused, 3);
  EXPECT_LE(refused, 20) << "it is tried less and less often";
  EXPECT_EQ(TextAt(Pod("bad", "poison"), "status.conditions.0.reason"), "SchedulerError");
  EXPECT_THAT(std::string(TextAt(Pod("bad", "poison"), "status.conditions.0.message")),
              HasSubstr("binding to n1: admission webhook \"block\" denied the request"));

  cluster_.Create(MakePod("good").Cpu("4"));
  Run(2s);
  EXPECT_TRUE(IsBound("good")) << "nobody has the room";

  ASSERT_TRUE(cluster_.Delete({resources::kPods, "default", "good"}, {.grace_period_seconds = 0}));
  process_->api.RefuseBindsIn("");
  Run(30s);
  EXPECT_TRUE(IsBound("bad", "poison"));
}

TEST_F(TenantsTest, ABindOfALeaderEndsBeforeAnotherMayLead) {
  options_.election = {.ns = "default", .name = "scheduler", .identity = "first"};
  cluster_.Create(MakeNode("n1").Cpu("4"));
  StartScheduler();
  AddPod("p", "default");
  Run(5s);
  ASSERT_TRUE(IsBound("p"));
  EXPECT_EQ(process_->api.longest_bind(),
            options_.election->lease_duration - options_.election->renew_deadline);
}

}  // namespace
}  // namespace basalt::systemtest
