#include "scheduler/scheduler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "kube/client/event_recorder.h"
#include "testing/cluster.h"

namespace basalt::scheduler {
namespace {

using testutil::MakeNode;
using testutil::MakeObject;
using testutil::MakePod;
using testutil::TextAt;
namespace resources = kube::resources;

// The scheduler as a role has it, on one loop and virtual time.
class RunningScheduler {
 public:
  explicit RunningScheduler(testutil::SimCluster& cluster)
      : scheduler_(cluster.loop(), {},
                   [this](std::vector<model::Intent> intents) {
                     for (const model::Intent& intent : intents) {
                       if (std::holds_alternative<model::Bind>(intent)) ++binds_;
                     }
                     effects_.Submit(std::move(intents));
                   }),
        events_(cluster.client(), {.component = "volcano"}),
        effects_(cluster.client(), events_, {},
                 [this](Outcome outcome) { scheduler_.Apply(outcome); }),
        pods_(cluster.client(), [this](auto event) { scheduler_.Apply(event); }),
        nodes_(cluster.client(), [this](auto event) { scheduler_.Apply(event); }) {
    EXPECT_TRUE(scheduler_.Configure(DefaultConfigYaml()).has_value());
    pods_.Start();
    nodes_.Start();
    kube::Queue queue;
    queue.meta.name = "default";
    queue.state = kube::QueueState::kOpen;
    scheduler_.Apply(Added(std::move(queue)));
  }

  // The group as its informer would tell of it.
  void AddGroup(const std::string& name, int min_member) {
    kube::PodGroup group;
    group.meta.name = name;
    group.meta.ns = "default";
    group.meta.uid = "uid-of-" + name;
    group.queue = "default";
    group.min_member = min_member;
    group.phase = kube::PodGroupPhase::kInqueue;
    scheduler_.Apply(Added(std::move(group)));
  }

  Scheduler& operator*() { return scheduler_; }
  int binds() const { return binds_; }

 private:
  template <class T>
  static kube::InformerEvent<T> Added(T object) {
    return {.kind = kube::InformerEventKind::kAdded,
            .object = std::make_shared<const T>(std::move(object))};
  }

  int binds_ = 0;
  Scheduler scheduler_;
  kube::EventRecorder events_;
  Effects effects_;
  kube::Informer<kube::Pod> pods_;
  kube::Informer<kube::Node> nodes_;
};

class SchedulerTest : public testing::Test {
 protected:
  void CreateGang(const std::string& group, int pods) {
    for (int i = 0; i < pods; ++i) {
      cluster_.Create(MakePod(group + "-" + std::to_string(i))
                          .Request("cpu", "1")
                          .Annotation("scheduling.k8s.io/group-name", group));
    }
  }
  int Bound() {
    int bound = 0;
    for (const auto& pod : cluster_.List(resources::kPods)) {
      if (!TextAt(pod, "spec.nodeName").empty()) ++bound;
    }
    return bound;
  }

  testutil::SimCluster cluster_;
};

TEST_F(SchedulerTest, AGangThatFitsIsBound) {
  for (int i = 0; i < 4; ++i) cluster_.Create(MakeNode("n" + std::to_string(i)).Cpu("2"));
  RunningScheduler scheduler(cluster_);
  scheduler.AddGroup("train", 8);
  CreateGang("train", 8);
  (*scheduler).Start();
  cluster_.loop().RunFor(5s);
  EXPECT_EQ(Bound(), 8);
  EXPECT_EQ(scheduler.binds(), 8);
}

TEST_F(SchedulerTest, AGangThatIsOneTooLargeIsNotBoundInPart) {
  for (int i = 0; i < 4; ++i) cluster_.Create(MakeNode("n" + std::to_string(i)).Cpu("2"));
  RunningScheduler scheduler(cluster_);
  scheduler.AddGroup("train", 9);
  CreateGang("train", 9);
  (*scheduler).Start();
  cluster_.loop().RunFor(5s);
  EXPECT_EQ(Bound(), 0);
}

TEST_F(SchedulerTest, ANewNodeLetsAWaitingGangStartAtOnce) {
  cluster_.Create(MakeNode("n0").Cpu("2"));
  RunningScheduler scheduler(cluster_);
  scheduler.AddGroup("train", 4);
  CreateGang("train", 4);
  (*scheduler).Start();
  cluster_.loop().RunFor(5s);
  EXPECT_EQ(Bound(), 0);
  cluster_.Create(MakeNode("n1").Cpu("2"));
  cluster_.loop().RunFor(20ms);
  EXPECT_EQ(Bound(), 4);
}

TEST_F(SchedulerTest, NothingHappensBeforeItLeadsAndAfterItStopped) {
  cluster_.Create(MakeNode("n0").Cpu("2"));
  RunningScheduler scheduler(cluster_);
  scheduler.AddGroup("train", 1);
  CreateGang("train", 1);
  cluster_.loop().RunFor(5s);
  EXPECT_EQ((*scheduler).cycles(), 0u);
  (*scheduler).Start();
  (*scheduler).Stop();
  cluster_.loop().RunFor(5s);
  EXPECT_EQ(Bound(), 0);
}

TEST_F(SchedulerTest, WhenNothingWaitsThereAreNoCycles) {
  cluster_.Create(MakeNode("n0").Cpu("2"));
  RunningScheduler scheduler(cluster_);
  (*scheduler).Start();
  cluster_.loop().RunFor(5s);
  const std::uint64_t before = (*scheduler).cycles();
  cluster_.loop().RunFor(1h);
  EXPECT_EQ((*scheduler).cycles(), before);
}

TEST_F(SchedulerTest, ABrokenConfigurationIsRefusedAndTheLastGoodOneStays) {
  cluster_.Create(MakeNode("n0").Cpu("2"));
  RunningScheduler scheduler(cluster_);
  const Result<void> refused = (*scheduler).Configure("actions: \"enqueue, alocate\"\n");
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().message, testing::HasSubstr("allocate"));
  scheduler.AddGroup("train", 1);
  CreateGang("train", 1);
  (*scheduler).Start();
  cluster_.loop().RunFor(1s);
  EXPECT_EQ(Bound(), 1);
}

}  // namespace
}  // namespace basalt::scheduler
