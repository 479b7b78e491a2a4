#include "dashboard/feed.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "testing/sim_loop.h"

namespace basalt::dashboard {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// A page that notes what it is told, and reads when it wants to.
class FakePage final : public net::HttpExchange {
 public:
  void Respond(net::HttpResponse) override {}
  void StartStream(int, std::string) override {}
  void Write(std::string piece) override {
    told.push_back(std::move(piece));
    if (!reads) unsent += told.back().size();
  }
  void End() override { ended = true; }
  std::size_t Unsent() const override { return unsent; }
  void OnPeerGone(std::move_only_function<void()> callback) override { gone = std::move(callback); }

  std::vector<std::string> told;
  bool reads = true;
  bool ended = false;
  std::size_t unsent = 0;
  std::move_only_function<void()> gone;
};

class FeedTest : public testing::Test {
 protected:
  FeedTest()
      : feed_(loop_, [this](auto done) {
          ++asked_;
          loop_.Schedule(10ms, [this, done] { done(answer_); });
        }) {
    feed_.Start();
  }
  std::shared_ptr<FakePage> Open(Sight sight = {.person = "you", .everything = true}) {
    auto page = std::make_shared<FakePage>();
    feed_.Listen(page, std::move(sight),
                 [this](auto done) { loop_.Schedule(5ms, [this, done] { done(review_); }); });
    return page;
  }

  testutil::SimLoop loop_;
  int asked_ = 0;
  Result<Sight> review_ = Sight{.person = "you", .everything = true};
  std::string answer_ = R"({"version":{"generation":1},"resources":["cpu"],"namespaces":["a","b"],)"
                        R"("nodes":[{"name":"n1","used":[1]},{"name":"n2","used":[2]}],)"
                        R"("waiting":[{"namespace":"a","pod":"x"},{"namespace":"b","pod":"y"}]})";
  Feed feed_;
};

TEST_F(FeedTest, APageGetsAllOnceAndThenWhatChanged) {
  const auto page = Open();
  loop_.RunFor(1500ms);
  ASSERT_EQ(page->told.size(), 2u);
  EXPECT_THAT(page->told[0], HasSubstr("event: person"));
  EXPECT_THAT(page->told[1], HasSubstr("event: whole"));
  loop_.RunFor(5s);
  EXPECT_EQ(page->told.size(), 2u) << "nothing changed";
  answer_.replace(answer_.find("[2]"), 3, "[3]");
  loop_.RunFor(2s);
  ASSERT_EQ(page->told.size(), 3u);
  EXPECT_THAT(page->told[2], HasSubstr(R"("nodesChanged":[{"name":"n2","used":[3)"));
  EXPECT_THAT(page->told[2], Not(HasSubstr("n1")));
}

TEST_F(FeedTest, APersonIsToldOfNoOtherNamespaces) {
  const auto page = Open({.person = "ann", .namespaces = {"a"}});
  loop_.RunFor(1500ms);
  EXPECT_THAT(page->told.back(), HasSubstr(R"("pod":"x")"));
  EXPECT_THAT(page->told.back(), Not(HasSubstr(R"("pod":"y")")));
  EXPECT_THAT(feed_.namespaces(), ElementsAre("a", "b"));
}

TEST_F(FeedTest, WhatChangedIsToldToAllWhoSeeIt) {
  const auto all = Open();
  const auto ann = Open({.person = "ann", .namespaces = {"a"}});
  const auto bob = Open({.person = "bob", .namespaces = {"b"}});
  loop_.RunFor(1500ms);
  answer_.replace(answer_.find("[2]"), 3, "[3]");
  answer_.replace(answer_.find(R"("pod":"y")"), 9, R"("pod":"z")");
  loop_.RunFor(2s);
  for (const auto& page : {all, ann, bob}) {
    ASSERT_EQ(page->told.size(), 3u);
    EXPECT_THAT(page->told[2], HasSubstr("event: change"));
    EXPECT_THAT(page->told[2], HasSubstr(R"("nodesChanged":[{"name":"n2","used":[3)"));
    const std::string data = page->told[2].substr(page->told[2].find('{'));
    EXPECT_TRUE(json::parse(data).is_object()) << data;
  }
  EXPECT_THAT(all->told[2], HasSubstr(R"("pod":"z")"));
  EXPECT_THAT(bob->told[2], HasSubstr(R"("pod":"z")"));
  EXPECT_THAT(ann->told[2], Not(HasSubstr("waiting"))) << "hers are as they were";
}

TEST_F(FeedTest, TheOverviewThatIsAskedForIsWhatAPageGets) {
  const Sight ann{.person = "ann", .namespaces = {"a"}};
  EXPECT_EQ(feed_.OverviewFor(ann), "");
  loop_.RunFor(1500ms);
  const json::object got = json::parse(feed_.OverviewFor(ann)).as_object();
  EXPECT_EQ(got.at("nodes").as_array().size(), 2u);
  EXPECT_EQ(got.at("waiting").as_array().size(), 1u);
  EXPECT_FALSE(got.contains("namespaces"));
  const auto page = Open(ann);
  EXPECT_EQ(json::parse(page->told[1].substr(page->told[1].find('{'))), json::value(got));
}

TEST_F(FeedTest, OneThatDoesNotReadMissesVersionsAndGetsTheNextWhole) {
  const auto page = Open();
  loop_.RunFor(1500ms);
  page->reads = false;
  for (int i = 0; i < 5; ++i) {
    answer_.replace(answer_.find("n2\",\"used\":["), 13, fmt::format("n2\",\"used\":[{}", i + 3));
    loop_.RunFor(2s);
  }
  const std::size_t told = page->told.size();
  EXPECT_EQ(told, 3u) << "one that it did not read, and no more";
  page->unsent = 0;
  answer_.replace(answer_.find("n1\",\"used\":["), 13, "n1\",\"used\":[9");
  loop_.RunFor(2s);
  EXPECT_THAT(page->told.back(), HasSubstr("event: whole"));
}

TEST_F(FeedTest, OneThatReadsAgainIsToldThoughNothingChangesAnyMore) {
  const auto page = Open();
  loop_.RunFor(1500ms);
  page->unsent = 1;
  answer_.replace(answer_.find("[2]"), 3, "[3]");
  loop_.RunFor(5s);
  EXPECT_EQ(page->told.size(), 2u);
  page->unsent = 0;
  loop_.RunFor(3s);
  EXPECT_EQ(page->told.size(), 3u);
}

TEST_F(FeedTest, WhatSlowPagesHaveNotReadIsBoundedForAllTogether) {
  const std::string long_text(3 * 1024 * 1024, 'x');
  answer_.insert(1, R"("long":")" + long_text + R"(",)");
  std::vector<std::shared_ptr<FakePage>> pages;
  loop_.RunFor(1500ms);
  for (std::size_t i = 0; i < Feed::kMostPages; ++i) {
    auto page = std::make_shared<FakePage>();
    page->reads = false;
    feed_.Listen(page, {.person = "you", .everything = true}, [](auto) {});
    page->unsent = page->told.size() > 1 ? page->told.back().size() : 0;
    pages.push_back(page);
  }
  const auto unsent = [&] {
    std::size_t sum = 0;
    for (const auto& page : pages) sum += page->unsent;
    return sum;
  };
  EXPECT_GT(unsent(), Feed::kMostUnsent / 2);
  loop_.RunFor(10s);
  EXPECT_LE(unsent(), Feed::kMostUnsent + 2 * long_text.size());
  for (const auto& page : pages) page->unsent = 0;
  for (int i = 0; i < 20; ++i) {
    loop_.RunFor(2s);
    for (const auto& page : pages) page->unsent = 0;
  }
  for (const auto& page : pages) EXPECT_THAT(page->told.back(), HasSubstr("event: whole"));
}

TEST_F(FeedTest, WhoIsLetInNoLongerIsToldNothingMore) {
  const auto page = Open();
  loop_.RunFor(Feed::kReviewEvery + 1s);
  EXPECT_FALSE(page->ended);
  review_ = Fail(ErrorCode::kUnavailable, "the API server is away");
  loop_.RunFor(Feed::kReviewEvery + 1s);
  EXPECT_FALSE(page->ended) << "nothing is known against it";
  review_ = Fail(ErrorCode::kUnauthorized, "the token has ended");
  loop_.RunFor(Feed::kReviewEvery + 1s);
  EXPECT_TRUE(page->ended);
  EXPECT_EQ(feed_.pages(), 0u);
}

TEST_F(FeedTest, WhoSeesLessFromNowOnIsToldLess) {
  const auto page = Open();
  loop_.RunFor(2s);
  EXPECT_THAT(page->told.back(), HasSubstr(R"("pod":"y")"));
  review_ = Sight{.person = "you", .namespaces = {"a"}};
  loop_.RunFor(Feed::kReviewEvery);
  EXPECT_THAT(page->told.back(), HasSubstr("event: whole"));
  EXPECT_THAT(page->told.back(), Not(HasSubstr(R"("pod":"y")")));
}

TEST_F(FeedTest, TheSchedulerIsAskedSoOftenWhateverTheNumberOfPages) {
  std::vector<std::shared_ptr<FakePage>> pages;
  for (int i = 0; i < 200; ++i) pages.push_back(Open());
  loop_.RunFor(10s);
  EXPECT_LE(asked_, 11);
  for (const auto& page : pages) page->gone();
  EXPECT_EQ(feed_.pages(), 0u);
  loop_.RunFor(5s);
  const int before = asked_;
  loop_.RunFor(60s);
  EXPECT_LE(asked_ - before, 3) << "nobody looks";
}

TEST_F(FeedTest, WhyThereIsNothingNewIsSaid) {
  const auto page = Open();
  loop_.RunFor(1500ms);
  answer_ = "nonsense";
  loop_.RunFor(3s);
  EXPECT_THAT(page->told.back(), HasSubstr("event: problem"));
}

TEST_F(FeedTest, HistoryIsBounded) {
  History history;
  const json::object overview = json::parse(answer_).as_object();
  for (std::size_t i = 0; i < 2 * History::kMost; ++i) {
    history.Add(loop_.Now() + History::kStep * static_cast<int>(i), overview);
  }
  EXPECT_EQ(history.size(), History::kMost);
  EXPECT_EQ(history.ToJson().at("times").as_array().size(), History::kMost);
}

TEST_F(FeedTest, HistoryKeepsTheReasonsOfMostAndCountsTheOthersTogether) {
  json::object counts;
  for (int i = 0; i < 1000; ++i) counts[fmt::format("A-{:04}", i)] = 1;
  counts["Unschedulable"] = 70;
  json::object overview = json::parse(answer_).as_object();
  overview["waitingByReason"] = counts;
  History history;
  history.Add(loop_.Now(), overview);
  // Another thousand reasons in each of the next points: the lines stay as many.
  for (int point = 1; point < 10; ++point) {
    json::object others{{"Unschedulable", 70}};
    for (int i = 0; i < 1000; ++i) others[fmt::format("B-{}-{:04}", point, i)] = 1;
    overview["waitingByReason"] = others;
    history.Add(loop_.Now() + History::kStep * point, overview);
  }
  const json::object waiting = history.ToJson().at("waiting").as_object();
  EXPECT_LE(waiting.size(), History::kMostReasons + 1);
  ASSERT_TRUE(waiting.contains("Unschedulable"));
  double pods = 0;
  for (const auto& [reason, line] : waiting) {
    ASSERT_EQ(line.as_array().size(), 10u) << std::string(reason);
    for (const json::value& count : line.as_array()) pods += count.to_number<double>();
  }
  EXPECT_EQ(pods, 10 * 1070) << "all are counted";
}

TEST(NodeChangesTest, RowsThatAreOtherwiseAndNamesThatAreGone) {
  const json::array before =
      json::parse(R"([{"name":"a","x":1},{"name":"b","x":1},{"name":"d","x":1}])").as_array();
  const json::array now =
      json::parse(R"([{"name":"d","x":1},{"name":"a","x":2},{"name":"c","x":1}])").as_array();
  EXPECT_EQ(NodeChanges(before, now),
            R"("nodesChanged":[{"name":"a","x":2},{"name":"c","x":1}],"nodesGone":["b"])");
  EXPECT_EQ(NodeChanges(now, now), "");
}

}  // namespace
}  // namespace basalt::dashboard
