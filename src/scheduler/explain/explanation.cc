#include "scheduler/explain/explanation.h"

#include <boost/json/array.hpp>

#include "kube/types/time.h"

namespace basalt::scheduler::explain {

namespace json = boost::json;

std::string_view ToString(Stage stage) {
  constexpr std::string_view kNames[] = {"gated", "enqueue",   "gang",    "queue", "reservation",
                                         "node",  "pipelined", "binding", "bound"};
  return kNames[static_cast<int>(stage)];
}

void Say(Explanation& out, Stage stage, std::string_view reason, std::string message) {
  out.stage = stage;
  out.reason = reason;
  out.message = std::move(message);
}

std::string Seconds(Duration duration) {
  return kube::FormatDuration(std::chrono::duration_cast<std::chrono::seconds>(duration));
}

void AddClause(std::string& message, std::string_view clause) {
  if (message.ends_with('.')) message.pop_back();
  message += "; ";
  message += clause;
}

json::object ToJson(const Explanation& explanation) {
  json::array nodes;
  for (const auto& [reason, count] : explanation.nodes) {
    nodes.push_back(json::object{{"reason", reason}, {"count", count}});
  }
  json::value queue;
  if (explanation.queue) {
    json::array holders;
    for (const QueueShortage::Holder& holder : explanation.queue->holders) {
      json::object one{{"kind", holder.kind},
                       {"namespace", holder.ns},
                       {"name", holder.name},
                       {"queue", holder.queue},
                       {"amount", holder.amount}};
      if (holder.claimed_since) one["claimedSince"] = kube::FormatTime(*holder.claimed_since);
      holders.push_back(std::move(one));
    }
    queue = json::object{{"name", explanation.queue->name},
                         {"resource", explanation.queue->resource},
                         {"holders", std::move(holders)}};
  }
  json::object out{{"kind", explanation.kind}, {"name", explanation.name}};
  if (!explanation.ns.empty()) out["namespace"] = explanation.ns;
  out["stage"] = ToString(explanation.stage);
  out["reason"] = explanation.reason;
  out["condition"] = explanation.condition;
  out["message"] = explanation.message;
  out["nodes"] = std::move(nodes);
  out["queue"] = std::move(queue);
  out["until"] =
      explanation.until ? json::value(kube::FormatTime(*explanation.until)) : json::value();
  out["change"] = explanation.change;
  return out;
}

}  // namespace basalt::scheduler::explain
