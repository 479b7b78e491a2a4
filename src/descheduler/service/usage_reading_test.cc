#include "descheduler/service/usage_reading.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace basalt::descheduler {
namespace {

using testing::HasSubstr;

TEST(UsageReadingTest, TheQuestionsAreThoseThatVolcanosManualNames) {
  const PrometheusQueries queries = QueriesFor(2min);
  EXPECT_EQ(queries.node_cpu,
            "avg_over_time((1 - (avg by (instance) (irate(node_cpu_seconds_total{mode=\"idle\"}"
            "[30s])) * 1))[120s:30s])");
  EXPECT_EQ(queries.node_memory,
            "avg_over_time(((1-node_memory_MemAvailable_bytes/node_memory_MemTotal_bytes))"
            "[120s:30s])");
  EXPECT_THAT(queries.pod_cpu, HasSubstr("container_cpu_usage_seconds_total"));
  EXPECT_THAT(queries.pod_memory, HasSubstr("container_memory_working_set_bytes"));
}

TEST(UsageReadingTest, AVectorOfPrometheusIsReadAndWhatIsNoNumberIsLeftOut) {
  const auto samples = ReadPrometheusVector(R"({"status": "success", "data": {
    "resultType": "vector", "result": [
      {"metric": {"instance": "n1"}, "value": [1.5, "0.25"]},
      {"metric": {"instance": "n2"}, "value": [1.5, "NaN"]},
      {"metric": {}, "value": [1.5, "0.5"]}, {"value": [1]}, 3]}})");
  ASSERT_TRUE(samples);
  Usage usage;
  AddSamples(Figure::kNodeCpu, *samples, &usage);
  ASSERT_EQ(usage.nodes.size(), 1u);
  EXPECT_EQ(usage.nodes["n1"].cpu, 25.0);
  EXPECT_EQ(usage.nodes["n1"].memory, std::nullopt);
  AddSamples(Figure::kPodCpu, {{.labels = {{"namespace", "a"}, {"pod", "p"}}, .value = 0.5}},
             &usage);
  EXPECT_EQ(usage.pods["a/p"].milli_cpu, 500.0);
}

TEST(UsageReadingTest, AnAnswerThatIsNoneIsAnError) {
  for (const char* body : {"", "[]", "{}", R"({"status": "error", "error": "bad query"})",
                           R"({"status": "success", "data": {"resultType": "matrix"}})"}) {
    EXPECT_FALSE(ReadPrometheusVector(body)) << body;
  }
  EXPECT_THAT(ReadPrometheusVector(R"({"status": "error", "error": "bad query"})").error().message,
              HasSubstr("bad query"));
}

TEST(UsageReadingTest, TheMetricsApiCountsInAmounts) {
  Usage usage;
  const auto four_cores = [](std::string_view) {
    return kube::ResourceList(
        {{"cpu", *kube::Quantity::Parse("4")}, {"memory", *kube::Quantity::Parse("8Gi")}});
  };
  ASSERT_TRUE(AddNodeMetrics(R"({"items": [{"metadata": {"name": "n1"},
    "usage": {"cpu": "1000m", "memory": "2Gi"}}, {"metadata": {"name": "n2"}}]})",
                             four_cores, &usage));
  EXPECT_EQ(usage.nodes["n1"].cpu, 25.0);
  EXPECT_EQ(usage.nodes["n1"].memory, 25.0);
  EXPECT_FALSE(usage.nodes.contains("n2"));
  ASSERT_TRUE(AddPodMetrics(R"({"items": [{"metadata": {"namespace": "a", "name": "p"},
    "containers": [{"usage": {"cpu": "250m", "memory": "1Ki"}}, {"usage": {"cpu": "1"}}]}]})",
                            &usage));
  EXPECT_EQ(usage.pods["a/p"].milli_cpu, 1250.0);
  EXPECT_EQ(usage.pods["a/p"].memory, 1024.0);
  ASSERT_TRUE(AddCustomMetrics(R"({"items": [{"describedObject": {"name": "n3"},
    "value": "400m"}]})",
                               Figure::kNodeMemory, &usage));
  EXPECT_EQ(usage.nodes["n3"].memory, 40.0);
  EXPECT_FALSE(AddNodeMetrics("x", four_cores, &usage));
}

}  // namespace
}  // namespace basalt::descheduler
