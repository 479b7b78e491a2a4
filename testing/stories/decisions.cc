#include "testing/stories/decisions.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "kube/types/quantity.h"

namespace basalt::testutil {
namespace {

std::string AmountsInWords(const kube::ResourceList& list) {
  std::string text;
  for (const auto& [name, quantity] : list) {
    if (quantity.IsZero()) continue;
    text += fmt::format(" {}={}", name, quantity.ToString());
  }
  return text;
}

// Of a resource's dimensions those that are not zero: "cpu=1000".
std::string AmountsInWords(const model::Cluster& cluster, const model::Amounts& amounts) {
  std::string text;
  for (int d = 0; d < cluster.dimensions().size(); ++d) {
    if (amounts[d] != 0) {
      text += fmt::format(" {}={}", cluster.dimensions().Names(model::Bit(d)).front(), amounts[d]);
    }
  }
  return text;
}

struct Writer {
  std::vector<std::string> lines;

  void Evicted(const model::Evict& evict) {
    const std::string gains = evict.beneficiary.empty() ? "" : " for " + evict.beneficiary;
    lines.push_back(fmt::format("evict {}{}, {}", evict.pod->meta.name, gains, evict.reason));
  }
  void operator()(const model::Bind& bind) {
    lines.push_back(fmt::format("bind {} {}", bind.pod->meta.name, bind.node));
    for (const model::VolumeChoice& choice : bind.volumes) {
      lines.push_back(fmt::format("claim {} gets {}", choice.claim,
                                  choice.volume.empty() ? "a new volume" : choice.volume));
    }
  }
  void operator()(const model::Evict& evict) { Evicted(evict); }
  void operator()(const model::Promise& promise) {
    lines.push_back(promise.node.empty()
                        ? fmt::format("promise {} nothing any more", promise.pod->meta.name)
                        : fmt::format("promise {} {}", promise.pod->meta.name, promise.node));
    for (const model::Evict& victim : promise.victims) Evicted(victim);
  }
  void operator()(const model::Ungate& ungate) {
    lines.push_back("ungate " + ungate.pod->meta.name);
  }
  void operator()(const model::PodWaits& waits) {
    lines.push_back(
        fmt::format("waits {} {}: {}", waits.pod->meta.name, waits.reason, waits.message));
  }
  void operator()(const model::PodEvent& event) {
    lines.push_back(
        fmt::format("event {} {}: {}", event.pod->meta.name, event.reason, event.message));
  }
  void operator()(const model::GroupStatus& status) {
    std::string line =
        fmt::format("group {} {}", status.group->meta.name, model::ToString(status.phase));
    if (status.running > 0) line += fmt::format(", {} running", status.running);
    if (status.succeeded > 0) line += fmt::format(", {} succeeded", status.succeeded);
    if (status.failed > 0) line += fmt::format(", {} failed", status.failed);
    for (const model::GroupCondition& condition : status.conditions) {
      line += fmt::format(", {} {}: {}", condition.type, condition.reason, condition.message);
    }
    lines.push_back(std::move(line));
  }
  void operator()(const model::QueueStatus& status) {
    lines.push_back(
        fmt::format("queue {} pending={} inqueue={} running={} completed={} unknown={}{}",
                    status.queue->meta.name, status.pending, status.inqueue, status.running,
                    status.completed, status.unknown, AmountsInWords(status.allocated)));
  }
  void operator()(const model::QueueEvent& event) {
    lines.push_back(
        fmt::format("event {} {}: {}", event.queue->meta.name, event.reason, event.message));
  }
  void operator()(const model::ReservationStatus& intent) {
    const kube::Reservation::Status& status = intent.status;
    std::string line = fmt::format("reservation {} {}, {} pending, {} available, {} used",
                                   intent.reservation->meta.name, kube::ToString(status.phase),
                                   status.pending, status.available, status.succeeded);
    if (status.failed > 0) line += fmt::format(", {} failed", status.failed);
    if (status.current_owner) line += ", by " + status.current_owner->name;
    for (const kube::Reservation::Placement& placement : status.placements) {
      line += fmt::format("; {} {} on {} {}", placement.task, placement.index, placement.node,
                          kube::ToString(placement.phase));
    }
    if (!status.reason.empty()) line += fmt::format("; {}: {}", status.reason, status.message);
    lines.push_back(std::move(line));
  }
};

}  // namespace

std::vector<std::string> InWords(const model::Intent& intent) {
  Writer writer;
  std::visit(writer, intent);
  return std::move(writer.lines);
}

std::vector<std::string> BooksInWords(const model::Cluster& cluster) {
  std::vector<std::string> lines;
  for (const model::NodeId id : cluster.nodes()) {
    const model::NodeLedger& ledger = cluster.ledger();
    lines.push_back(fmt::format("node {} idle{}, future{}, {} tasks", cluster.node(id).name,
                                AmountsInWords(cluster, ledger.Idle(id)),
                                AmountsInWords(cluster, ledger.Future(id)),
                                cluster.node(id).tasks.size()));
  }
  std::vector<std::string> others;
  cluster.queues().ForEach([&](const model::Queue& queue) {
    std::string line = fmt::format("queue {}", queue.name);
    const auto add = [&](const char* what, const model::ResourceSum& sum) {
      const std::string amounts = AmountsInWords(cluster, sum.value());
      if (!amounts.empty()) line += fmt::format(", {}{}", what, amounts);
    };
    for (const auto& [name, ledger] :
         {std::pair{"own", &queue.own}, std::pair{"tree", &queue.tree}}) {
      line += fmt::format("; {}", name);
      add("allocated", ledger->allocated);
      add("promised", ledger->promised);
      add("leaving", ledger->leaving);
      add("overdue", ledger->overdue);
      add("request", ledger->request);
      add("claimed", ledger->claimed);
      add("in queue", ledger->in_queue);
      add("of that gated", ledger->in_queue_gated);
      add("elastic", ledger->elastic);
    }
    others.push_back(std::move(line));
  });
  cluster.jobs().ForEach([&](const model::Job& job) {
    others.push_back(fmt::format("job {} {}: {} ready, {} promised, {} pending{}", job.key(),
                                 model::ToString(job.phase), job.ready_tasks(), job.waiting_tasks(),
                                 job.pending.size(), job.parked() ? ", parked" : ""));
  });
  std::ranges::sort(others);
  lines.insert(lines.end(), others.begin(), others.end());
  lines.push_back(fmt::format("in all{}, held{}, in queue{}",
                              AmountsInWords(cluster, cluster.total_allocatable()),
                              AmountsInWords(cluster, cluster.total_held()),
                              AmountsInWords(cluster, cluster.total_in_queue())));
  return lines;
}

}  // namespace basalt::testutil
