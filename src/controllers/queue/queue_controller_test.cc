#include "controllers/queue/queue_controller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "testing/scheduling/scheduling_cluster.h"

namespace basalt::controllers {
namespace {

using testing::HasSubstr;
using testutil::MakeObject;
using testutil::MakePodGroup;
using testutil::MakeQueue;
using testutil::TextAt;
namespace json = boost::json;
namespace resources = kube::resources;

class QueueControllerTest : public testing::Test {
 protected:
  QueueControllerTest() {
    controller_.Start();
    Run();
  }
  void Run() { cluster_.loop().RunFor(2s); }
  std::string State(std::string_view queue) {
    return TextAt(cluster_.Get(resources::kQueues, "", queue), "status.state");
  }
  void Add(std::string_view name, std::string_view parent = "") {
    auto queue = MakeQueue(name);
    if (!parent.empty()) queue.Set("spec.parent", parent);
    cluster_.Create(queue);
    Run();
  }
  void Command(std::string_view action, std::string_view queue) {
    const std::string uid = TextAt(cluster_.Get(resources::kQueues, "", queue), "metadata.uid");
    cluster_.Create(MakeObject(resources::kCommands, "c" + std::to_string(++commands_))
                        .Set("action", action)
                        .Set("target", json::object{{"apiVersion", "scheduling.volcano.sh/v1beta1"},
                                                    {"kind", "Queue"},
                                                    {"name", queue},
                                                    {"uid", uid}}));
    Run();
    EXPECT_TRUE(cluster_.List(resources::kCommands).empty()) << "it is gone when it was obeyed";
  }
  void Delete(std::string_view queue) {
    ASSERT_TRUE(cluster_.Delete({resources::kQueues, "", queue}));
    Run();
  }
  bool Exists(std::string_view queue) {
    return !cluster_.Get(resources::kQueues, "", queue).is_null();
  }
  std::string LastEvent() {
    const auto events = cluster_.List(resources::kEvents);
    return events.empty() ? "" : TextAt(events.back(), "message");
  }

  int commands_ = 0;
  testutil::SchedulingCluster cluster_;
  kube::EventRecorder events_{cluster_.client(), {.component = "vc-controller-manager"}};
  QueueController controller_{cluster_.client(), events_};
};

TEST_F(QueueControllerTest, TheRootAndTheDefaultQueueAreMadeAndMadeAgain) {
  EXPECT_EQ(State("root"), "Open");
  EXPECT_EQ(State("default"), "Open");
  EXPECT_EQ(TextAt(cluster_.Get(resources::kQueues, "", "default"), "spec.parent"), "root");
  Delete("default");
  EXPECT_EQ(State("default"), "Open");
}

TEST_F(QueueControllerTest, ANewQueueIsOpenAndAChildOfTheRoot) {
  Add("q");
  EXPECT_EQ(State("q"), "Open");
  EXPECT_EQ(TextAt(cluster_.Get(resources::kQueues, "", "q"), "spec.parent"), "root");
}

TEST_F(QueueControllerTest, ACommandClosesAndOpens) {
  Add("q");
  Command("CloseQueue", "q");
  EXPECT_EQ(State("q"), "Closed");
  Command("OpenQueue", "q");
  EXPECT_EQ(State("q"), "Open");
}

TEST_F(QueueControllerTest, AQueueWithJobsIsClosingUntilTheyAreGone) {
  Add("q");
  cluster_.Create(MakePodGroup("g", 1, "q"));
  Command("CloseQueue", "q");
  EXPECT_EQ(State("q"), "Closing");
  ASSERT_TRUE(cluster_.Delete({resources::kPodGroups, "default", "g"}));
  Run();
  EXPECT_EQ(State("q"), "Closed");
}

TEST_F(QueueControllerTest, TheSchedulersCountsKeepAQueueClosingToo) {
  Add("q");
  const auto count = [&](int running) {
    ASSERT_TRUE(cluster_.Patch({resources::kQueues, "", "q", "status"}, kube::PatchKind::kMerge,
                               R"({"status":{"running":)" + std::to_string(running) + "}}"));
    Run();
  };
  count(1);
  Command("CloseQueue", "q");
  EXPECT_EQ(State("q"), "Closing");
  count(0);
  EXPECT_EQ(State("q"), "Closed");
}

TEST_F(QueueControllerTest, ChildrenCloseAndOpenWithTheirParentUnlessTheyWereClosedBefore) {
  Add("p");
  Add("a", "p");
  Add("b", "p");
  Add("below", "a");
  Command("CloseQueue", "b");
  Command("CloseQueue", "p");
  EXPECT_EQ(State("a"), "Closed");
  EXPECT_EQ(State("below"), "Closed");
  Command("OpenQueue", "a");
  EXPECT_EQ(State("a"), "Closed") << "its parent is closed";
  Command("OpenQueue", "p");
  EXPECT_EQ(State("p"), "Open");
  EXPECT_EQ(State("a"), "Open");
  EXPECT_EQ(State("below"), "Open");
  EXPECT_EQ(State("b"), "Closed");
}

TEST_F(QueueControllerTest, WhatCannotBeDoneIsSaid) {
  Command("CloseQueue", "root");
  EXPECT_EQ(State("root"), "Open");
  Add("q");
  Command("Explode", "q");
  EXPECT_EQ(State("q"), "Open");
  std::string all;
  for (const json::value& event : cluster_.List(resources::kEvents)) {
    all += TextAt(event, "message") + "\n";
  }
  EXPECT_THAT(all, HasSubstr("root queue cannot be closed"));
  EXPECT_THAT(all, HasSubstr("Explode is no action of queues"));
}

TEST_F(QueueControllerTest, AQueueThatIsDeletedStaysUntilItHasNeitherChildrenNorJobs) {
  Add("p");
  Add("child", "p");
  cluster_.Create(MakePodGroup("g", 1, "p"));
  Delete("p");
  EXPECT_TRUE(Exists("p"));
  EXPECT_EQ(State("p"), "Closing");
  EXPECT_EQ(State("child"), "Closed") << "closed with its parent";
  ASSERT_TRUE(cluster_.Delete({resources::kPodGroups, "default", "g"}));
  Run();
  EXPECT_TRUE(Exists("p"));
  Delete("child");
  EXPECT_FALSE(Exists("child"));
  EXPECT_FALSE(Exists("p"));
}

}  // namespace
}  // namespace basalt::controllers
