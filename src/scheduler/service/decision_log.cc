#include "scheduler/service/decision_log.h"

#include <string>

#include "base/log.h"

namespace basalt::scheduler {
namespace {

std::string JobOf(model::TaskId id, const model::Cluster& cluster) {
  const model::Task* task = cluster.FindTask(id);
  const model::Job* job = task ? cluster.FindJob(task->job) : nullptr;
  return job ? job->key() : "";
}

}  // namespace

void LogDecisions(std::uint64_t cycle, const std::vector<model::Intent>& intents,
                  const model::Cluster& cluster) {
  for (const model::Intent& intent : intents) {
    if (const auto* promise = std::get_if<model::Promise>(&intent); promise) {
      const bool promised = !promise->node.empty();
      if (promised || !promise->pod->status.nominated_node_name.empty()) {
        log::Info(promised ? "nominates" : "takes a nomination back",
                  {{"cycle", cycle},
                   {"job", JobOf(promise->task, cluster)},
                   {"task", promise->pod->meta.Key()},
                   {"node", promised ? promise->node : promise->pod->status.nominated_node_name},
                   {"reason", promise->reason}});
      }
    }
    model::ForEachEviction(intent, [&](const model::Evict& evict) {
      log::Info("evicts", {{"cycle", cycle},
                           {"job", JobOf(evict.task, cluster)},
                           {"task", evict.pod->meta.Key()},
                           {"node", evict.pod->spec.node_name},
                           {"reason", evict.reason},
                           {"for", evict.beneficiary}});
    });
  }
}

}  // namespace basalt::scheduler
