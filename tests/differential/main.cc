// deps: basalt_scheduler_actions basalt_scheduler_plugins basalt_scheduler_state
//
//   test_differential < clusters.jsonl > decisions.jsonl
// Takes one cluster a line (see README.md), runs the scheduler's core on it until nothing changes
// any more, and answers with one line: what was decided in each cycle.

#include <fmt/format.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value_from.hpp>
#include <chrono>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/check.h"
#include "kube/types/codec.h"
#include "kube/types/reservation.h"
#include "scheduler/actions/registry.h"
#include "scheduler/framework/session.h"
#include "scheduler/plugins/registry.h"
#include "scheduler/state/cluster_state.h"

namespace basalt {
namespace {

namespace json = boost::json;

// Any time will do, as long as it is after all creations.
const Time kStart = Time(std::chrono::hours(480000));

struct Decisions {
  std::map<std::string, std::string> binds;
  std::set<std::string> evictions;
  std::map<std::string, std::string> why;  // of each eviction: the action, and for whom
  std::map<std::string, std::string> phases;
  std::map<std::string, std::string> promises;  // all that stand when the cycle ends

  bool empty() const { return binds.empty() && evictions.empty() && phases.empty(); }
  json::object Json() const {
    return {{"binds", json::value_from(binds)},
            {"evictions", json::value_from(evictions)},
            {"why", json::value_from(why)},
            {"phases", json::value_from(phases)},
            {"promises", json::value_from(promises)}};
  }
};

kube::PodGroupPhase PhaseOf(model::JobPhase phase) {
  switch (phase) {
    case model::JobPhase::kPending: return kube::PodGroupPhase::kPending;
    case model::JobPhase::kInqueue: return kube::PodGroupPhase::kInqueue;
    case model::JobPhase::kRunning: return kube::PodGroupPhase::kRunning;
    case model::JobPhase::kUnknown: return kube::PodGroupPhase::kUnknown;
    case model::JobPhase::kCompleted: return kube::PodGroupPhase::kCompleted;
  }
  return kube::PodGroupPhase::kNone;
}

// One cluster and the world around it: bound pods run, evicted ones leave.
class Run {
 public:
  explicit Run(const json::object& cluster)
      : cluster_(cluster), grace_(cluster.at("grace").to_number<int>()) {
    AddAll<kube::Node>("nodes");
    AddAll<kube::PriorityClass>("priorityClasses");
    AddAll<kube::Queue>("queues");
    groups_ = AddAll<kube::PodGroup>("podGroups");
    pods_ = AddAll<kube::Pod>("pods");
    if (cluster.contains("reservations")) {  // their placements are known from before
      state_.SetDeciding(false);
      AddAll<kube::Reservation>("reservations");
      state_.SetDeciding(true);
    }
    Configure(cluster.at("conf").as_string());
  }

  json::object Decide() {
    json::array cycles;
    bool quiet = false;
    const auto most = cluster_.at("maxCycles").to_number<std::size_t>();
    while (cycles.size() < most && !quiet) {
      const Decisions decisions = Cycle(kStart + std::chrono::seconds(cycles.size()));
      cycles.emplace_back(decisions.Json());
      quiet = decisions.empty() && leaving_.empty();
      Apply(decisions);
    }
    return {{"seed", cluster_.at("seed")}, {"quiet", quiet}, {"cycles", std::move(cycles)}};
  }

 private:
  template <class T>
  using Objects = std::map<std::string, std::shared_ptr<const T>>;

  template <class T>
  Objects<T> AddAll(std::string_view key) {
    Objects<T> objects;
    for (const json::value& item : cluster_.at(key).as_array()) {
      auto object = kube::Decode<T>(json::serialize(item));
      if (!object) Fatal(fmt::format("{}: {}", key, object.error().message));
      auto shared = std::make_shared<const T>(*std::move(object));
      state_.Set(shared);
      objects[shared->meta.Key()] = shared;
    }
    return objects;
  }

  void Configure(std::string_view yaml) {
    auto config = scheduler::LoadConfig(
        yaml, {scheduler::BuiltinActions().Names(), scheduler::BuiltinPlugins().Names()});
    if (!config) Fatal(config.error().message);
    for (const std::string& name : config->actions) {
      auto action = (*scheduler::BuiltinActions().Find(name))(config->ArgumentsOf(name));
      if (!action) Fatal(action.error().message);
      actions_.push_back(std::move(*action));
    }
    auto plugins = scheduler::PluginSet::Make(*std::move(config), scheduler::BuiltinPlugins());
    if (!plugins) Fatal(plugins.error().message);
    plugins_ = std::move(*plugins);
  }

  Decisions Cycle(Time now) {
    scheduler::Session session(state_.cluster(), *plugins_, now);
    for (const auto& action : actions_) action->Run(session);
    session.Close();
    if (const std::string wrong = state_.cluster().CheckLedgers(); !wrong.empty()) Fatal(wrong);
    Decisions decisions;
    for (const model::Intent& intent : session.intents()) {
      model::ForEachEviction(intent, [&](const model::Evict& evict) {
        decisions.evictions.insert(evict.pod->meta.Key());
        decisions.why[evict.pod->meta.Key()] = evict.reason + " for " + evict.beneficiary;
      });
      if (const auto* bind = std::get_if<model::Bind>(&intent)) {
        decisions.binds[bind->pod->meta.Key()] = bind->node;
      } else if (const auto* status = std::get_if<model::GroupStatus>(&intent)) {
        const auto& group = groups_.at(status->group->meta.Key());
        const kube::PodGroupPhase phase = PhaseOf(status->phase);
        if (phase != group->phase) {
          decisions.phases[group->meta.Key()] = std::string(kube::ToString(phase));
          auto changed = std::make_shared<kube::PodGroup>(*group);
          changed->phase = phase;
          groups_[group->meta.Key()] = changed;
        }
      }
    }
    state_.cluster().tasks().ForEach([&](const model::Task& task) {
      if (task.status() != model::TaskStatus::kPipelined) return;
      decisions.promises[task.ns() + "/" + task.name()] = state_.cluster().node(task.node()).name;
    });
    return decisions;
  }

  void Apply(const Decisions& decisions) {
    for (const auto& [key, phase] : decisions.phases) state_.Set(groups_.at(key));
    for (auto it = leaving_.begin(); it != leaving_.end();) {
      if (--it->second > 0) {
        ++it;
        continue;
      }
      Remove(it->first);
      it = leaving_.erase(it);
    }
    for (const auto& [key, node] : decisions.binds) {
      auto pod = std::make_shared<kube::Pod>(*pods_.at(key));
      pod->spec.node_name = node;
      pod->status.phase = kube::PodPhase::kRunning;
      state_.Set(pods_[key] = pod);
    }
    for (const std::string& key : decisions.evictions) {
      if (grace_ == 0) {
        Remove(key);
        continue;
      }
      auto pod = std::make_shared<kube::Pod>(*pods_.at(key));
      pod->meta.deletion_timestamp = kStart + std::chrono::hours(1);
      state_.Set(pods_[key] = pod);
      leaving_[key] = grace_;
    }
  }

  void Remove(const std::string& key) {
    state_.Remove(*pods_.at(key));
    pods_.erase(key);
  }

  [[noreturn]] void Fatal(const std::string& why) const {
    fmt::print(stderr, "seed {}: {}\n", json::serialize(cluster_.at("seed")), why);
    std::exit(1);
  }

  const json::object& cluster_;
  const int grace_;
  scheduler::ClusterState state_{{}};
  std::unique_ptr<scheduler::PluginSet> plugins_;
  std::vector<std::unique_ptr<scheduler::Action>> actions_;
  Objects<kube::PodGroup> groups_;
  Objects<kube::Pod> pods_;
  std::map<std::string, int> leaving_;  // cycles that are left
};

}  // namespace
}  // namespace basalt

int main() {
  std::ios::sync_with_stdio(false);
  std::string line;
  while (std::getline(std::cin, line)) {
    const boost::json::value cluster = boost::json::parse(line);
    std::cout << boost::json::serialize(basalt::Run(cluster.as_object()).Decide()) << '\n';
  }
  return 0;
}
