#include "controllers/runtime/controller_manager.h"

#include <gtest/gtest.h>

#include "testing/cluster.h"

namespace basalt::controllers {
namespace {

// Counts how many of its kind are at work.
class Probe final : public Controller {
 public:
  explicit Probe(int& at_work) : at_work_(at_work) {}
  ~Probe() override {
    if (started_) --at_work_;
  }
  std::string_view name() const override { return "probe"; }
  void Start() override {
    started_ = true;
    ++at_work_;
  }
  bool HasSynced() const override { return started_; }

 private:
  int& at_work_;
  bool started_ = false;
};

struct Process {
  Process(testutil::SimCluster& cluster, int& at_work, const std::string& identity)
      : api(cluster.network()),
        manager(api,
                {.election =
                     kube::LeaderElectorOptions{
                         .ns = "kube-system", .name = "controllers", .identity = identity}},
                [&at_work](kube::Client&, kube::EventRecorder&) {
                  ControllerManager::Controllers controllers;
                  controllers.push_back(std::make_unique<Probe>(at_work));
                  return controllers;
                }) {
    manager.Start();
  }
  testutil::DirectApiClient api;
  ControllerManager manager;
};

TEST(ControllerManager, OfTwoProcessesOneWorksAndTheOtherFollowsWhenItStops) {
  testutil::SimCluster cluster;
  int first_at_work = 0;
  int second_at_work = 0;
  Process first(cluster, first_at_work, "first");
  cluster.loop().RunFor(1s);
  Process second(cluster, second_at_work, "second");
  cluster.loop().RunFor(10s);
  EXPECT_EQ(first_at_work, 1);
  EXPECT_EQ(second_at_work, 0);
  EXPECT_TRUE(first.manager.ready());
  EXPECT_TRUE(second.manager.ready()) << "it stands by";
  bool stopped = false;
  first.manager.Stop([&] { stopped = true; });
  cluster.loop().RunFor(10s);
  EXPECT_TRUE(stopped);
  EXPECT_EQ(first_at_work, 0);
  EXPECT_EQ(second_at_work, 1);
}

TEST(ControllerManager, OneThatCannotRenewItsLeaseStopsWorking) {
  testutil::SimCluster cluster;
  int at_work = 0;
  Process process(cluster, at_work, "first");
  cluster.loop().RunFor(1s);
  ASSERT_EQ(at_work, 1);
  cluster.network().Restart(60s);
  cluster.loop().RunFor(30s);
  EXPECT_EQ(at_work, 0);
  cluster.loop().RunFor(90s);
  EXPECT_EQ(at_work, 1);
}

}  // namespace
}  // namespace basalt::controllers
