#include "controllers/runtime/controller_manager.h"

#include <gtest/gtest.h>

#include <optional>

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

// Leads until it is told otherwise, of which the role hears later: its loop was late.
class LateNews final : public kube::Leadership {
 public:
  LateNews(Callbacks callbacks, const bool& leads)
      : callbacks_(std::move(callbacks)), leads_(leads) {}
  void Start() override { callbacks_.on_started_leading(); }
  void Release(std::move_only_function<void()> done) override { done(); }
  bool IsLeader() const override { return leads_; }
  const std::string& leader() const override { return leader_; }

 private:
  Callbacks callbacks_;
  const bool& leads_;
  std::string leader_ = "me";
};

TEST(ControllerManager, OneThatHasLostTheLeaseWritesNothingBeforeItHearsOfThat) {
  testutil::SimCluster cluster;
  testutil::DirectApiClient api(cluster.network());
  bool leads = true;
  int at_work = 0;
  kube::Client* client = nullptr;
  ControllerManager manager(
      api,
      {.election = kube::LeaderElectorOptions{.ns = "kube-system", .name = "c", .identity = "me"},
       .elect =
           [&leads](const kube::LeaderElectorOptions&, kube::Leadership::Callbacks callbacks) {
             return std::make_unique<LateNews>(std::move(callbacks), leads);
           }},
      [&](kube::Client& given, kube::EventRecorder&) {
        client = &given;
        ControllerManager::Controllers controllers;
        controllers.push_back(std::make_unique<Probe>(at_work));
        return controllers;
      });
  manager.Start();
  const auto create = [&](const std::string& name) {
    std::optional<bool> made;
    client->Create({kube::resources::kNamespaces},
                   R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":")" + name + "\"}}",
                   [&made](const Result<kube::ApiResponse>& result) { made = result.has_value(); });
    cluster.loop().RunFor(1s);
    return made;
  };
  EXPECT_EQ(create("before"), true);
  leads = false;
  EXPECT_EQ(at_work, 1);
  EXPECT_EQ(create("after"), false);
  EXPECT_TRUE(cluster.Get(kube::resources::kNamespaces, "", "after").is_null());
}

}  // namespace
}  // namespace basalt::controllers
