#include "scheduler/framework/likeness.h"

#include <cstring>
#include <limits>
#include <optional>

#include "scheduler/framework/aggregators.h"

namespace basalt::scheduler {
namespace {

class Writer {
 public:
  template <class T>
  void Add(T value) {
    static_assert(std::is_trivially_copyable_v<T>);
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    text_.append(bytes, sizeof(T));
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
  for (const model::TaskId id : job.pending) {
    const model::Task& task = cluster.task(id);
    if (!task.pod->status.nominated_node_name.empty() || !AreAlike(first, task)) return {};
  }
  Writer writer;
  writer.Add(job.queue.value);
  writer.Add(job.phase);
  writer.Add(job.shadow);
  writer.Add(job.priority);
  writer.Add(job.min_available);
  writer.Add(job.roles.front().min_available);
  writer.Add(job.pending.size());
  writer.Add(job.min_resources.has_value());
  if (job.min_resources) writer.Add(*job.min_resources);
  writer.Add(first.task_class->id);
  writer.Add(first.priority);
  writer.Add(first.gate);
  writer.Add(first.opted_in);
  writer.Add(first.ungating);
  writer.Add(first.preemptable);
  writer.Add(first.holding.queue_claim);
  writer.Add(first.holding.lapsed);
  const std::optional<std::int32_t> priority = first.pod->spec.priority;
  writer.Add(priority ? std::int64_t{*priority} : std::numeric_limits<std::int64_t>::min());
  writer.Add(first.pod->spec.preemption_policy);
  TellAll(plugins.hooks<TimeDependent>(),
          [&](TimeDependent& plugin) { writer.Add(plugin.KindOf(job)); });
  return writer.Take();
}

}  // namespace basalt::scheduler
