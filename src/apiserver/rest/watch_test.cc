// How much a watch holds for a client that does not read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "apiserver/server_test_util.h"

namespace basalt::apiserver {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::size_t kLarge = 300'000;

std::string Map(const std::string& name, std::size_t size = 0) {
  return R"({"metadata":{"name":")" + name + R"("},"data":{"x":")" + std::string(size, 'x') +
         R"("}})";
}

std::string Change(int i) {
  return R"({"metadata":{"annotations":{"i":")" + std::to_string(i) + R"("}}})";
}

// A client that does not read, from the beginning.
std::shared_ptr<TestExchange> Stalled(TestServer& server, const std::string& target) {
  auto exchange = std::make_shared<TestExchange>();
  exchange->stalled = true;
  server.server().Handle({.method = "GET", .target = target}, exchange);
  server.loop().RunUntilIdle();
  return exchange;
}

TEST(WatchBacklogTest, ManyStalledWatchesOfALargeObjectHoldLittle) {
  TestServer server;
  ASSERT_EQ(server.Post(kMaps, Map("a", kLarge)).status, 201);
  std::vector<std::shared_ptr<TestExchange>> watches;
  for (int i = 0; i < 40; ++i) watches.push_back(Stalled(server, kMaps + "?watch=1"));
  for (int i = 0; i < 100; ++i) ASSERT_EQ(server.Patch(kMaps + "/a", Change(i)).status, 200);
  for (const auto& watch : watches) EXPECT_LT(watch->text.size(), 2u * 1024 * 1024);
}

TEST(WatchBacklogTest, AClientThatReadsAgainMissesNothing) {
  TestServer server;
  const auto watch = Stalled(server, kMaps + "?watch=1");
  std::vector<std::string> want;
  for (int i = 0; i < 30; ++i) {
    ASSERT_EQ(server.Post(kMaps, Map("m" + std::to_string(i), kLarge)).status, 201);
    want.push_back("ADDED m" + std::to_string(i));
  }
  EXPECT_LT(watch->text.size(), 2u * 1024 * 1024);
  EXPECT_EQ(watch->ReadAll(), want);
  ASSERT_EQ(server.Post(kMaps, Map("last")).status, 201);
  EXPECT_THAT(watch->Take(), ElementsAre("ADDED last"));
}

TEST(WatchBacklogTest, AStateLargerThanTheBacklogIsShownAsFastAsItIsRead) {
  TestServer server;
  std::vector<std::string> want;
  for (int i = 10; i < 30; ++i) {
    ASSERT_EQ(server.Post(kMaps, Map("m" + std::to_string(i), kLarge)).status, 201);
    want.push_back("ADDED m" + std::to_string(i));
  }
  const auto watch = Stalled(server, kMaps +
                                         "?watch=1&sendInitialEvents=true&allowWatchBookmarks=true"
                                         "&resourceVersionMatch=NotOlderThan");
  EXPECT_LT(watch->text.size(), 2u * 1024 * 1024);
  // What is written meanwhile comes after the state and its mark.
  ASSERT_EQ(server.Patch(kMaps + "/m10", Change(1)).status, 200);
  ASSERT_EQ(server.Delete(kMaps + "/m29").status, 200);
  want.insert(want.end(), {"BOOKMARK", "MODIFIED m10", "DELETED m29"});
  EXPECT_EQ(watch->ReadAll(), want);
}

TEST(WatchBacklogTest, AWatchThatTheHistoryHasLeftBehindIsGone) {
  TestServer server;
  const auto watch = Stalled(server, kMaps + "?watch=1");
  for (int i = 0; i < 10; ++i) {
    ASSERT_EQ(server.Post(kMaps, Map("m" + std::to_string(i), kLarge)).status, 201);
  }
  server.server().Compact();
  const std::vector<std::string> frames = watch->ReadAll();
  EXPECT_EQ(frames.back(), "ERROR");
  EXPECT_EQ(Answer::TextAt(watch->last, "object.code"), "410");
  EXPECT_THAT(Answer::TextAt(watch->last, "object.message"), HasSubstr("too old resource version"));
  EXPECT_TRUE(watch->ended);
}

TEST(WatchBacklogTest, NoBookmarkPromisesWhatWasNotShown) {
  TestServer server({.bookmark_interval = 1s});
  const auto watch = Stalled(server, kMaps + "?watch=1&allowWatchBookmarks=true");
  for (int i = 0; i < 10; ++i) {
    ASSERT_EQ(server.Post(kMaps, Map("m" + std::to_string(i), kLarge)).status, 201);
  }
  server.loop().RunFor(10s);
  const std::vector<std::string> frames = watch->ReadAll();
  EXPECT_EQ(std::ranges::count(frames, "BOOKMARK"), 0);
  EXPECT_EQ(frames.size(), 10u);
  watch->stalled = false;
  server.loop().RunFor(1s);
  EXPECT_THAT(watch->Take(), ElementsAre("BOOKMARK"));
}

TEST(WatchBacklogTest, AnAbsurdTimeoutIsADay) {
  TestServer server;
  const auto watch = Stalled(server, kMaps + "?watch=1&timeoutSeconds=9223372036854775807");
  server.loop().RunFor(23h);
  EXPECT_FALSE(watch->ended);
  server.loop().RunFor(2h);
  EXPECT_TRUE(watch->ended);
}

}  // namespace
}  // namespace basalt::apiserver
