#include "base/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace basalt::metrics {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

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

TEST(MetricsTest, AHistogramCountsWhatFallsBelowEachBound) {
  Registry registry;
  const Histogram histogram = registry.GetHistogram("t_seconds", "T.", {}, {0.1, 1});
  histogram.Observe(0.5);
  EXPECT_THAT(registry.Text(), HasSubstr("t_seconds_bucket{le=\"0.1\"} 0"));
  EXPECT_THAT(registry.Text(), HasSubstr("t_seconds_bucket{le=\"1\"} 1"));
}

TEST(MetricsTest, ARemovedGaugeIsNoLongerServed) {
  Registry registry;
  registry.GetGauge("depth", "D.", {{"queue", "a"}}).Set(3);
  registry.RemoveGauge("depth", {{"queue", "a"}});
  EXPECT_THAT(registry.Text(), Not(HasSubstr("queue=\"a\"")));
}

TEST(MetricsTest, ExponentialBucketsGrowByTheirFactor) {
  EXPECT_THAT(ExponentialBuckets(1, 2, 4), ElementsAre(1, 2, 4, 8));
}

}  // namespace
}  // namespace basalt::metrics
