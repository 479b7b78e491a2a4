// deps: basalt_testing_scheduling basalt_simnode
// What users and clients get wrong: the object concerned says so, and everything else goes on.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/state/drift.h"
#include "testing/scheduling/scheduler_process.h"
#include "testing/scheduling/scheduling_cluster.h"

namespace basalt::testutil {
namespace {

using testing::AllOf;
using testing::HasSubstr;
namespace resources = kube::resources;

// Changes texts in what a client reads, as a server would that lets through what it should not.
class Tampering final : public kube::ApiClient {
 public:
  Tampering(kube::ApiClient& api, std::string from, std::string to)
      : api_(api), from_(std::move(from)), to_(std::move(to)) {}

  void Send(kube::ApiRequest request, kube::ApiHandler handler) override {
    api_.Send(std::move(request), [this, handler = std::move(handler)](auto result) mutable {
      if (result) result->body = Changed(result->body);
      handler(std::move(result));
    });
  }
  std::unique_ptr<kube::WatchStream> Watch(kube::ApiRequest request,
                                           kube::WatchObserver& observer) override {
    auto watch = std::make_unique<ChangedWatch>(*this, observer);
    watch->stream = api_.Watch(std::move(request), *watch);
    return watch;
  }
  Loop& loop() override { return api_.loop(); }

 private:
  struct ChangedWatch final : kube::WatchStream, kube::WatchObserver {
    ChangedWatch(Tampering& by, kube::WatchObserver& tells) : owner(by), observer(tells) {}
    void OnFrame(std::string_view frame) override { observer.OnFrame(owner.Changed(frame)); }
    void OnEnd(const Error& error) override { observer.OnEnd(error); }
    Tampering& owner;
    kube::WatchObserver& observer;
    std::unique_ptr<kube::WatchStream> stream;
  };

  std::string Changed(std::string_view text) const {
    std::string changed(text);
    for (std::size_t at = changed.find(from_); at != changed.npos;
         at = changed.find(from_, at + to_.size())) {
      changed.replace(at, from_.size(), to_);
    }
    return changed;
  }

  kube::ApiClient& api_;
  std::string from_, to_;
};

class BadInputTest : public testing::Test {
 protected:
  BadInputTest() {
    for (const char* name : {"n0", "n1"}) cluster_.Create(MakeNode(name).Cpu("8"));
    process_ =
        std::make_unique<SchedulerProcess>(cluster_.network(), scheduler::SchedulerServiceOptions{},
                                           std::string(scheduler::DefaultConfigYaml()));
    cluster_.loop().RunFor(2s);
  }
  void CreateGang(const std::string& group, int pods, int min_member, const std::string& queue) {
    cluster_.Create(MakePodGroup(group, min_member, queue));
    for (int i = 0; i < pods; ++i) CreatePod(group, i);
  }
  void CreatePod(const std::string& group, int i) {
    cluster_.Create(MakePod(fmt::format("{}-{}", group, i)).Cpu("1").Group(group));
  }
  bool IsBound(const std::string& pod) {
    return !TextAt(cluster_.Get(resources::kPods, "default", pod), "spec.nodeName").empty();
  }
  // All that an object says or is said of it: conditions and events.
  std::string Said(const kube::Resource& resource, const std::string& name) {
    std::string said;
    const json::value object = cluster_.Get(resource, resource.namespaced ? "default" : "", name);
    const json::value* conditions = FindPath(object, "status.conditions");
    if (conditions && conditions->is_array()) {
      for (const json::value& condition : conditions->get_array()) {
        said += fmt::format("{} {}: {}\n", TextAt(condition, "type"), TextAt(condition, "reason"),
                            TextAt(condition, "message"));
      }
    }
    for (const json::value& event : cluster_.List(resources::kEvents)) {
      if (TextAt(event, "involvedObject.name") != name ||
          TextAt(event, "involvedObject.kind") != resource.kind) {
        continue;
      }
      said += fmt::format("event {}: {}\n", TextAt(event, "reason"), TextAt(event, "message"));
    }
    return said;
  }
  // A gang that has nothing to do with it all still runs.
  void EverythingElseGoesOn() {
    CreateGang("other", 3, 3, "default");
    cluster_.loop().RunFor(10s);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(IsBound(fmt::format("other-{}", i)));
    const auto& service = process_->service();
    EXPECT_EQ(service.scheduler().state().cluster().CheckLedgers(), "");
    const auto& informers = service.informers();
    scheduler::DriftComparer drift({.pods = informers.Of<kube::Pod>().store(),
                                    .nodes = informers.Of<kube::Node>().store(),
                                    .groups = informers.Of<kube::PodGroup>().store(),
                                    .queues = informers.Of<kube::Queue>().store(),
                                    .scheduler_names = {},
                                    .takes_node = {}});
    drift.CompareAll(service.scheduler().state(), cluster_.loop().Now(),
                     [](const std::string& difference) { ADD_FAILURE() << difference; });
  }
  void RunFor(Duration duration) { cluster_.loop().RunFor(duration); }

  SchedulingCluster cluster_;
  std::unique_ptr<SchedulerProcess> process_;
};

TEST_F(BadInputTest, AGroupOfAQueueThatDoesNotExistSaysSoAndRunsWhenItDoes) {
  CreateGang("lost", 2, 2, "nowhere");
  RunFor(1min);
  EXPECT_FALSE(IsBound("lost-0"));
  EXPECT_THAT(Said(resources::kPodGroups, "lost"), HasSubstr("queue nowhere does not exist"));
  EXPECT_THAT(Said(resources::kPods, "lost-0"), HasSubstr("queue nowhere does not exist"));
  EverythingElseGoesOn();
  cluster_.Create(MakeQueue("nowhere"));
  RunFor(10s);
  EXPECT_TRUE(IsBound("lost-0"));
}

TEST_F(BadInputTest, AGroupOfAClosedQueueSaysSoAndRunsWhenItIsOpened) {
  cluster_.Create(MakeQueue("closed"));
  const auto set_state = [&](std::string_view state) {
    ASSERT_TRUE(cluster_.Patch({resources::kQueues, "", "closed", "status"},
                               kube::PatchKind::kMerge,
                               fmt::format(R"({{"status":{{"state":"{}"}}}})", state)));
  };
  set_state("Closed");
  CreateGang("shut", 2, 2, "closed");
  RunFor(1min);
  EXPECT_FALSE(IsBound("shut-0"));
  const std::string said = Said(resources::kPodGroups, "shut") + Said(resources::kPods, "shut-0");
  EXPECT_THAT(said, testing::AnyOf(HasSubstr("not open"), HasSubstr("closed")));
  EverythingElseGoesOn();
  set_state("Open");
  RunFor(10s);
  EXPECT_TRUE(IsBound("shut-0"));
}

TEST_F(BadInputTest, AMinimumAboveThePodsThatAreThereIsNamedWithBothNumbers) {
  CreateGang("short", 2, 3, "default");
  RunFor(1min);
  EXPECT_FALSE(IsBound("short-0"));
  const std::string said = Said(resources::kPodGroups, "short") + Said(resources::kPods, "short-0");
  EXPECT_THAT(said, HasSubstr("needs 3 pods and has 2"));
  EverythingElseGoesOn();
  CreatePod("short", 2);
  RunFor(10s);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(IsBound(fmt::format("short-{}", i)));
}

TEST_F(BadInputTest, AQuantityThatIsNoneIsRefusedWithItsField) {
  const auto create = [&](const kube::Resource& resource, std::string body) {
    return cluster_.Call([&](kube::Client& client, kube::ApiHandler done) {
      client.Create({resource, "default"}, body, std::move(done));
    });
  };
  const auto pod = create(resources::kPods, MakePod("bad").Cpu("lots").Text());
  ASSERT_FALSE(pod.has_value());
  EXPECT_THAT(pod.error().message, HasSubstr("quantities must match"));
  const auto group = create(resources::kPodGroups,
                            MakePodGroup("bad", 1).Set("spec.minResources.cpu", "lots").Text());
  ASSERT_FALSE(group.has_value());
  EXPECT_THAT(group.error().message, HasSubstr("minResources"));
  EverythingElseGoesOn();
}

TEST_F(BadInputTest, APodWithAQuantityThatIsNoneIsLeftOutAndTheOthersRun) {
  // A server that let it in.
  DirectApiClient api(cluster_.network());
  Tampering tampering(api, R"("cpu":"1234m")", R"("cpu":"lots")");
  kube::Client client(tampering);
  process_.reset();
  scheduler::SchedulerService service(cluster_.loop(), client);
  service.Start();
  cluster_.Create(MakePodGroup("good", 2));
  CreatePod("good", 0);
  cluster_.Create(MakePod("bad").Cpu("1234m"));
  CreatePod("good", 1);
  RunFor(10s);
  EXPECT_TRUE(IsBound("good-0"));
  EXPECT_TRUE(IsBound("good-1"));
  EXPECT_FALSE(IsBound("bad"));
  EXPECT_GT(service.informers().Of<kube::Pod>().bad_items(), 0u);
  RunFor(1min);
  EXPECT_THAT(Said(resources::kPods, "bad"),
              AllOf(HasSubstr("InvalidObject"), HasSubstr("requests.cpu")));
}

// The two on one page of the list, and in one watch: neither stops anybody else.
TEST_F(BadInputTest, AnUnreadablePodBesideOneThatIsNestedDeepStopsNobody) {
  for (const int levels : {40, 1000}) {
    SCOPED_TRACE(levels);
    std::string deep = "{}";
    for (int i = 0; i < levels; ++i) deep = R"({"f:a":)" + deep + "}";
    DirectApiClient api(cluster_.network());
    Tampering unreadable(api, R"("cpu":"1234m")", R"("cpu":"lots")");
    Tampering nested(unreadable, R"("replace-with":"depth")",
                     R"("a":"b"},"managedFields":[)" + deep + R"(],"x":{"a":"b")");
    const auto pod = [levels](std::string_view name) {
      return MakePod(fmt::format("{}-{}", name, levels));
    };
    cluster_.Create(pod("bad").Cpu("1234m"));
    cluster_.Create(pod("deep").Cpu("100m").Label("replace-with", "depth"));
    cluster_.Create(pod("listed").Cpu("100m"));
    process_.reset();
    kube::Client client(nested);
    scheduler::SchedulerService service(cluster_.loop(), client);
    service.Start();
    RunFor(5s);
    cluster_.Create(pod("bad-too").Cpu("1234m").Label("replace-with", "depth"));
    cluster_.Create(pod("deep-too").Cpu("100m").Label("replace-with", "depth"));
    cluster_.Create(pod("watched").Cpu("100m"));
    RunFor(5s);
    for (const char* name : {"deep", "listed", "deep-too", "watched"}) {
      EXPECT_TRUE(IsBound(fmt::format("{}-{}", name, levels))) << name;
    }
    EXPECT_FALSE(IsBound(fmt::format("bad-{}", levels)));
    EXPECT_FALSE(IsBound(fmt::format("bad-too-{}", levels)));
    EXPECT_EQ(service.informers().Of<kube::Pod>().stats().failures, 0u);
  }
}

TEST_F(BadInputTest, ANodeThatVanishesWhileABindIsUnderWayTakesNothingWithIt) {
  cluster_.network().set_plan({.least_latency = 50ms, .most_latency = 50ms});
  CreateGang("moving", 5, 5, "default");
  // Decided, and on its way.
  RunFor(80ms);
  const Result<json::value> gone = cluster_.Delete({resources::kNodes, "", "n0"});
  ASSERT_TRUE(gone.has_value());
  RunFor(5s);
  cluster_.network().set_plan({});
  // Whoever was bound there is lost with it, as a cluster's pod garbage collector sees to.
  for (const json::value& pod : cluster_.List(resources::kPods)) {
    if (TextAt(pod, "spec.nodeName") != "n0") continue;
    const std::string name = TextAt(pod, "metadata.name");
    ASSERT_TRUE(cluster_.Delete({resources::kPods, "default", name}, {.grace_period_seconds = 0}));
    CreatePod("moving", 10 + name.back());
  }
  RunFor(5s);
  EverythingElseGoesOn();
  int bound = 0;
  for (const json::value& pod : cluster_.List(resources::kPods)) {
    if (TextAt(pod, "spec.nodeName") == "n1") ++bound;
  }
  EXPECT_EQ(bound, 8);  // all that its 8 CPUs hold
}

TEST_F(BadInputTest, APodThatTwoGroupsClaimBelongsToTheFirstAndSaysSo) {
  CreateGang("one", 0, 1, "default");
  CreateGang("two", 0, 1, "default");
  cluster_.Create(
      MakePod("torn").Cpu("1").Group("one").Annotation("scheduling.volcano.sh/group-name", "two"));
  RunFor(10s);
  EXPECT_TRUE(IsBound("torn"));
  EXPECT_THAT(Said(resources::kPods, "torn"),
              AllOf(HasSubstr("PodGroupConflict"), HasSubstr("one"), HasSubstr("two"),
                    Not(HasSubstr("TwoPodGroups"))));
  EverythingElseGoesOn();
}

TEST_F(BadInputTest, QueuesThatAreTheirOwnAncestorsSayWhichAndTheRestOfTheTreeWorks) {
  cluster_.Create(MakeQueue("x").Set("spec.parent", "z"));
  cluster_.Create(MakeQueue("y").Set("spec.parent", "x"));
  cluster_.Create(MakeQueue("z").Set("spec.parent", "y"));
  CreateGang("round", 1, 1, "x");
  RunFor(1min);
  EXPECT_THAT(Said(resources::kQueues, "x"), AllOf(HasSubstr("x"), HasSubstr("y"), HasSubstr("z")));
  EverythingElseGoesOn();
  ASSERT_TRUE(cluster_.Patch({resources::kQueues, "", "x"}, kube::PatchKind::kMerge,
                             R"({"spec":{"parent":"root"}})"));
  RunFor(10s);
  EXPECT_TRUE(IsBound("round-0"));
}

TEST_F(BadInputTest, AConfigurationWithAnUnknownNameIsRefusedWithTheNearestKnownOne) {
  const auto refusal = [&](const std::string& yaml) {
    const Result<void> configured = process_->service().Configure(yaml);
    return configured ? std::string() : configured.error().message;
  };
  EXPECT_THAT(refusal("actions: \"enqueue, alocate\"\n"), HasSubstr("allocate"));
  EXPECT_THAT(refusal("actions: \"allocate\"\ntiers:\n- plugins:\n  - name: ganng\n"),
              AllOf(HasSubstr("ganng"), HasSubstr("gang"), HasSubstr("4")));
  EXPECT_THAT(refusal("actions: \"allocate\"\ntiers:\n- plugins:\n  - name: binpack\n"
                      "    arguments:\n      binpack.wait: 3\n"),
              HasSubstr("binpack.wait"));
  EverythingElseGoesOn();
}

}  // namespace
}  // namespace basalt::testutil
