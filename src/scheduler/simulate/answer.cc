#include "scheduler/simulate/answer.h"

#include <algorithm>
#include <boost/json/value_from.hpp>
#include <utility>

#include "kube/types/reasons.h"
#include "kube/types/time.h"
#include "scheduler/explain/overview.h"
#include "scheduler/explain/scale.h"

namespace basalt::scheduler::simulate {
namespace {

namespace json = boost::json;
using model::TaskStatus;

// Of so many groups that wait the smallest change that helps is looked for; each takes a while.
constexpr std::size_t kMostExplained = 10;

double Seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

std::pair<std::string, std::string> Split(const std::string& key) {
  const std::size_t slash = key.find('/');
  return {key.substr(0, slash), key.substr(slash + 1)};
}

json::object NamesIn(const std::string& key) {
  const auto [ns, name] = Split(key);
  return {{"namespace", ns}, {"name", name}};
}

}  // namespace

Answer::Answer(const SchedulerImage& image, PretendCluster& cluster)
    : cluster_(cluster),
      version_{{"generation", image.state.generation},
               {"cycle", image.cycles},
               {"time", kube::FormatTime(image.taken_at)}},
      began_(image.taken_at),
      queues_before_(ListQueues()),
      fragmentation_before_(json::value_from(explain::FragmentationOf(cluster.state()))) {
  cluster.state().tasks().ForEach([&](const model::Task& task) {
    if (!cluster.state().FindJob(task.job) || cluster.state().IsReserved(task)) return;
    if (task.status() == TaskStatus::kPending || task.status() == TaskStatus::kPipelined) {
      waited_before_.push_back(task.pod->meta.Key());
    }
  });
  std::ranges::sort(waited_before_);
}

Answer::Queues Answer::ListQueues() const {
  Queues queues;
  for (const json::value& row : explain::ListQueues(cluster_.state())) {
    queues[std::string(row.at("name").as_string())] = row.as_object();
  }
  return queues;
}

json::array Answer::ChangedQueues() {
  json::array out;
  Queues after = ListQueues();
  for (const auto& [name, before] : queues_before_) after.try_emplace(name);
  const auto part = [](const json::object& row) -> json::value {
    if (row.empty()) return nullptr;
    json::object kept;
    for (const char* key :
         {"allocated", "claimed", "capability", "deserved", "guarantee", "waitingPods"}) {
      kept[key] = row.at(key);
    }
    return kept;
  };
  for (const auto& [name, now] : after) {
    const json::object& before = queues_before_[name];  // empty: it is new
    if (before == now) continue;
    out.push_back({{"name", name}, {"before", part(before)}, {"after", part(now)}});
  }
  return out;
}

void Answer::SayWhyItWaits(const model::Task& task, explain::Explainer& explainer,
                           json::object& row) {
  const std::string job = cluster_.state().job(task.job).key();
  const bool first = explained_.size() < kMostExplained && explained_.insert(job).second;
  if (first) {
    if (const auto why = explainer.Pod(task.ns(), task.name())) {
      row["stage"] = explain::ToString(why->stage);
      row["reason"] = why->reason;
      row["message"] = why->message;
      row["change"] = why->change;
      return;
    }
  }
  const kube::Condition* said = kube::PodScheduledOf(*task.pod);
  row["stage"] = task.pod->gated() ? "gated" : "node";
  row["reason"] = said ? std::string_view(said->reason) : reasons::kWaiting;
  row["message"] = said ? said->message : "";
  row["change"] = "";
}

// What became of a pod.
json::object Answer::RowOf(const std::string& key, explain::Explainer& explainer) {
  const Happened& happened = cluster_.happened();
  json::object row = NamesIn(key);
  const auto [ns, name] = Split(key);
  const auto bind = happened.binds.find(key);
  if (bind != happened.binds.end()) {
    row["node"] = bind->second.node;
    row["after"] = Seconds(bind->second.at);
    row["starts"] = kube::FormatTime(began_ + bind->second.at);
  }
  const model::Task* task = cluster_.state().FindTask(ns, name);
  if (const auto ended = happened.ended.find(key); ended != happened.ended.end()) {
    row["outcome"] = "ended";
    row["ends"] = kube::FormatTime(began_ + ended->second);
  } else if (evicted_.contains(key)) {
    row["outcome"] = "evicted";
  } else if (!task && bind != happened.binds.end()) {
    row["outcome"] = "gone";
  } else if (!task) {
    row["outcome"] = "waits";
    row["stage"] = "node";
    row["reason"] = reasons::kOtherScheduler;
    row["message"] = "the pod names another scheduler, which is to place it";
    row["change"] = "set spec.schedulerName";
  } else if (task->status() == TaskStatus::kPending) {
    row["outcome"] = "waits";
    SayWhyItWaits(*task, explainer, row);
  } else if (task->status() == TaskStatus::kPipelined) {
    row["outcome"] = "promised";
    row["node"] = cluster_.state().node(task->node()).name;
    const auto why = explainer.Pod(ns, name);
    row["message"] = why ? why->message : "";
    if (why && why->until) row["until"] = kube::FormatTime(*why->until);
  } else {
    row["outcome"] = "runs";
    if (task->node().valid()) row["node"] = cluster_.state().node(task->node()).name;
  }
  if (const auto sight = sights_.find(key); sight != sights_.end()) {
    row["autoscalers"] = sight->second;
  }
  return row;
}

json::object Answer::ReservationRow(const std::string& key) const {
  const auto [ns, name] = Split(key);
  json::object row = NamesIn(key);
  const model::ReservationRecord* record = cluster_.state().reservations().Find(ns, name);
  if (!record) {
    row["phase"] = "";
    return row;
  }
  row["phase"] = kube::ToString(cluster_.state().reservations().PhaseOf(*record));
  row["message"] = record->waiting_message;
  json::array nodes;
  for (const model::ReservedSlot& slot : record->slots) {
    const model::Task& task = cluster_.state().task(slot.id);
    if (task.node().valid()) nodes.emplace_back(cluster_.state().node(task.node()).name);
  }
  row["nodes"] = std::move(nodes);
  return row;
}

json::array Answer::Promises(explain::Explainer& explainer) const {
  std::map<std::string, json::object> sorted;
  for (const model::TaskId id : cluster_.state().promised()) {
    const model::Task& task = cluster_.state().task(id);
    if (cluster_.state().IsReserved(task)) continue;
    json::object row = NamesIn(task.pod->meta.Key());
    row["node"] = cluster_.state().node(task.node()).name;
    const auto why = explainer.Pod(task.ns(), task.name());
    row["until"] = why && why->until ? json::value(kube::FormatTime(*why->until)) : nullptr;
    sorted[task.pod->meta.Key()] = std::move(row);
  }
  json::array out;
  for (auto& [key, row] : sorted) out.push_back(std::move(row));
  return out;
}

void Answer::SayAutoscalers(explain::Explainer& explainer, json::object& out) {
  std::map<std::string, int> ca, karpenter;
  for (const explain::ScaleRow& row : explainer.Scale({})) {
    const auto say = [](const explain::SightOf& sight) {
      return json::object{{"sight", explain::ToString(sight.sight)}, {"why", sight.why}};
    };
    ++ca[std::string(explain::ToString(row.cluster_autoscaler.sight))];
    ++karpenter[std::string(explain::ToString(row.karpenter.sight))];
    sights_[row.task->pod->meta.Key()] = {{"clusterAutoscaler", say(row.cluster_autoscaler)},
                                          {"karpenter", say(row.karpenter)}};
  }
  out["autoscalers"] = {{"clusterAutoscaler", json::value_from(ca)},
                        {"karpenter", json::value_from(karpenter)}};
}

json::object Answer::Make(const Submitted& submitted, bool played_on, bool quiet) {
  const Happened& happened = cluster_.happened();
  for (const Happened::Eviction& eviction : happened.evictions) evicted_.insert(eviction.pod);
  explain::Explainer explainer = *cluster_.scheduler().MakeExplainer();
  json::object out;
  out["version"] = version_;
  SayAutoscalers(explainer, out);

  // A question that brings no pods asks about the pods that waited.
  const std::vector<std::string>& asked =
      submitted.pods.empty() && submitted.reservations.empty() ? waited_before_ : submitted.pods;
  json::array pods, others;
  int waiting = 0;
  for (const std::string& key : asked) {
    json::object row = RowOf(key, explainer);
    const json::string& outcome = row.at("outcome").as_string();
    waiting += outcome == "waits" || outcome == "promised" || outcome == "evicted";
    pods.push_back(std::move(row));
  }
  const std::set<std::string> asked_set(asked.begin(), asked.end());
  for (const auto& [key, bind] : happened.binds) {
    if (!asked_set.contains(key)) others.push_back(RowOf(key, explainer));
  }
  json::array reservations;
  for (const std::string& key : submitted.reservations) {
    json::object row = ReservationRow(key);
    waiting +=
        row.at("phase").as_string() != "Available" && row.at("phase").as_string() != "Succeeded";
    reservations.push_back(std::move(row));
  }
  out["waiting"] = waiting;
  out["pods"] = std::move(pods);
  out["others"] = std::move(others);
  out["reservations"] = std::move(reservations);
  json::array evictions;
  for (const Happened::Eviction& eviction : happened.evictions) {
    json::object row = NamesIn(eviction.pod);
    row["node"] = eviction.node;
    row["for"] = eviction.beneficiary;
    row["action"] = eviction.action;
    row["after"] = Seconds(eviction.at);
    evictions.push_back(std::move(row));
  }
  out["evictions"] = std::move(evictions);
  out["promises"] = Promises(explainer);
  json::array gates;
  for (const std::string& key : happened.ungated) gates.push_back(NamesIn(key));
  out["gatesOpened"] = std::move(gates);
  out["queues"] = ChangedQueues();
  out["fragmentation"] = {{"before", fragmentation_before_},
                          {"after", json::value_from(explain::FragmentationOf(cluster_.state()))}};
  if (played_on) {
    out["played"] = {{"seconds", Seconds(cluster_.last_change())}, {"quiet", quiet}};
  }
  return out;
}

}  // namespace basalt::scheduler::simulate
