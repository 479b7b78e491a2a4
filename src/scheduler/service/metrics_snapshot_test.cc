#include "scheduler/service/metrics_snapshot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace basalt::scheduler {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string TextOf(const MetricsSnapshot& snapshot) {
  metrics::TextWriter writer;
  snapshot.Write(writer);
  return std::move(writer).Take();
}

TEST(MetricsSnapshotTest, AQueueHasItsAmountsSharesAndClaims) {
  MetricsSnapshot snapshot;
  snapshot.queues.push_back(
      {.name = "q",
       .allocated = {.milli_cpu = 2000, .memory = 1024, .scalars = {{"nvidia.com/gpu", 8000}}},
       .share = 1.5,
       .weight = 3,
       .claims = 2,
       .gated = 4});
  const std::string text = TextOf(snapshot);
  for (const char* line :
       {"volcano_queue_allocated_milli_cpu{queue_name=\"q\"} 2000\n",
        "volcano_queue_allocated_memory_bytes{queue_name=\"q\"} 1024\n",
        "volcano_queue_allocated_scalar_resources{queue_name=\"q\",resource=\"nvidia.com/gpu\"} "
        "8000\n",
        "volcano_queue_request_milli_cpu{queue_name=\"q\"} 0\n",
        "volcano_queue_share{queue_name=\"q\"} 1.5\n", "volcano_queue_weight{queue_name=\"q\"} 3\n",
        "volcano_queue_overused{queue_name=\"q\"} 1\n", "basalt_queue_claims{queue=\"q\"} 2\n",
        "basalt_gated_pods{queue=\"q\"} 4\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST(MetricsSnapshotTest, AJobHasTimesOnceItIsPlaced) {
  MetricsSnapshot snapshot;
  snapshot.jobs.push_back({.ns = "team",
                           .name = "train",
                           .queue = "q",
                           .share = 0.25,
                           .created = Time(10s),
                           .placed = Time(12s)});
  snapshot.jobs.push_back(
      {.ns = "team", .name = "waits", .queue = "q", .tasks_missing = 3, .created = Time(11s)});
  snapshot.jobs_left_out = 7;
  const std::string text = TextOf(snapshot);
  const std::string train = "{job_name=\"train\",job_namespace=\"team\",queue=\"q\"}";
  const std::string waits = "{job_name=\"waits\",job_namespace=\"team\",queue=\"q\"}";
  for (const std::string& line : std::vector<std::string>{
           "volcano_job_share{job_id=\"train\",job_ns=\"team\"} 0.25\n",
           "volcano_unschedule_task_count{job_id=\"waits\"} 3\n",
           "volcano_e2e_job_scheduling_start_time" + train + " 10\n",
           "volcano_e2e_job_scheduling_last_time" + train + " 12\n",
           "volcano_e2e_job_scheduling_duration" + train + " 2000\n",
           "volcano_e2e_job_scheduling_start_time" + waits + " 11\n",
           "basalt_metrics_jobs_left_out 7\n",
       }) {
    EXPECT_THAT(text, HasSubstr(line));
  }
  EXPECT_THAT(text, Not(HasSubstr("duration" + waits)));
  EXPECT_THAT(text, Not(HasSubstr("unschedule_task_count{job_id=\"train\"}")));
}

TEST(MetricsSnapshotTest, JobsOfOneNameInTwoNamespacesAreOneSeriesWhereItHasNoNamespace) {
  MetricsSnapshot snapshot;
  snapshot.jobs.push_back({.ns = "a", .name = "train", .tasks_missing = 3});
  snapshot.jobs.push_back({.ns = "b", .name = "train", .tasks_missing = 4});
  EXPECT_THAT(TextOf(snapshot),
              HasSubstr("\nvolcano_unschedule_task_count{job_id=\"train\"} 7\n# HELP"));
}

}  // namespace
}  // namespace basalt::scheduler
