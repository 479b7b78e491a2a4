#include "kube/informer/informer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kube/informer/scripted_api_test_util.h"
#include "testing/sim_loop.h"

namespace basalt::kube {

// A kind of our own, so that these tests are about the informer alone.
struct Thing {
  ObjectMeta meta;
  std::string data;
};
template <>
struct KindTraits<Thing> {
  static constexpr Resource resource = resources::kConfigMaps;
};

namespace {

namespace json = boost::json;

Result<Thing> ReadThing(const json::value& value) {
  Thing thing;
  const json::object& meta = value.at("metadata").as_object();
  thing.meta.ns = meta.contains("namespace") ? meta.at("namespace").as_string() : "";
  thing.meta.name = meta.contains("name") ? meta.at("name").as_string() : "";
  thing.meta.uid = meta.contains("uid") ? meta.at("uid").as_string() : "";
  thing.meta.resource_version = meta.at("resourceVersion").as_string();
  if (const json::value* data = value.as_object().if_contains("data")) {
    if (!data->is_string()) return Fail(ErrorCode::kInvalid, thing.meta.name + ": data: bad");
    thing.data = data->as_string();
  }
  return thing;
}

}  // namespace

template <>
Result<ListMeta> DecodeList<Thing>(std::string_view text,
                                   FunctionRef<void(Result<Thing>&&)> on_item) {
  boost::system::error_code bad;
  const json::value list = json::parse(text, bad);
  if (bad) return Fail(ErrorCode::kInvalidArgument, "not JSON");
  for (const json::value& item : list.at("items").as_array()) on_item(ReadThing(item));
  return ListMeta{};
}

template <>
Result<WatchFrame> DecodeWatchFrame<Thing>(std::string_view text) {
  boost::system::error_code bad;
  const json::value frame = json::parse(text, bad);
  if (bad) return Fail(ErrorCode::kInvalidArgument, "not JSON");
  const std::string_view type = frame.at("type").as_string();
  if (type == "ERROR") {
    const auto code = frame.at("object").at("code").as_int64();
    return std::unexpected(Error{.code = code == 410 ? ErrorCode::kGone : ErrorCode::kInternal,
                                 .message = "from the stream",
                                 .http_status = static_cast<int>(code)});
  }
  Result<Thing> thing = ReadThing(frame.at("object"));
  if (!thing) return std::unexpected(thing.error());
  const WatchType known = type == "ADDED"      ? WatchType::kAdded
                          : type == "MODIFIED" ? WatchType::kModified
                          : type == "DELETED"  ? WatchType::kDeleted
                                               : WatchType::kBookmark;
  return WatchFrame{known, std::make_shared<const Thing>(std::move(*thing))};
}

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string Item(std::string_view name, int version, std::string_view uid = "u") {
  return fmt::format(
      R"({{"metadata":{{"namespace":"ns","name":"{}","uid":"{}","resourceVersion":"{}"}},"data":"d{}"}})",
      name, uid, version, version);
}

std::string BadItem(std::string_view name, int version) {
  return fmt::format(
      R"({{"metadata":{{"namespace":"ns","name":"{}","uid":"u","resourceVersion":"{}"}},"data":7}})",
      name, version);
}

std::string Bookmark(int version) {
  return fmt::format(R"({{"type":"BOOKMARK","object":{{"metadata":{{"resourceVersion":"{}"}}}}}})",
                     version);
}

class InformerTest : public testing::Test {
 protected:
  InformerTest() : api_(loop_), client_(api_) { Make({}); }

  void Make(ReflectorOptions options) {
    informer_ = std::make_unique<Informer<Thing>>(
        client_, [this](InformerEvent<Thing> event) { OnEvent(event); }, options);
  }
  void OnEvent(const InformerEvent<Thing>& event) {
    const auto version = [](const auto& object) { return object->meta.resource_version; };
    switch (event.kind) {
      case InformerEventKind::kAdded:
        events_.push_back("+" + event.object->meta.name + version(event.object));
        break;
      case InformerEventKind::kUpdated:
        events_.push_back(event.object->meta.name + version(event.old_object) + ">" +
                          version(event.object));
        break;
      case InformerEventKind::kDeleted:
        events_.push_back("-" + event.old_object->meta.name + version(event.old_object));
        break;
      case InformerEventKind::kSynced: events_.push_back("synced"); break;
    }
    if (on_event_) on_event_();
  }

  void Reply(const std::vector<std::string>& items, int version, std::string_view next = "") {
    ASSERT_FALSE(api_.lists.empty());
    auto pending = std::move(api_.lists.front());
    api_.lists.pop_front();
    std::string body =
        fmt::format(R"({{"metadata":{{"resourceVersion":"{}","continue":"{}"}},"items":[{}]}})",
                    version, next, fmt::join(items, ","));
    pending.handler(ApiResponse{.status = 200, .body = std::move(body)});
    loop_.RunUntilIdle();
  }
  void Refuse(Error error) {
    ASSERT_FALSE(api_.lists.empty());
    auto pending = std::move(api_.lists.front());
    api_.lists.pop_front();
    pending.handler(std::unexpected(std::move(error)));
    loop_.RunUntilIdle();
  }
  // Runs until a list is asked for, or a watch.
  bool AwaitList() {
    return loop_.RunUntil([&] { return !api_.lists.empty(); }, 10min);
  }
  bool AwaitWatch() {
    return loop_.RunUntil([&] { return api_.watching(); }, 10min);
  }

  void StartWith(const std::vector<std::string>& items, int version) {
    informer_->Start();
    loop_.RunUntilIdle();
    Reply(items, version);
    ASSERT_TRUE(api_.watching());
    events_.clear();
  }
  std::vector<std::string> TakeEvents() { return std::exchange(events_, {}); }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& thing : informer_->store().Sorted()) {
      names.push_back(thing->meta.name + thing->meta.resource_version);
    }
    return names;
  }

  testutil::SimLoop loop_;
  ScriptedApi api_;
  Client client_;
  std::unique_ptr<Informer<Thing>> informer_;
  std::vector<std::string> events_;
  std::function<void()> on_event_;
};

TEST_F(InformerTest, ListsInPagesAndThenWatchesFromTheListsVersion) {
  Make({.ns = "ns", .label_selector = "a=b", .page_size = 2});
  informer_->Start();
  EXPECT_THAT(api_.lists, IsEmpty());
  loop_.RunUntilIdle();
  ASSERT_EQ(api_.lists.size(), 1u);
  EXPECT_EQ(api_.lists[0].request.path, "/api/v1/namespaces/ns/configmaps");
  EXPECT_EQ(QueryOf(api_.lists[0].request, "limit"), "2");
  EXPECT_EQ(QueryOf(api_.lists[0].request, "labelSelector"), "a=b");
  Reply({Item("a", 1), Item("b", 2)}, 9, "more");
  EXPECT_FALSE(informer_->HasSynced());
  EXPECT_EQ(QueryOf(api_.lists[0].request, "continue"), "more");
  Reply({Item("c", 3)}, 9);
  EXPECT_TRUE(informer_->HasSynced());
  EXPECT_THAT(events_, ElementsAre("+a1", "+b2", "+c3", "synced"));
  ASSERT_TRUE(api_.watching());
  EXPECT_EQ(QueryOf(api_.watch_request, "resourceVersion"), "9");
  EXPECT_EQ(QueryOf(api_.watch_request, "allowWatchBookmarks"), "true");
  EXPECT_EQ(QueryOf(api_.watch_request, "labelSelector"), "a=b");
  const int timeout = std::stoi(QueryOf(api_.watch_request, "timeoutSeconds"));
  EXPECT_GE(timeout, 300);
  EXPECT_LE(timeout, 600);
}

TEST_F(InformerTest, FollowsTheWatch) {
  StartWith({Item("a", 1)}, 5);
  api_.Frame(FrameOf("ADDED", Item("b", 6)));
  api_.Frame(FrameOf("MODIFIED", Item("a", 7)));
  api_.Frame(FrameOf("DELETED", Item("b", 8)));
  EXPECT_THAT(events_, ElementsAre("+b6", "a1>7", "-b6"));
  EXPECT_THAT(Names(), ElementsAre("a7"));
  EXPECT_EQ(informer_->store().Find("ns", "a")->data, "d7");
  EXPECT_EQ(informer_->store().Find("ns", "b"), nullptr);
}

TEST_F(InformerTest, AFrameThatSaysNothingNewIsNoEvent) {
  StartWith({Item("a", 1)}, 5);
  api_.Frame(FrameOf("ADDED", Item("a", 1)));
  api_.Frame(FrameOf("DELETED", Item("nobody", 6)));
  api_.Frame(FrameOf("MODIFIED", Item("b", 7)));
  EXPECT_THAT(events_, ElementsAre("+b7"));
}

TEST_F(InformerTest, ResumesFromTheLastVersionSeenEvenIfABookmarkSaidIt) {
  StartWith({}, 5);
  api_.Frame(FrameOf("ADDED", Item("a", 6)));
  api_.End({.code = ErrorCode::kUnavailable, .message = "reset"});
  EXPECT_FALSE(api_.watching());
  ASSERT_TRUE(AwaitWatch());
  EXPECT_EQ(QueryOf(api_.watch_request, "resourceVersion"), "6");
  api_.Frame(Bookmark(20));
  api_.End({.code = ErrorCode::kUnavailable, .message = "reset"});
  ASSERT_TRUE(AwaitWatch());
  EXPECT_EQ(QueryOf(api_.watch_request, "resourceVersion"), "20");
  EXPECT_THAT(api_.lists, IsEmpty());
  EXPECT_THAT(events_, ElementsAre("+a6"));
}

TEST_F(InformerTest, AWatchThatTimedOutInOrderIsResumedAtOnce) {
  StartWith({}, 5);
  loop_.RunFor(100s);
  api_.End({.code = ErrorCode::kCancelled});
  loop_.RunUntilIdle();
  EXPECT_TRUE(api_.watching());
}

TEST_F(InformerTest, ARelistTellsExactlyWhatChanged) {
  StartWith({Item("same", 1), Item("changed", 2), Item("vanished", 3), Item("other", 4, "old")}, 5);
  api_.Frame(FrameOf("ERROR", R"({"code":410})"));
  EXPECT_FALSE(api_.watching());
  ASSERT_TRUE(AwaitList());
  EXPECT_EQ(QueryOf(api_.lists[0].request, "resourceVersion"), "");
  Reply({Item("same", 1), Item("changed", 12), Item("fresh", 13), Item("other", 14, "new")}, 20);
  EXPECT_THAT(events_, ElementsAre("changed2>12", "+fresh13", "-other4", "+other14", "-vanished3"));
  EXPECT_THAT(Names(), ElementsAre("changed12", "fresh13", "other14", "same1"));
  ASSERT_TRUE(api_.watching());
  EXPECT_EQ(QueryOf(api_.watch_request, "resourceVersion"), "20");
}

TEST_F(InformerTest, ListsAgainWhenTheWatchIsRefusedAsGone) {
  StartWith({}, 5);
  api_.End({.code = ErrorCode::kGone, .message = "too old", .http_status = 410});
  EXPECT_TRUE(AwaitList());
  EXPECT_EQ(informer_->stats().gone, 1u);
}

TEST_F(InformerTest, ListsAgainWhenTheServerKeepsRefusingTheVersion) {
  StartWith({}, 5);
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(AwaitWatch());
    api_.End({.code = ErrorCode::kTimeout, .message = "Too large", .http_status = 504});
  }
  EXPECT_TRUE(AwaitList());
}

TEST_F(InformerTest, AnOutageNeitherListsNorHammers) {
  StartWith({Item("a", 1)}, 5);
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(AwaitWatch());
    api_.End({.code = ErrorCode::kUnavailable, .message = "connection refused"});
  }
  EXPECT_THAT(api_.lists, IsEmpty());
  EXPECT_GT(loop_.elapsed(), 3min);  // twenty attempts: up to 30 seconds apart
  EXPECT_THAT(events_, IsEmpty());
}

TEST_F(InformerTest, WaitsAsLongAsTheServerAsks) {
  StartWith({}, 5);
  api_.End({.code = ErrorCode::kTooManyRequests, .http_status = 429, .retry_after = 17s});
  loop_.RunFor(16s);
  EXPECT_FALSE(api_.watching());
  loop_.RunFor(2s);
  EXPECT_TRUE(api_.watching());
}

TEST_F(InformerTest, TakesASilentWatchForDeadAndABookmarkForLife) {
  StartWith({}, 5);
  loop_.RunFor(170s);
  api_.Frame(Bookmark(6));
  loop_.RunFor(170s);
  EXPECT_EQ(api_.watches, 1);
  loop_.RunFor(20s);
  EXPECT_EQ(api_.watches, 2);
  EXPECT_EQ(QueryOf(api_.watch_request, "resourceVersion"), "6");
  EXPECT_EQ(informer_->stats().silences, 1u);
}

TEST_F(InformerTest, AnExpiredContinueTokenRestartsTheListWithoutInventingEvents) {
  Make({.page_size = 1});
  informer_->Start();
  loop_.RunUntilIdle();
  Reply({Item("a", 1)}, 9, "more");
  Refuse({.code = ErrorCode::kGone, .message = "expired", .http_status = 410});
  ASSERT_TRUE(AwaitList());
  EXPECT_FALSE(informer_->HasSynced());
  EXPECT_THAT(TakeEvents(), ElementsAre("+a1"));
  EXPECT_EQ(QueryOf(api_.lists[0].request, "continue"), "");
  EXPECT_THAT(QueryOf(api_.lists[0].request, "limit"), testing::AnyOf("", "0"));
  Reply({Item("a", 1), Item("b", 10)}, 11);
  EXPECT_THAT(events_, ElementsAre("+b10", "synced"));
}

TEST_F(InformerTest, AnUnfinishedRelistDeletesNothing) {
  Make({.page_size = 1});
  StartWith({Item("a", 1), Item("z", 2)}, 5);
  api_.Frame(FrameOf("ERROR", R"({"code":410})"));
  ASSERT_TRUE(AwaitList());
  Reply({Item("a", 1)}, 9, "more");
  Refuse({.code = ErrorCode::kForbidden, .message = "no", .http_status = 403});
  EXPECT_THAT(events_, IsEmpty());
  ASSERT_TRUE(AwaitList());
  Reply({Item("z", 2)}, 10);
  EXPECT_THAT(events_, ElementsAre("-a1"));
}

TEST_F(InformerTest, ABadItemInAListLeavesTheOthersAndItsLastGoodState) {
  std::vector<std::string> bad;
  informer_->OnBadItem([&](const ItemIdentity& item, const Error& error) {
    bad.push_back(item.ns + "/" + item.name + " " + item.uid + " " + error.message);
  });
  StartWith({Item("a", 1), Item("b", 2)}, 5);
  api_.Frame(FrameOf("ERROR", R"({"code":410})"));
  ASSERT_TRUE(AwaitList());
  Reply({BadItem("a", 7), Item("c", 9), BadItem("never", 8)}, 10);
  EXPECT_THAT(events_, ElementsAre("+c9", "-b2"));
  EXPECT_THAT(Names(), ElementsAre("a1", "c9"));
  EXPECT_EQ(informer_->bad_items(), 2u);
  EXPECT_THAT(bad, ElementsAre(HasSubstr("ns/a u a: data: bad"), HasSubstr("ns/never u never")));
}

TEST_F(InformerTest, ABadItemInAWatchIsSkippedButItsDeletionCounts) {
  StartWith({Item("a", 1)}, 5);
  api_.Frame(FrameOf("MODIFIED", BadItem("a", 6)));
  api_.Frame(FrameOf("ADDED", Item("b", 7)));
  EXPECT_THAT(TakeEvents(), ElementsAre("+b7"));
  api_.Frame(FrameOf("DELETED", BadItem("a", 8)));
  EXPECT_THAT(TakeEvents(), ElementsAre("-a1"));
  EXPECT_EQ(informer_->resource_version(), "8");
  EXPECT_EQ(informer_->bad_items(), 2u);
  EXPECT_TRUE(api_.watching());
}

TEST_F(InformerTest, AFrameOrPageThatIsNoJsonMeansListingAgain) {
  StartWith({Item("a", 1)}, 5);
  api_.Frame(R"({"type":"ADDED","obj)");
  EXPECT_FALSE(api_.watching());
  ASSERT_TRUE(AwaitList());
  Reply({"nonsense"}, 6);
  EXPECT_FALSE(api_.watching());
  ASSERT_TRUE(AwaitList());
  Reply({Item("a", 1)}, 7);
  EXPECT_THAT(events_, IsEmpty());
  EXPECT_TRUE(api_.watching());
}

TEST_F(InformerTest, AFrameThatIsTooLargeMeansListingAgainFromWhereItWouldComeAgain) {
  StartWith({Item("a", 1)}, 5);
  api_.End({.code = ErrorCode::kTooLarge, .message = "a frame of the watch is larger than 16"});
  ASSERT_TRUE(AwaitList());
  EXPECT_EQ(api_.watches, 1);
  Reply({Item("a", 1), Item("large", 6)}, 7);
  EXPECT_THAT(events_, ElementsAre("+large6"));
  EXPECT_EQ(QueryOf(api_.watch_request, "resourceVersion"), "7");
}

TEST_F(InformerTest, APageThatIsTooLargeIsReadInSmallerOnesAndWhatIsNeverThereInTimeIsLeftOut) {
  std::vector<std::string> bad;
  informer_->OnBadItem([&](const ItemIdentity& item, const Error& error) {
    bad.push_back(item.name + ": " + error.message);
  });
  StartWith({Item("a", 1), Item("b", 2)}, 5);
  api_.Frame(FrameOf("ERROR", R"({"code":410})"));
  ASSERT_TRUE(AwaitList());
  for (const char* limit : {"500", "250", "125", "62", "31", "15", "7", "3", "1"}) {
    EXPECT_EQ(QueryOf(api_.lists[0].request, "limit"), limit);
    Refuse({.code = ErrorCode::kTooLarge, .message = "the response is too large"});
    ASSERT_FALSE(api_.lists.empty());
  }
  EXPECT_THAT(api_.lists[0].request.accept, HasSubstr("as=PartialObjectMetadataList"));
  EXPECT_EQ(QueryOf(api_.lists[0].request, "limit"), "1");
  Reply({R"({"metadata":{"namespace":"ns","name":"a","uid":"u"}})"}, 9, "after a");
  EXPECT_EQ(api_.lists[0].request.accept, "");
  EXPECT_EQ(QueryOf(api_.lists[0].request, "continue"), "after a");
  Reply({Item("c", 8)}, 9);
  EXPECT_THAT(events_, ElementsAre("+c8", "-b2"));
  EXPECT_THAT(Names(), ElementsAre("a1", "c8")) << "what was known of a stays";
  EXPECT_THAT(bad, ElementsAre("a: ns/a: the object is larger than a response may be"));
  EXPECT_TRUE(api_.watching());
}

TEST_F(InformerTest, TheStoreIsTheSumOfTheEventsAtEveryEvent) {
  std::size_t expected = 0;
  on_event_ = [&] {
    expected += events_.back()[0] == '+' ? 1 : 0;
    EXPECT_EQ(informer_->store().size(), expected);
  };
  informer_->Start();
  loop_.RunUntilIdle();
  Reply({Item("a", 1), Item("b", 2), Item("c", 3)}, 5);
  EXPECT_EQ(expected, 3u);
}

TEST_F(InformerTest, TheConsumerMayStopInTheMiddleOfAPageAndStartAgain) {
  on_event_ = [&] { informer_->Stop(); };
  informer_->Start();
  loop_.RunUntilIdle();
  Reply({Item("a", 1), Item("b", 2)}, 5);
  loop_.RunFor(10min);
  EXPECT_THAT(TakeEvents(), ElementsAre("+a1"));
  EXPECT_FALSE(api_.watching());
  on_event_ = nullptr;
  informer_->Start();
  loop_.RunUntilIdle();
  Reply({Item("a", 1), Item("b", 2)}, 5);
  EXPECT_THAT(events_, ElementsAre("+b2", "synced"));
}

TEST_F(InformerTest, TheConsumerMayDestroyTheInformerAtAnyEvent) {
  for (const char* at : {"+a1", "synced", "+b6", "a1>7", "-a7"}) {
    SCOPED_TRACE(at);
    Make({});
    events_.clear();
    on_event_ = [&] {
      if (events_.back() == at) informer_.reset();
    };
    informer_->Start();
    loop_.RunUntilIdle();
    Reply({Item("a", 1)}, 5);
    for (const std::string& frame :
         {FrameOf("ADDED", Item("b", 6)), FrameOf("MODIFIED", Item("a", 7)),
          FrameOf("DELETED", Item("a", 8))}) {
      if (informer_ != nullptr) api_.Frame(frame);
    }
    EXPECT_EQ(events_.back(), at);
    EXPECT_EQ(informer_, nullptr);
    EXPECT_FALSE(api_.watching());
  }
}

TEST_F(InformerTest, IndexesFollowTheObjects) {
  informer_->AddIndex("by data", [](const Thing& thing) {
    return thing.meta.name == "none" ? std::vector<std::string>{}
                                     : std::vector<std::string>{thing.data, thing.data, "all"};
  });
  StartWith({Item("c", 1), Item("a", 1), Item("none", 1)}, 5);
  const auto find = [&](std::string_view key) {
    std::vector<std::string> names;
    for (const auto& thing : informer_->store().FindByIndex("by data", key)) {
      names.push_back(thing->meta.name);
    }
    return names;
  };
  EXPECT_THAT(find("d1"), ElementsAre("a", "c"));
  api_.Frame(FrameOf("MODIFIED", Item("a", 6)));
  api_.Frame(FrameOf("ADDED", Item("b", 6)));
  EXPECT_THAT(find("d1"), ElementsAre("c"));
  EXPECT_THAT(find("d6"), ElementsAre("a", "b"));
  api_.Frame(FrameOf("DELETED", Item("c", 7)));
  EXPECT_THAT(find("d1"), IsEmpty());
  EXPECT_EQ(informer_->store().CountByIndex("by data", "all"), 2u);
  informer_->AddIndex("late",
                      [](const Thing& thing) { return std::vector<std::string>{thing.meta.name}; });
  EXPECT_EQ(informer_->store().CountByIndex("late", "none"), 1u);
}

}  // namespace
}  // namespace basalt::kube
