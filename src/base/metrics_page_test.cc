#include "base/metrics_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "testing/sim_loop.h"

namespace basalt::metrics {
namespace {

using testing::HasSubstr;

// A page whose gauge says how often it was collected; whoever keeps the gauge takes `busy` for it.
class MetricsPageTest : public testing::Test {
 protected:
  std::string Read() {
    std::optional<std::string> answer;
    page_.Read([&](const std::shared_ptr<const std::string>& text) { answer = *text; });
    loop_.RunUntil([&] { return answer.has_value(); }, 10s);
    return answer.value_or("nothing");
  }

  testutil::SimLoop loop_;
  Registry registry_;
  Gauge gauge_ = registry_.GetGauge("collected", "C.");
  int collected_ = 0;
  Duration busy_ = 1ms;
  MetricsPage page_{loop_, registry_, [this](Callback done) {
                      ++collected_;
                      loop_.Schedule(busy_, [this, done = std::move(done)]() mutable {
                        gauge_.Set(collected_);
                        done();
                      });
                    }};
};

TEST_F(MetricsPageTest, GaugesAreBroughtUpToDateForWhoAsks) {
  EXPECT_THAT(Read(), HasSubstr("collected 1\n"));
  loop_.RunFor(2s);
  EXPECT_THAT(Read(), HasSubstr("collected 2\n"));
}

TEST_F(MetricsPageTest, AllWhoAskWithinASecondShareOneText) {
  int answered = 0;
  for (int i = 0; i < 990; ++i) {
    page_.Read([&](const std::shared_ptr<const std::string>& text) {
      ++answered;
      EXPECT_THAT(*text, HasSubstr("collected 1\n"));
    });
    loop_.RunFor(1ms);
  }
  EXPECT_EQ(answered, 990);
  EXPECT_EQ(collected_, 1);
}

TEST_F(MetricsPageTest, WhoeverKeepsTheGaugesMayBeBusyAndNobodyWaitsForLong) {
  EXPECT_THAT(Read(), HasSubstr("collected 1\n"));
  loop_.RunFor(2s);
  busy_ = 30s;
  const Duration before = loop_.elapsed();
  EXPECT_THAT(Read(), HasSubstr("collected 1\n")) << "the last ones";
  EXPECT_EQ(loop_.elapsed() - before, 100ms);
  loop_.RunFor(2s);
  EXPECT_THAT(Read(), HasSubstr("collected 1\n"));
  EXPECT_EQ(collected_, 2) << "it was asked already";
  loop_.RunFor(40s);
  busy_ = 1ms;
  EXPECT_THAT(Read(), HasSubstr("collected 3\n"));
}

TEST_F(MetricsPageTest, AReaderMayAskAgainFromItsAnswer) {
  int answers = 0;
  page_.Read([&](const std::shared_ptr<const std::string>&) {
    ++answers;
    page_.Read([&](const std::shared_ptr<const std::string>&) { ++answers; });
  });
  loop_.RunFor(1s);
  EXPECT_EQ(answers, 2);
}

TEST(MetricsPageAloneTest, APageThatIsGoneIsNotToldOfLateGauges) {
  testutil::SimLoop loop;
  Registry registry;
  Callback late;
  std::optional<MetricsPage> page;
  page.emplace(loop, registry, [&](Callback done) { late = std::move(done); });
  page->Read([](const std::shared_ptr<const std::string>&) {});
  page.reset();
  late();
  EXPECT_TRUE(loop.empty());
}

TEST(MetricsPageAloneTest, WithoutGaugesToCollectTheTextIsThereAtOnce) {
  testutil::SimLoop loop;
  Registry registry;
  registry.GetCounter("c", "C.");
  MetricsPage page(loop, registry, {});
  std::string answer;
  page.Read([&](const std::shared_ptr<const std::string>& text) { answer = *text; });
  EXPECT_THAT(answer, HasSubstr("c 0\n"));
}

}  // namespace
}  // namespace basalt::metrics
