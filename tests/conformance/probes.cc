// The single questions that probe cases ask a session.
#include <fmt/format.h>

#include <algorithm>
#include <boost/json/serialize.hpp>

#include "kube/types/codec.h"
#include "scheduler/framework/job_queues.h"
#include "scheduler/placement/task_list.h"
#include "tests/conformance/case_run.h"
#include "tests/conformance/compare.h"

namespace basalt::conformance {

namespace json = boost::json;
using model::Job;
using model::Task;
using scheduler::Session;

namespace {

json::array Keys(const std::vector<const Task*>& tasks) {
  json::array keys;
  for (const Task* task : tasks) keys.emplace_back(task->ns() + "/" + task->name());
  return keys;
}

json::array Sorted(json::array list) {
  std::ranges::sort(list, {}, [](const json::value& item) { return json::serialize(item); });
  return list;
}

const json::value& Arg(const json::object& probe, std::string_view name) {
  static const json::value kNone;
  const json::value* args = probe.if_contains("args");
  if (!args || !args->is_object()) return kNone;
  const json::value* arg = args->as_object().if_contains(name);
  return arg ? *arg : kNone;
}

std::pair<std::string_view, std::string_view> SplitKey(std::string_view key) {
  const std::size_t slash = key.find('/');
  if (slash == key.npos) return {"", key};
  return {key.substr(0, slash), key.substr(slash + 1)};
}

}  // namespace

void CaseRun::PrepareProbes() {
  const json::value* probes = case_.if_contains("probes");
  if (!probes) return;
  int number = 0;
  const auto handmade_job = [&](const json::value& value) {
    const std::string text = json::serialize(value);
    if (handmade_.contains(text)) return;
    const json::object& object = value.as_object();
    const auto text_of = [&](std::string_view key, std::string fallback) {
      const json::value* part = object.if_contains(key);
      return part && part->is_string() ? std::string(part->as_string()) : std::move(fallback);
    };
    kube::PodGroup group;
    group.meta.ns = text_of("namespace", "handmade");
    group.meta.name = text_of("name", "job") + "-" + std::to_string(number++);
    group.meta.uid = group.meta.name;
    group.queue = text_of("queue", "");
    if (const json::value* spec = object.if_contains("podGroup")) {
      for (const auto& [key, note] : StringMapOf(spec->as_object().if_contains("annotations"))) {
        group.meta.annotations.Set(key, note);
      }
    }
    // Volcano's job has it parsed already.
    const std::string waiting = text_of("waitingTime", "");
    if (!waiting.empty()) group.meta.annotations.Set("volcano.sh/sla-waiting-time", waiting);
    handmade_[text] = group.meta.Key();
    const std::string ns = group.meta.ns, name = group.meta.name;
    state_.Set(std::make_shared<const kube::PodGroup>(std::move(group)));
    if (const json::value* priority = object.if_contains("priority")) {
      state_.cluster().SetJobPriority(state_.cluster().FindJob(ns, name)->id,
                                      priority->to_number<int>());
    }
  };
  const auto handmade_task = [&](const json::value& value) {
    if (handmade_.contains(json::serialize(value))) return;
    auto pod = kube::Decode<kube::Pod>(json::serialize(value.at("pod")));
    if (!pod) {
      Complain("probe pod: " + pod.error().message);
      return;
    }
    if (state_.cluster().FindTask(pod->meta.ns, pod->meta.name)) {
      pod->meta.name += "-" + std::to_string(number++);  // another of the same name
    }
    if (pod->meta.uid.empty()) pod->meta.uid = pod->meta.Key();
    handmade_[json::serialize(value)] = pod->meta.Key();
    state_.Set(std::make_shared<const kube::Pod>(std::move(*pod)));
  };
  for (const json::value& probe : probes->as_array()) {
    const json::value* args = probe.as_object().if_contains("args");
    if (!args || !args->is_object()) continue;
    for (const auto& arg : args->as_object()) {
      if (arg.value().is_object()) handmade_job(arg.value());
      if (!arg.value().is_array()) continue;
      for (const json::value& item : arg.value().as_array()) {
        if (item.is_object() && item.as_object().contains("pod")) handmade_task(item);
      }
    }
    if (args->as_object().contains("pipelinedBefore")) {
      kube::Node node;
      node.meta.name = "node1";
      state_.Set(std::make_shared<const kube::Node>(std::move(node)));
    }
  }
}

const Job* CaseRun::ProbeJob(const json::value& value) const {
  const std::string key = value.is_object()   ? handmade_.at(json::serialize(value))
                          : value.is_string() ? std::string(value.as_string())
                                              : std::string();
  const auto [ns, name] = SplitKey(key);
  if (!ns.empty()) return state_.cluster().FindJob(ns, name);
  const Job* found = nullptr;
  state_.cluster().jobs().ForEach([&, name = name](const Job& job) {
    if (job.name == name) found = &job;
  });
  return found;
}

std::vector<const Task*> CaseRun::ProbeTasks(const json::value& list) const {
  std::vector<const Task*> tasks;
  if (!list.is_array()) return tasks;
  for (const json::value& item : list.as_array()) {
    const std::string key =
        item.is_object() ? handmade_.at(json::serialize(item)) : std::string(item.as_string());
    const auto [ns, name] = SplitKey(key);
    tasks.push_back(state_.cluster().FindTask(ns, name));
  }
  return tasks;
}

json::value CaseRun::Probe(Session& session, const json::object& probe) {
  const std::string call(probe.at("call").as_string());
  const auto arg = [&](std::string_view name) -> const json::value& { return Arg(probe, name); };
  const auto task = [&](std::string_view name) -> const Task* {
    if (!arg(name).is_string()) return nullptr;
    const auto [ns, pod] = SplitKey(arg(name).as_string());
    return state_.cluster().FindTask(ns, pod);
  };
  if (call == "NodeOrderFn") {
    return session.Score(*task("task"), *state_.cluster().FindNode(arg("node").as_string()));
  }
  if (call == "PredicateFn") {
    const scheduler::Verdict verdict =
        session.Filter(*task("task"), *state_.cluster().FindNode(arg("node").as_string()));
    const int code = verdict.ok()                                               ? 0
                     : verdict.code == scheduler::Verdict::Code::kUnschedulable ? 2
                                                                                : 3;
    return json::object{{"fit", verdict.ok()}, {"statusCode", code}};
  }
  if (call == "JobEnqueueable" || call == "JobEnqueued(job); JobEnqueueable(job)") {
    const Job& job = *ProbeJob(arg("job"));
    if (call != "JobEnqueueable") {
      scheduler::Statement entry(session);
      entry.Enter(job.id);
      entry.Commit();
    }
    scheduler::EnqueueRefusal why;
    return session.MayEnqueue(job, &why);
  }
  if (call == "JobOrderFn") {
    const Job* l = ProbeJob(arg("l"));
    const Job* r = ProbeJob(arg("r"));
    return session.JobBefore(*l, *r);
  }
  if (call == "JobOrderCompareFn") {
    const auto order = session.CompareJobs(*ProbeJob(arg("l")), *ProbeJob(arg("r")));
    return order < 0 ? -1 : order > 0 ? 1 : 0;
  }
  // A task of nobody, where the question does not depend on who asks.
  Task nobody;
  if (call == "Preemptable" || call == "Reclaimable") {
    const std::vector<const Task*> given =
        ProbeTasks(call == "Preemptable" ? arg("preemptees") : arg("reclaimees"));
    const std::vector<const Task*> victims = call == "Preemptable"
                                                 ? session.Preemptable(nobody, given)
                                                 : session.Reclaimable(nobody, given);
    const json::value* expect = probe.if_contains("expect");
    const bool by_index = expect && expect->is_array() && !expect->as_array().empty() &&
                          expect->as_array()[0].is_number();
    if (!by_index) return Keys(victims);
    json::array indices;
    for (const Task* victim : victims) {
      indices.emplace_back(std::ranges::find(given, victim) - given.begin());
    }
    return indices;
  }
  if (call == "VictimTasks") {
    const auto victims = session.PeriodicVictimsAmong(ProbeTasks(arg("tasks")));
    const json::value* expect = probe.if_contains("expect");
    if (expect && expect->is_array()) return Keys(victims);
    return json::object{{"count", victims.size()}, {"tasks", Sorted(Keys(victims))}};
  }
  if (call == "UnifiedEvictable") {
    const scheduler::GangEviction context{.kind = arg("kind").as_string() == "GangReclaim"
                                                      ? scheduler::GangEviction::Kind::kReclaim
                                                      : scheduler::GangEviction::Kind::kPreempt,
                                          .beneficiary = ProbeJob(arg("job"))};
    return Keys(session.Evictable(context, ProbeTasks(arg("candidates"))));
  }
  if (call == "job.Allocated after actions") {
    const Job& job = *ProbeJob(arg("job"));
    const model::Amounts& allocated = job.allocated;
    json::object scalars;
    for (const std::string& name : state_.cluster().dimensions().Names(allocated.scalars())) {
      scalars[name] = allocated[*state_.cluster().dimensions().Find(name)];
    }
    return json::object{{"milliCPU", allocated.milli_cpu()},
                        {"memory", allocated.memory()},
                        {"scalars", std::move(scalars)}};
  }
  if (call == "backfill.pickUpPendingTasks") {
    for (const Task* promised : ProbeTasks(arg("pipelinedBefore"))) {
      scheduler::Statement statement(session);
      statement.Pipeline(promised->id, state_.cluster().FindNode("node1")->id, false);
      statement.Commit();
    }
    json::array names;
    scheduler::JobQueues work(session, scheduler::Attempts::kNone);
    for (const Job* job : session.JobsInTurn()) {
      if (!job->IsPending() && session.ValidateJob(*job).ok()) work.Add(*job);
    }
    while (const auto* queue = work.TakeQueue()) {
      while (const Job* job = work.TakeJob(*queue)) {
        auto tasks = scheduler::BestEffortTasks(session, *job);
        while (!tasks.empty()) names.emplace_back(tasks.Take()->name());
      }
    }
    return names;
  }
  if (call == "BuildVictimsPriorityQueue: first popped") {
    const Task* known = task("preemptor");
    const Task& preemptor = known ? *known : nobody;
    auto victims = ProbeTasks(arg("victims"));
    std::ranges::sort(victims, [&](const Task* a, const Task* b) {
      return session.VictimBefore(*a, *b, preemptor);
    });
    return json::value(victims.front()->name());
  }
  return json::value("unknown call " + call);
}

void CaseRun::CheckProbes(Session& session) {
  const json::value* probes = case_.if_contains("probes");
  if (!probes) return;
  for (const json::value& value : probes->as_array()) {
    const json::object& probe = value.as_object();
    const json::value* expect = probe.if_contains("expect");
    if (!expect) continue;
    const json::value& tolerance = Arg(probe, "tolerance");
    const json::value got = Probe(session, probe);
    if (!Same(*expect, got, tolerance.is_number() ? tolerance.to_number<double>() : 1e-6)) {
      Complain(fmt::format("{} {}: want {}, got {}", std::string_view(probe.at("call").as_string()),
                           json::serialize(probe.at("args")).substr(0, 100),
                           json::serialize(*expect), json::serialize(got)));
    }
  }
}

}  // namespace basalt::conformance
