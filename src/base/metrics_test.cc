#include "base/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/metrics_text.h"

namespace basalt::metrics {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(MetricsTest, ACounterIsServedInTextFormWithItsLabels) {
  Registry registry;
  registry.GetCounter("binds_total", "Binds.", {{"result", "ok"}}).Add(2);
  EXPECT_THAT(registry.Text(), HasSubstr("# TYPE binds_total counter"));
  EXPECT_THAT(registry.Text(), HasSubstr("binds_total{result=\"ok\"} 2"));
}

TEST(MetricsTest, TheSameNameAndLabelsAreTheSameMetric) {
  Registry registry;
  registry.GetCounter("x_total", "X.").Add();
  registry.GetCounter("x_total", "X.").Add();
  EXPECT_THAT(registry.Text(), HasSubstr("x_total 2"));
}

TEST(MetricsTest, TheTextIsInTheOrderOfNamesAndLabels) {
  Registry registry;
  registry.GetGauge("b", "B.").Set(0.5);
  registry.GetCounter("a_total", "A.", {{"to", "y"}, {"from", "x"}}).Add(3);
  registry.GetCounter("a_total", "said before", {{"to", "b"}, {"from", "x"}});
  EXPECT_EQ(registry.Text(),
            "# HELP a_total A.\n"
            "# TYPE a_total counter\n"
            "a_total{from=\"x\",to=\"b\"} 0\n"
            "a_total{from=\"x\",to=\"y\"} 3\n"
            "# HELP b B.\n"
            "# TYPE b gauge\n"
            "b 0.5\n");
}

TEST(MetricsTest, WhatWouldEndALineOrAValueIsEscaped) {
  Registry registry;
  registry.GetGauge("g", "a\nb\\c \"d\"", {{"l", "a\nb\\c \"d\""}}).Set(1);
  EXPECT_EQ(registry.Text(),
            "# HELP g a\\nb\\\\c \"d\"\n"
            "# TYPE g gauge\n"
            "g{l=\"a\\nb\\\\c \\\"d\\\"\"} 1\n");
}

TEST(MetricsTest, NumbersReadBackAsTheSame) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::pair<double, const char*> cases[] = {
      {0, "0"},
      {-3, "-3"},
      {1780000000, "1780000000"},
      {9007199254740992, "9007199254740992"},
      {1e300, "1e+300"},
      {0.1, "0.1"},
      {1e-9, "1e-09"},
      {infinity, "+Inf"},
      {-infinity, "-Inf"},
      {std::numeric_limits<double>::quiet_NaN(), "NaN"},
  };
  for (const auto& [number, text] : cases) EXPECT_EQ(NumberText(number), text);
}

TEST(MetricsTest, OnlySomeTextsAreNames) {
  for (const char* name : {"a", "_a:B9", "volcano_queue_share"}) {
    EXPECT_TRUE(IsMetricName(name)) << name;
  }
  for (const char* name : {"", "9a", "a-b", "a b", "a{"}) EXPECT_FALSE(IsMetricName(name)) << name;
}

TEST(MetricsTest, AHistogramCountsWhatFallsBelowEachBound) {
  Registry registry;
  const Histogram histogram = registry.GetHistogram("t_seconds", "T.", {{"of", "x"}}, {0.1, 1});
  for (const double seconds : {0.5, 1.0, 7.0}) histogram.Observe(seconds);
  EXPECT_EQ(registry.Text(),
            "# HELP t_seconds T.\n"
            "# TYPE t_seconds histogram\n"
            "t_seconds_bucket{of=\"x\",le=\"0.1\"} 0\n"
            "t_seconds_bucket{of=\"x\",le=\"1\"} 2\n"
            "t_seconds_bucket{of=\"x\",le=\"+Inf\"} 3\n"
            "t_seconds_sum{of=\"x\"} 8.5\n"
            "t_seconds_count{of=\"x\"} 3\n");
}

// Gauges of as many things as it is given, by their numbers. Counts how often it is asked.
class Things final : public Snapshot {
 public:
  Things(int first, int last, std::atomic<int>* written)
      : first_(first), last_(last), written_(written) {}
  void Write(TextWriter& to) const override {
    to.Family("thing", "T.");
    for (int i = first_; i < last_; ++i) {
      ++*written_;
      const std::string name = std::to_string(i);
      to.Sample(std::array{LabelView{"name", name}}, i);
    }
  }

 private:
  int first_, last_;
  std::atomic<int>* written_;
};

TEST(MetricsTest, ASnapshotTakesThePlaceOfTheLastOneOfItsSource) {
  Registry registry;
  std::atomic<int> written = 0;
  registry.Publish("a", std::make_shared<Things>(1, 3, &written));
  EXPECT_EQ(registry.Text(),
            "# HELP thing T.\n# TYPE thing gauge\nthing{name=\"1\"} 1\nthing{name=\"2\"} 2\n");
  registry.Publish("a", std::make_shared<Things>(2, 3, &written));
  EXPECT_EQ(registry.Text(), "# HELP thing T.\n# TYPE thing gauge\nthing{name=\"2\"} 2\n");
  registry.Publish("a", std::make_shared<Things>(0, 0, &written));
  EXPECT_EQ(registry.Text(), "") << "a family without series is not there";
}

TEST(MetricsTest, ThirtyThousandThingsThatAreGoneCostNothing) {
  Registry registry;
  std::atomic<int> written = 0;
  registry.Publish("a", std::make_shared<Things>(0, 30000, &written));
  (void)registry.Text();
  EXPECT_EQ(written, 30000);
  written = 0;
  registry.Publish("a", std::make_shared<Things>(29999, 30000, &written));
  (void)registry.Text();
  EXPECT_EQ(written, 1);
}

TEST(MetricsTest, AnyThreadMayCountAndPublishWhileAnotherReads) {
  Registry registry;
  std::atomic<int> written = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&registry, &written, t] {
      for (int i = 0; i < 200; ++i) {
        registry.GetCounter("c_total", "C.").Add();
        registry.GetGauge("g", "G.", {{"thread", std::to_string(t)}}).Set(i);
        registry.GetHistogram("h", "H.", {}, {1, 100}).Observe(i);
        registry.Publish("things", std::make_shared<Things>(i, i + 2, &written));
        if (i % 10 == 0) (void)registry.Text();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(registry.Text(),
              AllOf(HasSubstr("c_total 800\n"), HasSubstr("h_count 800\n"),
                    HasSubstr("g{thread=\"3\"} 199\n"), HasSubstr("thing{name=\"200\"} 200\n")));
}

TEST(MetricsTest, ExponentialBucketsGrowByTheirFactor) {
  EXPECT_THAT(ExponentialBuckets(1, 2, 4), ElementsAre(1, 2, 4, 8));
}

}  // namespace
}  // namespace basalt::metrics
