#include "scheduler/simulate/simulation.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value_from.hpp>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/log_muted.h"
#include "kube/types/reasons.h"
#include "kube/types/time.h"
#include "scheduler/explain/explainer.h"
#include "scheduler/explain/overview.h"
#include "scheduler/explain/scale.h"
#include "scheduler/simulate/changes.h"
#include "scheduler/simulate/pretend_cluster.h"

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

// Everything that is decided without waiting for an event is decided by then: less than the time
// after which the scheduler looks again because of the clock alone.
constexpr Duration kNow = 900ms;
// Longer than anything that a scheduler waits for without being told: its look at everything, the
// end of a promise.
constexpr Duration kQuiet = 3min;
constexpr Duration kStep = 1min;

std::unexpected<Error> TooLong() {
  return Fail(ErrorCode::kTimeout,
              "the simulation takes too long; ask for less, or for a nearer horizon");
}

// What came of a simulation, beside what was before it: made before anything is changed, asked for
// the answer when all is played. Lives for one simulation, on its thread. Keys: docs/simulate.md.
class Answer {
 public:
  Answer(const SchedulerImage& image, PretendCluster& cluster)
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

  json::object Make(const Submitted& submitted, bool played_on, bool quiet) {
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
    out["fragmentation"] = {
        {"before", fragmentation_before_},
        {"after", json::value_from(explain::FragmentationOf(cluster_.state()))}};
    if (played_on) {
      out["played"] = {{"seconds", Seconds(cluster_.last_change())}, {"quiet", quiet}};
    }
    return out;
  }

 private:
  using Queues = std::map<std::string, json::object, std::less<>>;
  Queues ListQueues() const {
    Queues queues;
    for (const json::value& row : explain::ListQueues(cluster_.state())) {
      queues[std::string(row.at("name").as_string())] = row.as_object();
    }
    return queues;
  }

  json::array ChangedQueues() {
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

  void SayWhyItWaits(const model::Task& task, explain::Explainer& explainer, json::object& row) {
    const kube::Condition* said = kube::PodScheduledOf(*task.pod);
    explain::Explanation why{
        .stage = task.pod->gated() ? explain::Stage::kGated : explain::Stage::kNode,
        .reason = said ? said->reason : std::string(reasons::kWaiting),
        .message = said ? said->message : ""};
    const std::string job = cluster_.state().job(task.job).key();
    if (explained_.size() < kMostExplained && explained_.insert(job).second) {
      why = explainer.Pod(task.ns(), task.name()).value_or(why);
    }
    row["stage"] = explain::ToString(why.stage);
    row["reason"] = why.reason;
    row["message"] = why.message;
    row["change"] = why.change;
  }

  // What became of a pod.
  json::object RowOf(const std::string& key, explain::Explainer& explainer) {
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

  json::object ReservationRow(const std::string& key) const {
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

  json::array Promises(explain::Explainer& explainer) const {
    std::map<std::string, json::object> sorted;
    for (const model::Task& task : cluster_.state().TasksOf(cluster_.state().promised())) {
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

  void SayAutoscalers(explain::Explainer& explainer, json::object& out) {
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

  PretendCluster& cluster_;
  json::object version_;
  Time began_;
  Queues queues_before_;
  json::value fragmentation_before_;
  std::vector<std::string> waited_before_;                   // "ns/name"
  std::set<std::string> evicted_;                            // "ns/name"
  std::set<std::string> explained_;                          // jobs whose change was looked for
  std::map<std::string, json::object, std::less<>> sights_;  // by "ns/name"
};

}  // namespace

Result<boost::json::object> Simulate(const SchedulerImage& image, const Request& request,
                                     const std::function<bool()>& go_on,
                                     std::shared_ptr<void>* leftovers) {
  const log::Muted muted;
  const auto made = std::make_shared<PretendCluster>(image);
  if (leftovers) *leftovers = made;
  PretendCluster& cluster = *made;
  Answer answer(image, cluster);
  if (request.until_quiet) cluster.LetTimePass();
  const Result<Submitted> submitted = MakeChanges(request, cluster);
  if (!submitted) return std::unexpected(submitted.error());
  if (!cluster.Run(kNow, go_on)) return TooLong();
  bool quiet = true;
  while (request.until_quiet &&
         (cluster.expects() || cluster.elapsed() - cluster.last_change() < kQuiet)) {
    if (cluster.elapsed() >= request.horizon) {
      quiet = false;
      break;
    }
    if (!cluster.Run(kStep, go_on)) return TooLong();
  }
  return answer.Make(*submitted, request.until_quiet, quiet);
}

}  // namespace basalt::scheduler::simulate
