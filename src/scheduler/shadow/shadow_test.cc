#include "scheduler/shadow/shadow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "model/builtin_queues.h"
#include "testing/scheduling/scheduling_cluster.h"

namespace basalt::scheduler {
namespace {

using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakePodGroup;

// Passes everything on, and counts what is no read.
class CountingWrites final : public kube::ApiClient {
 public:
  explicit CountingWrites(kube::ApiClient& api) : api_(api) {}
  void Send(kube::ApiRequest request, kube::ApiHandler handler) override {
    if (request.method != "GET") ++writes;
    api_.Send(std::move(request), std::move(handler));
  }
  std::unique_ptr<kube::WatchStream> Watch(kube::ApiRequest request,
                                           kube::WatchObserver& observer) override {
    return api_.Watch(std::move(request), observer);
  }
  Loop& loop() override { return api_.loop(); }
  int writes = 0;

 private:
  kube::ApiClient& api_;
};

class ShadowTest : public testing::Test {
 protected:
  ShadowTest()
      : api_(cluster_.network()), counting_(api_), shadow_(loop(), counting_, OfVolcano()) {
    // The other has made the queues: a shadow does not.
    for (const char* name : {"root", "default"}) {
      cluster_.MustCreate(kube::resources::kQueues, "",
                          boost::json::parse(model::BuiltinQueueBody(name)).as_object());
    }
  }

  static SchedulerServiceOptions OfVolcano() {
    SchedulerServiceOptions options;
    options.scheduler.state.scheduler_names = {"volcano"};
    return options;
  }
  testutil::SimLoop& loop() { return cluster_.loop(); }
  // Another scheduler that works on the cluster.
  void StartTheOther() {
    other_api_ = std::make_unique<testutil::DirectApiClient>(cluster_.network());
    other_client_ = std::make_unique<kube::Client>(*other_api_);
    other_ = std::make_unique<SchedulerService>(loop(), *other_client_, OfVolcano());
    other_->Start();
  }
  std::uint64_t Count(ShadowClass which) const { return shadow_.ledger().count(which); }
  // As another scheduler does it, by hand.
  void BindByHand(const std::string& pod, const std::string& node) {
    cluster_.Call([&](kube::Client& client, kube::ApiHandler done) {
      client.Create({kube::resources::kPods, "default", pod, "binding"},
                    R"({"apiVersion":"v1","kind":"Binding","metadata":{"name":")" + pod +
                        R"("},"target":{"kind":"Node","name":")" + node + R"("}})",
                    std::move(done));
    });
  }

  testutil::SchedulingCluster cluster_;
  testutil::DirectApiClient api_;
  CountingWrites counting_;
  Shadow shadow_;
  std::unique_ptr<testutil::DirectApiClient> other_api_;
  std::unique_ptr<kube::Client> other_client_;
  std::unique_ptr<SchedulerService> other_;
};

TEST_F(ShadowTest, BesideAnotherItAgreesAndWritesNothing) {
  for (int i = 0; i < 4; ++i) cluster_.Create(MakeNode("n" + std::to_string(i)).Cpu("2"));
  StartTheOther();
  shadow_.Start();
  loop().RunFor(2s);
  cluster_.Create(MakePodGroup("gang", 6));
  for (int i = 0; i < 6; ++i) {
    cluster_.Create(MakePod("gang-" + std::to_string(i)).Cpu("1").Group("gang"));
  }
  cluster_.Create(MakePod("plain").Cpu("1"));
  loop().RunFor(30s);
  EXPECT_EQ(cluster_.Bound(), 7);
  EXPECT_EQ(counting_.writes, 0);
  EXPECT_GT(shadow_.pretended(), 0u);
  std::uint64_t all = 0;
  for (int i = 0; i < kShadowClasses; ++i) all += Count(static_cast<ShadowClass>(i));
  EXPECT_EQ(all, 7u);
  EXPECT_EQ(shadow_.ledger().ahead(), 0u);
}

TEST_F(ShadowTest, WhatTheOtherDoesIsTrueForItAtOnce) {
  cluster_.Create(MakeNode("n0").Cpu("2"));
  cluster_.Create(MakeNode("n1").Cpu("2"));
  shadow_.Start();
  loop().RunFor(1s);
  cluster_.Create(MakePod("a").Cpu("2"));  // it would go to n0
  loop().RunFor(1s);
  EXPECT_EQ(shadow_.ledger().ahead(), 1u);
  BindByHand("a", "n1");
  loop().RunFor(1s);
  EXPECT_EQ(Count(ShadowClass::kElsewhere), 1u);
  cluster_.Create(MakePod("b").Cpu("2"));  // n0 is free: that is true, too
  loop().RunFor(1s);
  BindByHand("b", "n0");
  loop().RunFor(1s);
  EXPECT_EQ(Count(ShadowClass::kAgreed), 1u);
  EXPECT_EQ(counting_.writes, 0);
}

TEST_F(ShadowTest, AWishThatDoesNotComeTrueIsTakenBackAndRemembered) {
  cluster_.Create(MakeNode("n0").Cpu("2"));
  shadow_.Start();
  loop().RunFor(1s);
  cluster_.Create(MakePod("slow").Cpu("2"));
  loop().RunFor(1min);  // nobody places it; it is decided on again and again
  EXPECT_EQ(shadow_.ledger().ahead(), 1u);
  BindByHand("slow", "n0");
  loop().RunFor(1s);
  EXPECT_EQ(Count(ShadowClass::kEarlier), 1u);
  EXPECT_GT(shadow_.ledger().differences().back().earlier, 55s);
  EXPECT_EQ(counting_.writes, 0);
}

TEST_F(ShadowTest, APodOfAnotherSchedulerIsNoneOfItsBusiness) {
  cluster_.Create(MakeNode("n0").Cpu("2"));
  shadow_.Start();
  loop().RunFor(1s);
  cluster_.Create(MakePod("theirs").Cpu("1").Scheduler("default-scheduler"));
  loop().RunFor(1s);
  BindByHand("theirs", "n0");
  loop().RunFor(1s);
  for (int i = 0; i < kShadowClasses; ++i) EXPECT_EQ(Count(static_cast<ShadowClass>(i)), 0u);
}

}  // namespace
}  // namespace basalt::scheduler
