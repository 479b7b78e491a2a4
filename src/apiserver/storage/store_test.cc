#include "apiserver/storage/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/value.hpp>

namespace basalt::apiserver {
namespace {

using testing::ElementsAre;

json::object Named(std::string_view name) {
  return {{"metadata", json::object{{"name", json::string(name)}}}};
}

std::vector<std::string> KeysAt(const Store& store, const Collection& collection,
                                std::uint64_t version, std::string_view from = "") {
  std::vector<std::string> keys;
  store.Scan(collection, version, from, [&keys](const StoredPtr& object) {
    keys.push_back(object->key);
    return true;
  });
  return keys;
}

TEST(StoreTest, TellsEveryStateThatItsHistoryCovers) {
  Store store(100, {});
  Collection& maps = store.Of("", "configmaps");
  store.Create(maps, "a", Named("a"));                     // 101
  store.Create(maps, "b", Named("b"));                     // 102
  store.Delete(maps, "a", store.Get(maps, "a")->Parse());  // 103
  store.Create(store.Of("", "pods"), "p", Named("p"));     // 104
  store.Create(maps, "a", Named("a"));                     // 105
  EXPECT_THAT(KeysAt(store, maps, 100), ElementsAre());
  EXPECT_THAT(KeysAt(store, maps, 101), ElementsAre("a"));
  EXPECT_THAT(KeysAt(store, maps, 102), ElementsAre("a", "b"));
  EXPECT_THAT(KeysAt(store, maps, 103), ElementsAre("b"));
  EXPECT_THAT(KeysAt(store, maps, 105), ElementsAre("a", "b"));
  EXPECT_THAT(KeysAt(store, maps, 102, "b"), ElementsAre("b"));
}

TEST(StoreTest, ForgetsTheOldestBeyondItsLimits) {
  Store store(0, {.events = 2});
  Collection& maps = store.Of("", "configmaps");
  for (const char* name : {"a", "b", "c"}) store.Create(maps, name, Named(name));
  EXPECT_EQ(store.version(), 3u);
  EXPECT_EQ(store.oldest_version(), 1u);
  std::vector<std::string> replayed;
  store.Replay(maps, 1, [&](const StoreEvent& event) {
    replayed.push_back(event.object->key);
    return true;
  });
  EXPECT_THAT(replayed, ElementsAre("b", "c"));
}

// Of small objects the text is the lesser part.
TEST(StoreTest, WhatTheHistoryHoldsBesideTextIsBoundedToo) {
  constexpr std::size_t kBytes = 100'000;
  Store store(0, {.bytes = kBytes});
  Collection& maps = store.Of("", "configmaps");
  for (int i = 0; i < 2000; ++i) {
    store.Create(maps, "a", Named("a"));
    store.Delete(maps, "a", Named("a"));
  }
  const std::uint64_t events = store.version() - store.oldest_version();
  EXPECT_GT(events, 0u);
  // Each has a version of the object, and half of them another.
  EXPECT_LE(events * sizeof(StoredObject), kBytes);
}

TEST(StoreTest, TextThatOnlyTheHistoryHoldsIsBounded) {
  Store store(0, {.bytes = 1000});
  Collection& maps = store.Of("", "configmaps");
  store.Create(maps, "a", Named("a"));
  json::object large = Named("a");
  large["data"] = json::string(std::string(600, 'x'));
  for (int i = 0; i < 5; ++i) store.Update(maps, "a", large);
  EXPECT_GE(store.oldest_version(), 4u);
  EXPECT_EQ(store.version(), 6u);
}

TEST(StoreTest, KeepsWhatSelectorsAndCollectionLookAt) {
  Store store(0, {});
  json::object object = Named("x");
  object["metadata"].as_object()["labels"] = json::object{{"a", "1"}, {"b", ""}};
  object["metadata"].as_object()["uid"] = "u";
  const StoredPtr stored = store.Create(store.Of("", "pods"), "ns/x", object);
  EXPECT_EQ(stored->Label("a"), "1");
  EXPECT_EQ(stored->Label("b"), "");
  EXPECT_EQ(stored->Label("c"), std::nullopt);
  EXPECT_EQ(stored->uid, "u");
  EXPECT_EQ(stored->ns(), "ns");
  EXPECT_EQ(stored->name(), "x");
}

}  // namespace
}  // namespace basalt::apiserver
