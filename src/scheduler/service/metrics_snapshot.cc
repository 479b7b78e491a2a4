#include "scheduler/service/metrics_snapshot.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <functional>
#include <map>
#include <tuple>

namespace basalt::scheduler {
namespace {

using metrics::LabelView;
using Milliseconds = std::chrono::duration<double, std::milli>;
using Seconds = std::chrono::duration<double>;

double UnixSeconds(Time time) { return Seconds(time.time_since_epoch()).count(); }

void WriteResource(metrics::TextWriter& to, const std::vector<QueueFigures>& queues,
                   std::string_view what, const std::string& help,
                   ResourceAmounts QueueFigures::*amounts) {
  const std::string prefix = fmt::format("volcano_queue_{}_", what);
  using Part = std::tuple<const char*, const char*, double ResourceAmounts::*>;
  for (const auto& [unit, resource, amount] :
       {Part{"milli_cpu", ": CPU", &ResourceAmounts::milli_cpu},
        Part{"memory_bytes", ": memory", &ResourceAmounts::memory}}) {
    const std::string name = prefix + unit;
    const std::string text = help + resource;
    to.Family(name, text);
    for (const QueueFigures& queue : queues) {
      to.Sample(std::array{LabelView{"queue_name", queue.name}}, queue.*amounts.*amount);
    }
  }
  const std::string name = prefix + "scalar_resources";
  const std::string text = help + ": the others";
  to.Family(name, text);
  for (const QueueFigures& queue : queues) {
    for (const auto& [resource, value] : (queue.*amounts).scalars) {
      to.Sample(std::array{LabelView{"queue_name", queue.name}, LabelView{"resource", resource}},
                value);
    }
  }
}

void WriteQueues(metrics::TextWriter& to, const std::vector<QueueFigures>& queues) {
  WriteResource(to, queues, "allocated", "What a queue holds", &QueueFigures::allocated);
  WriteResource(to, queues, "request", "What a queue holds and asks for", &QueueFigures::request);
  WriteResource(to, queues, "deserved", "What a queue deserves", &QueueFigures::deserved);
  WriteResource(to, queues, "capacity", "What a queue may have at most", &QueueFigures::capacity);
  const auto write = [&](std::string_view name, std::string_view help, std::string_view label,
                         auto value) {
    to.Family(name, help);
    for (const QueueFigures& queue : queues) {
      to.Sample(std::array{LabelView{label, queue.name}}, std::invoke(value, queue));
    }
  };
  write("volcano_queue_share", "Part of what it deserves that a queue holds", "queue_name",
        &QueueFigures::share);
  write("volcano_queue_weight", "Weight of a queue", "queue_name", &QueueFigures::weight);
  write("volcano_queue_overused", "Whether a queue holds too much", "queue_name",
        [](const QueueFigures& queue) { return queue.share > 1 ? 1.0 : 0.0; });
  write("basalt_queue_claims", "Pods that their queue has admitted and that have no node yet",
        "queue", &QueueFigures::claims);
  write("basalt_gated_pods", "Pods with a queue-allocation gate", "queue", &QueueFigures::gated);
}

void WriteJobs(metrics::TextWriter& to, const std::vector<JobFigures>& jobs) {
  // Volcano names the job without its namespace: those of one name are one series.
  std::map<std::string_view, double> missing;
  for (const JobFigures& job : jobs) {
    if (job.tasks_missing > 0) missing[job.name] += job.tasks_missing;
  }
  to.Family("volcano_unschedule_task_count", "Tasks that a job needs and that are not placed");
  for (const auto& [name, tasks] : missing) to.Sample(std::array{LabelView{"job_id", name}}, tasks);

  to.Family("volcano_job_share", "Share of the cluster that a job holds");
  for (const JobFigures& job : jobs) {
    to.Sample(std::array{LabelView{"job_id", job.name}, LabelView{"job_ns", job.ns}}, job.share);
  }
  const auto write_times = [&](std::string_view name, std::string_view help, bool only_placed,
                               auto value) {
    to.Family(name, help);
    for (const JobFigures& job : jobs) {
      if (only_placed && !job.placed) continue;
      to.Sample(std::array{LabelView{"job_name", job.name}, LabelView{"job_namespace", job.ns},
                           LabelView{"queue", job.queue}},
                value(job));
    }
  };
  write_times("volcano_e2e_job_scheduling_start_time", "When a job was created", false,
              [](const JobFigures& job) { return UnixSeconds(job.created); });
  write_times("volcano_e2e_job_scheduling_last_time", "When the last task of a job was placed",
              true, [](const JobFigures& job) { return UnixSeconds(*job.placed); });
  write_times(
      "volcano_e2e_job_scheduling_duration",
      "Milliseconds from the creation of a job to its last task's place", true,
      [](const JobFigures& job) { return Milliseconds(*job.placed - job.created).count(); });
}

}  // namespace

void MetricsSnapshot::Write(metrics::TextWriter& to) const {
  WriteQueues(to, queues);
  WriteJobs(to, jobs);
  to.Family("basalt_metrics_jobs_left_out",
            "Jobs without series of their own: the oldest of more than --metrics-max-jobs");
  to.Sample({}, jobs_left_out);
  to.Family("basalt_reservations", "Reservations in each phase");
  for (const auto& [phase, count] : reservations) {
    to.Sample(std::array{LabelView{"phase", phase}}, count);
  }
}

}  // namespace basalt::scheduler
