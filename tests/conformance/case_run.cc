#include "tests/conformance/case_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/serialize.hpp>

#include "kube/types/codec.h"
#include "kube/types/time.h"
#include "scheduler/actions/registry.h"
#include "scheduler/plugins/registry.h"
#include "tests/conformance/compare.h"

namespace basalt::conformance {

namespace json = boost::json;
using model::Job;
using model::Task;
using model::TaskStatus;
using scheduler::Session;

namespace {

std::vector<std::string> Strings(const json::value* list) {
  std::vector<std::string> strings;
  if (list && list->is_array()) {
    for (const json::value& item : list->as_array()) strings.emplace_back(item.as_string());
  }
  return strings;
}

std::string KeyOf(const Task& task) { return task.ns() + "/" + task.name(); }

// What the API server would have filled in.
void Complete(kube::Pod& pod, const json::object& object) {
  const json::value* status = object.if_contains("status");
  const bool has_phase = status && status->is_object() && status->as_object().contains("phase");
  if (!has_phase) pod.status.phase = kube::PodPhase::kUnknown;
}
template <class T>
void Complete(T&, const json::object&) {}

}  // namespace

Time CaseRun::Now() const {
  const json::value* captured = case_.if_contains("capturedAt");
  const auto time =
      kube::ParseTime(captured && captured->is_string() ? std::string_view(captured->as_string())
                                                        : "2026-06-01T12:00:00Z");
  return time.value_or(Time{});
}

// ---- input

template <class T>
void CaseRun::AddAll(const json::object& input, std::string_view key) {
  const json::value* list = input.if_contains(key);
  if (!list || !list->is_array()) return;
  for (const json::value& item : list->as_array()) {
    auto object = kube::Decode<T>(json::serialize(item));
    if (!object) {
      Complain(fmt::format("{}: {}", key, object.error().message));
      continue;
    }
    Complete(*object, item.as_object());
    state_.Set(std::make_shared<const T>(std::move(*object)));
  }
}

void CaseRun::AddObjects(const json::object& input) {
  AddAll<kube::PersistentVolume>(input, "persistentVolumes");
  AddAll<kube::PersistentVolumeClaim>(input, "persistentVolumeClaims");
  AddAll<kube::StorageClass>(input, "storageClasses");
  AddAll<kube::Node>(input, "nodes");
  AddAll<kube::Pod>(input, "pods");
  AddAll<kube::PodGroup>(input, "podGroups");
  AddAll<kube::Queue>(input, "queues");
  AddAll<kube::PriorityClass>(input, "priorityClasses");
  AddAll<kube::ResourceQuota>(input, "resourceQuotas");
  AddAll<kube::PodDisruptionBudget>(input, "podDisruptionBudgets");
}

Result<void> CaseRun::MakePlugins(const std::vector<std::string>& actions) {
  const json::object& conf = case_.at("conf").as_object();
  const std::vector<std::string> registered = Strings(conf.if_contains("registeredPlugins"));
  scheduler::Config config;
  config.actions = actions;
  for (const json::value& tier_value : conf.at("tiers").as_array()) {
    scheduler::Tier& tier = config.tiers.emplace_back();
    for (const json::value& plugin_value : tier_value.at("plugins").as_array()) {
      const json::object& object = plugin_value.as_object();
      scheduler::PluginConfig plugin;
      plugin.name = std::string(object.at("name").as_string());
      if (std::ranges::find(registered, plugin.name) == registered.end()) continue;
      for (const auto& entry : object) {
        const auto which = scheduler::FindSwitch(entry.key());
        if (which && entry.value().is_bool()) plugin.Set(*which, entry.value().as_bool());
      }
      const json::value* arguments = object.if_contains("arguments");
      if (arguments && arguments->is_object()) {
        plugin.arguments = scheduler::Arguments(arguments->as_object());
      }
      tier.plugins.push_back(std::move(plugin));
    }
  }
  if (const json::value* configurations = conf.if_contains("configurations")) {
    for (const json::value& item : configurations->as_array()) {
      const json::value* arguments = item.as_object().if_contains("arguments");
      if (!arguments || !arguments->is_object()) continue;
      config.action_arguments.emplace(std::string(item.at("name").as_string()),
                                      scheduler::Arguments(arguments->as_object()));
    }
  }
  auto plugins = scheduler::PluginSet::Make(std::move(config), scheduler::BuiltinPlugins());
  if (!plugins) return std::unexpected(plugins.error());
  plugins_ = std::move(*plugins);
  return {};
}

// ---- running

void CaseRun::RunActions(Session& session, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const scheduler::ActionFactory* factory = scheduler::BuiltinActions().Find(name);
    if (!factory) {
      Complain("unknown action " + name);
      continue;
    }
    auto action = (*factory)(session.config().ArgumentsOf(name));
    if (!action) {
      Complain(fmt::format("action {}: {}", name, action.error().message));
      continue;
    }
    (*action)->Run(session);
    const std::string wrong = state_.cluster().CheckLedgers();
    if (!wrong.empty()) Complain("ledgers after " + name + ": " + wrong);
  }
  for (const model::Intent& intent : session.intents()) {
    if (const auto* bind = std::get_if<model::Bind>(&intent)) {
      binds_[bind->pod->meta.Key()] = bind->node;
    }
    model::ForEachEviction(
        intent, [&](const model::Evict& evict) { evicted_.push_back(evict.pod->meta.Key()); });
  }
  session.intents().clear();
  std::ranges::sort(evicted_);
}

std::vector<std::string> CaseRun::Run() {
  if (case_.at("kind").as_string() == "multicycle") {
    RunCycles();
  } else {
    RunSession();
  }
  return std::move(complaints_);
}

void CaseRun::RunSession() {
  if (const json::value* input = case_.if_contains("input")) AddObjects(input->as_object());
  PrepareProbes();
  const std::vector<std::string> actions = Strings(case_.if_contains("actions"));
  if (auto made = MakePlugins(actions); !made) {
    Complain(made.error().message);
    return;
  }
  Session session(state_.cluster(), *plugins_, Now());
  RunActions(session, actions);
  if (case_.contains("upstream") && case_.at("upstream").as_object().contains("check")) {
    CheckExpectation(session);
  }
  CheckRecorded(session);
  CheckProbes(session);
  session.Close();
}

void CaseRun::RunCycles() {
  for (const json::value& value : case_.at("cycles").as_array()) {
    const json::object& cycle = value.as_object();
    if (const json::value* add = cycle.if_contains("add")) AddObjects(add->as_object());
    const std::vector<std::string> actions = Strings(cycle.if_contains("actions"));
    if (auto made = MakePlugins(actions); !made) {
      Complain(made.error().message);
      return;
    }
    binds_.clear();
    Session session(state_.cluster(), *plugins_, Now());
    RunActions(session, actions);
    std::vector<std::string> bound;
    for (const auto& [pod, node] : binds_) bound.push_back(pod);
    std::vector<std::string> want =
        Strings(cycle.at("expect").as_object().if_contains("boundPods"));
    std::ranges::sort(want);
    if (bound != want) {
      Complain(fmt::format("bound in cycle: want {}, got {}", fmt::join(want, " "),
                           fmt::join(bound, " ")));
    }
    session.Close();
  }
}

// ---- what the Go test checks

void CaseRun::CheckExpectation(Session& session) {
  const json::object& expect = case_.at("expect").as_object();
  const auto flag = [&](std::string_view key) {
    const json::value* value = expect.if_contains(key);
    return value && value->is_bool() && value->as_bool();
  };
  const json::value* count = expect.if_contains("bindsNum");
  const std::int64_t want_binds = count ? count->to_number<std::int64_t>() : 0;
  if (static_cast<std::int64_t>(binds_.size()) != want_binds) {
    Complain(fmt::format("want {} binds, got {}: {}", want_binds, binds_.size(), Show(binds_)));
  }
  if (!flag("minimalBindCheck")) {
    const auto want = StringMapOf(expect.if_contains("bindMap"));
    if (want != binds_) {
      Complain(fmt::format("binds: want {}, got {}", Show(want), Show(binds_)));
    }
  }
  std::vector<std::string> want_evicted = Strings(expect.if_contains("evicted"));
  std::ranges::sort(want_evicted);
  if (want_evicted != evicted_) {
    Complain(fmt::format("evicted: want [{}], got [{}]", fmt::join(want_evicted, " "),
                         fmt::join(evicted_, " ")));
  }
  const auto find_job = [&](std::string_view key) {
    const std::size_t slash = key.find('/');
    const Job* job = state_.cluster().FindJob(key.substr(0, slash), key.substr(slash + 1));
    return job ? session.FindJob(job->id) : nullptr;
  };
  if (const json::value* pipelined = expect.if_contains("pipelined")) {
    for (const auto& entry : pipelined->as_object()) {
      const Job* job = find_job(entry.key());
      const std::vector<std::string> nodes = Strings(&entry.value());
      if (!job || job->pipelined.empty()) {
        Complain(fmt::format("no pipelined task in {}", std::string_view(entry.key())));
        continue;
      }
      for (const model::TaskId id : job->pipelined) {
        const std::string& node = state_.cluster().node(state_.cluster().task(id).node()).name;
        if (std::ranges::find(nodes, node) == nodes.end()) {
          Complain(fmt::format("{} is pipelined on {}, want one of {}",
                               KeyOf(state_.cluster().task(id)), node, fmt::join(nodes, " ")));
        }
      }
    }
  }
  if (const json::value* numbers = expect.if_contains("taskStatusNums")) {
    for (const auto& entry : numbers->as_object()) {
      const Job* job = find_job(entry.key());
      for (const auto& status : entry.value().as_object()) {
        int got = 0;
        for (int s = 0; job && s < model::kTaskStatuses; ++s) {
          if (model::ToString(static_cast<TaskStatus>(s)) == std::string_view(status.key())) {
            got = job->counts[static_cast<TaskStatus>(s)];
          }
        }
        if (got != status.value().to_number<int>()) {
          Complain(fmt::format("{}: want {} tasks {}, got {}", std::string_view(entry.key()),
                               status.value().to_number<int>(), std::string_view(status.key()),
                               got));
        }
      }
    }
  }
  if (const json::value* phases = expect.if_contains("podGroupPhase")) {
    for (const auto& entry : phases->as_object()) {
      const Job* job = find_job(entry.key());
      const std::string_view got = job ? model::ToString(session.PhaseAfter(*job, false)) : "none";
      if (got != entry.value().as_string()) {
        Complain(fmt::format("{}: want phase {}, got {}", std::string_view(entry.key()),
                             std::string_view(entry.value().as_string()), got));
      }
    }
  }
}

// ---- what v1.15.0 did: stricter, and safe where all its runs agreed

void CaseRun::CheckRecorded(Session& session) {
  const json::value* actual = case_.if_contains("actual");
  if (!actual) return;
  const json::object& recorded = actual->as_object();
  const auto want_binds = StringMapOf(recorded.if_contains("binds"));
  if (want_binds != binds_) {
    Complain(fmt::format("recorded binds: {}, got {}", Show(want_binds), Show(binds_)));
  }
  std::vector<std::string> want_evicted = Strings(recorded.if_contains("evicted"));
  std::ranges::sort(want_evicted);
  if (want_evicted != evicted_) {
    Complain(fmt::format("recorded evictions: [{}], got [{}]", fmt::join(want_evicted, " "),
                         fmt::join(evicted_, " ")));
  }
  std::map<std::string, std::string> pipelined;
  state_.cluster().tasks().ForEach([&](const Task& task) {
    if (task.status() == TaskStatus::kPipelined && session.JobOf(task)) {
      pipelined[KeyOf(task)] = state_.cluster().node(task.node()).name;
    }
  });
  const auto want_pipelined = StringMapOf(recorded.if_contains("pipelined"));
  if (want_pipelined != pipelined) {
    Complain(fmt::format("recorded pipelined: {}, got {}", Show(want_pipelined), Show(pipelined)));
  }
  const json::value* jobs = recorded.if_contains("jobs");
  if (!jobs || !jobs->is_object()) return;
  for (const auto& entry : jobs->as_object()) {
    const json::value* tasks = entry.value().as_object().if_contains("tasks");
    if (!tasks || !tasks->is_object()) continue;
    for (const auto& wanted : tasks->as_object()) {
      const std::string_view key = wanted.key();
      const std::size_t slash = key.find('/');
      const Task* task = state_.cluster().FindTask(key.substr(0, slash), key.substr(slash + 1));
      const std::string_view got = task ? model::ToString(task->status()) : "gone";
      if (got != wanted.value().at("status").as_string()) {
        Complain(fmt::format("recorded status of {}: {}, got {}", key,
                             std::string_view(wanted.value().at("status").as_string()), got));
      }
    }
  }
}

}  // namespace basalt::conformance
