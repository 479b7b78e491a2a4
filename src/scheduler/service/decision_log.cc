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
  const bool all = log::Enabled(log::Level::kDebug);
  for (const model::Intent& intent : intents) {
    if (const auto* bind = std::get_if<model::Bind>(&intent); bind && all) {
      log::Debug("binds", {{"cycle", cycle},
                           {"job", JobOf(bind->task, cluster)},
                           {"task", bind->pod->meta.Key()},
                           {"node", bind->node},
                           {"queue", bind->queue}});
    } else if (const auto* gate = std::get_if<model::Ungate>(&intent); gate && all) {
      log::Debug(
          "opens a gate",
          {{"cycle", cycle}, {"job", JobOf(gate->task, cluster)}, {"task", gate->pod->meta.Key()}});
    }
    if (const auto* promise = std::get_if<model::Promise>(&intent)) {
      const bool promised = !promise->node.empty();
      const std::string& node = promised ? promise->node : promise->pod->status.nominated_node_name;
      if (!node.empty()) {
        log::Info(promised ? "nominates" : "takes a nomination back",
                  {{"cycle", cycle},
                   {"job", JobOf(promise->task, cluster)},
                   {"task", promise->pod->meta.Key()},
                   {"node", node},
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
