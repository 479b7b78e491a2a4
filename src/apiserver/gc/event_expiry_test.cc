#include <gtest/gtest.h>

#include "apiserver/gc/controllers.h"
#include "apiserver/server_test_util.h"

namespace basalt::apiserver {
namespace {

const std::string kEvents = "/api/v1/namespaces/default/events";

std::string EventText(const std::string& name) {
  return R"({"metadata":{"name":")" + name +
         R"("},"involvedObject":{"kind":"Pod","namespace":"default","name":"p"},"reason":"r"})";
}

TEST(EventExpiryTest, AnEventGoesSomeTimeAfterItsLastChange) {
  TestServer server({.event_ttl = 100s});
  ASSERT_EQ(server.Post(kEvents, EventText("old")).status, 201);
  ASSERT_EQ(server.Post(kEvents, EventText("renewed")).status, 201);
  server.loop().RunFor(60s);
  ASSERT_EQ(server.Patch(kEvents + "/renewed", R"({"count":2})").status, 200);
  server.loop().RunFor(45s);
  EXPECT_EQ(server.Get(kEvents + "/old").status, 404);
  EXPECT_EQ(server.Get(kEvents + "/renewed").status, 200);
  server.loop().RunFor(60s);
  EXPECT_EQ(server.Get(kEvents + "/renewed").status, 404);
}

TEST(EventExpiryTest, AnEventThatSomebodyDeletedIsNotMissed) {
  TestServer server({.event_ttl = 100s});
  ASSERT_EQ(server.Post(kEvents, EventText("a")).status, 201);
  ASSERT_EQ(server.Delete(kEvents + "/a").status, 200);
  ASSERT_EQ(server.Post(kEvents, EventText("b")).status, 201);
  server.loop().RunFor(200s);
  EXPECT_TRUE(server.Get(kEvents).json.at("items").as_array().empty());
}

TEST(EventExpiryTest, NothingIsRememberedOfAnEventThatSomebodyDeleted) {
  TestServer server({.event_ttl = 100s});
  server.loop().RunFor(10s);
  ASSERT_TRUE(server.loop().empty());
  ASSERT_EQ(server.Post(kEvents, EventText("a")).status, 201);
  ASSERT_EQ(server.Patch(kEvents + "/a", R"({"count":2})").status, 200);
  EXPECT_FALSE(server.loop().empty());
  ASSERT_EQ(server.Delete(kEvents + "/a").status, 200);
  server.loop().RunUntilIdle();
  EXPECT_TRUE(server.loop().empty());
}

TEST(EventExpiryTest, ThousandsThatGrowOldTogetherAllGo) {
  TestServer server({.event_ttl = 100s});
  for (int i = 0; i < 2500; ++i) {
    ASSERT_EQ(server.Post(kEvents, EventText("e" + std::to_string(i))).status, 201);
  }
  server.loop().RunFor(110s);
  EXPECT_TRUE(server.Get(kEvents).json.at("items").as_array().empty());
}

}  // namespace
}  // namespace basalt::apiserver
