#include "scheduler/framework/likeness.h"

#include <limits>
#include <optional>

#include "scheduler/framework/aggregators.h"

namespace basalt::scheduler {
namespace {

class Writer {
 public:
  template <class... T>
  void Add(const T&... values) {
    static_assert((std::is_trivially_copyable_v<T> && ...));
    (text_.append(reinterpret_cast<const char*>(&values), sizeof(T)), ...);
  }
  void Add(const model::Amounts& amounts) {
    Add(amounts.defined());
    model::ForEachDimension(amounts.defined(), [&](int d) { Add(amounts[d]); });
  }
  std::string Take() { return std::move(text_); }

 private:
  std::string text_;
};

bool AreAlike(const model::Task& a, const model::Task& b) {
  return a.task_class == b.task_class && a.priority == b.priority && a.gate == b.gate &&
         a.opted_in == b.opted_in && a.ungating == b.ungating && a.preemptable == b.preemptable &&
         a.holding == b.holding && a.role == b.role &&
         a.pod->spec.priority == b.pod->spec.priority &&
         a.pod->spec.preemption_policy == b.pod->spec.preemption_policy;
}

}  // namespace

std::string LikenessOf(const model::Cluster& cluster, const PluginSet& plugins,
                       const model::Job& job) {
  const bool plain = job.exists() && !job.pending.empty() && job.roles.size() == 1 &&
                     job.counts.total() == static_cast<int>(job.pending.size()) &&
                     !job.group->network_topology && !job.reservation && !job.NamesReservation();
  if (!plain) return {};
  const model::Task& first = cluster.task(job.pending.front());
  for (const model::Task& task : cluster.TasksOf(job.pending)) {
    if (!task.pod->status.nominated_node_name.empty() || !AreAlike(first, task)) return {};
  }
  Writer writer;
  writer.Add(job.queue.value, job.phase, job.shadow, job.priority, job.min_available,
             job.roles.front().min_available, job.pending.size(), job.min_resources.has_value());
  if (job.min_resources) writer.Add(*job.min_resources);
  writer.Add(first.task_class->id, first.priority, first.gate, first.opted_in, first.ungating,
             first.preemptable, first.holding.queue_claim, first.holding.lapsed);
  const std::optional<std::int32_t> priority = first.pod->spec.priority;
  writer.Add(priority ? std::int64_t{*priority} : std::numeric_limits<std::int64_t>::min(),
             first.pod->spec.preemption_policy);
  TellAll(plugins.hooks<TimeDependent>(),
          [&](TimeDependent& plugin) { writer.Add(plugin.KindOf(job)); });
  return writer.Take();
}

}  // namespace basalt::scheduler
