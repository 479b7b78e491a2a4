#include "controllers/jobflow/flow_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <map>

#include "kube/types/resource.h"
#include "kube/types/time.h"

namespace basalt::controllers {
namespace {

namespace json = boost::json;
using kube::VcJobPhase;

// The list of the status that names jobs of this phase.
std::string_view ListOf(VcJobPhase phase) {
  switch (phase) {
    case VcJobPhase::kNone:
    case VcJobPhase::kPending: return "pendingJobs";
    case VcJobPhase::kRunning:
    case VcJobPhase::kRestarting:
    case VcJobPhase::kCompleting: return "runningJobs";
    case VcJobPhase::kCompleted: return "completedJobs";
    case VcJobPhase::kFailed: return "failedJobs";
    case VcJobPhase::kTerminating:
    case VcJobPhase::kTerminated: return "terminatedJobs";
    case VcJobPhase::kAborting:
    case VcJobPhase::kAborted: break;
  }
  return "unKnowJobs";
}

json::object JobStatusJson(const kube::VcJob& job) {
  json::array histories;
  const auto& conditions = job.status.conditions;
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    json::object one{{"state", kube::ToString(conditions[i].phase)},
                     {"startTimestamp", kube::FormatTime(conditions[i].last_transition_time)}};
    if (i + 1 < conditions.size()) {
      one["endTimestamp"] = kube::FormatTime(conditions[i + 1].last_transition_time);
    }
    histories.push_back(std::move(one));
  }
  json::object object{{"name", job.meta.name},
                      {"state", kube::ToString(job.status.phase)},
                      {"startTimestamp", kube::FormatTime(job.meta.creation_timestamp)}};
  if (kube::HasEnded(job.status.phase)) {
    object["endTimestamp"] = kube::FormatTime(job.status.last_transition_time);
  }
  if (job.status.retry_count > 0) object["restartCount"] = job.status.retry_count;
  if (!histories.empty()) object["runningHistories"] = std::move(histories);
  return object;
}

json::object ConditionJson(const kube::VcJob& job) {
  json::object tasks;
  for (const auto& task : job.status.task_status_count) {
    json::object phases;
    for (const auto& [phase, number] : task.phases) phases[phase] = number;
    tasks[task.task] = json::object{{"phase", std::move(phases)}};
  }
  json::object object{{"phase", kube::ToString(job.status.phase)},
                      {"createTime", kube::FormatTime(job.meta.creation_timestamp)}};
  if (job.status.running_duration) {
    object["runningDuration"] = kube::FormatDuration(*job.status.running_duration);
  }
  if (!tasks.empty()) object["taskStatusCount"] = std::move(tasks);
  return object;
}

// A label's value has 63 characters at most; the annotation of that name has all of it.
std::string AsLabel(const std::string& text) {
  constexpr std::size_t kMost = 63;
  if (text.size() <= kMost) return text;
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return fmt::format("{}-{:010x}", text.substr(0, kMost - 11), hash & 0xffffffffffu);
}

template <typename Array>
auto FindByName(Array& list, const json::value& name) -> decltype(list.data()) {
  for (auto& item : list) {
    const json::value* found = item.is_object() ? item.get_object().if_contains("name") : nullptr;
    if (found && *found == name) return &item;
  }
  return nullptr;
}

json::object KnownStatus(const kube::JobFlow& flow) {
  boost::system::error_code error;
  json::value known = json::parse(flow.raw_status, error);
  return error || !known.is_object() ? json::object() : std::move(known.get_object());
}

// What the status has said of jobs that completed. One that is gone since, by its time to live or
// by a user's hand, has completed all the same: made again it would run for ever.
class CompletedBefore {
 public:
  explicit CompletedBefore(const json::object& status) : status_(status) {}

  bool Has(std::string_view job) const {
    const json::array* names = List("completedJobs");
    return names && std::ranges::find(*names, json::value(job)) != names->end();
  }
  // As it was said then.
  const json::value* StatusOf(std::string_view job) const {
    const json::array* list = List("jobStatusList");
    return list ? FindByName(*list, json::value(job)) : nullptr;
  }
  const json::value* ConditionOf(std::string_view job) const {
    const json::value* all = status_.if_contains("conditions");
    return all && all->is_object() ? all->get_object().if_contains(job) : nullptr;
  }

 private:
  const json::array* List(std::string_view name) const {
    const json::value* found = status_.if_contains(name);
    return found ? found->if_array() : nullptr;
  }
  const json::object& status_;
};

bool AllHaveNames(const json::array& list) {
  return std::ranges::all_of(list, [](const json::value& item) {
    return item.is_object() && item.get_object().contains("name");
  });
}

}  // namespace

std::string FlowJobName(const kube::JobFlow& flow, std::string_view template_name) {
  return fmt::format("{}-{}", flow.meta.name, template_name);
}

FlowPlan PlanFlow(const kube::JobFlow& flow, const FlowJobs& jobs) {
  std::map<std::string, const kube::VcJob*> by_name;
  for (const auto& job : jobs) by_name[job->meta.name] = job.get();
  const auto job_of = [&](std::string_view template_name) -> const kube::VcJob* {
    const auto found = by_name.find(FlowJobName(flow, template_name));
    return found == by_name.end() ? nullptr : found->second;
  };
  const json::object known = KnownStatus(flow);
  const CompletedBefore before(known);
  const auto completed = [&](std::string_view template_name) {
    const kube::VcJob* job = job_of(template_name);
    return job ? job->status.phase == VcJobPhase::kCompleted
               : before.Has(FlowJobName(flow, template_name));
  };

  FlowPlan plan;
  const auto add_to_list = [&plan](std::string_view list, std::string_view job) {
    json::value& names = plan.status[list];
    if (!names.is_array()) names.emplace_array();
    names.get_array().push_back(json::value(job));
  };
  bool failed = false;
  bool begun = false;
  bool all_completed = true;
  json::array statuses;
  json::object conditions;
  for (const kube::JobFlow::Flow& step : flow.flows) {
    const kube::VcJob* job = job_of(step.name);
    all_completed &= completed(step.name);
    if (!job && completed(step.name)) {
      const std::string name = FlowJobName(flow, step.name);
      begun = true;
      add_to_list(ListOf(VcJobPhase::kCompleted), name);
      if (const json::value* status = before.StatusOf(name)) statuses.push_back(*status);
      if (const json::value* condition = before.ConditionOf(name)) conditions[name] = *condition;
    }
    if (!job) continue;
    const VcJobPhase phase = job->status.phase;
    failed |= phase == VcJobPhase::kFailed || phase == VcJobPhase::kTerminated;
    begun |= ListOf(phase) == "runningJobs" || phase == VcJobPhase::kCompleted;
    add_to_list(ListOf(phase), job->meta.name);
    statuses.push_back(JobStatusJson(*job));
    conditions[job->meta.name] = ConditionJson(*job);
  }
  const bool was_done = flow.phase == "Succeed" && flow.delete_jobs;
  plan.phase = was_done || all_completed ? "Succeed"
               : failed                  ? "Failed"
               : begun                   ? "Running"
                                         : "Pending";
  if (was_done) {
    plan.status = known;  // its jobs have gone, or go: what was said of them stays
  } else {
    if (!statuses.empty()) plan.status["jobStatusList"] = std::move(statuses);
    if (!conditions.empty()) plan.status["conditions"] = std::move(conditions);
    plan.status["state"] = json::object{{"phase", plan.phase}};
  }
  if (plan.phase == "Succeed") {
    plan.remove_jobs = was_done && !jobs.empty();
    return plan;
  }
  if (failed) return plan;
  for (const kube::JobFlow::Flow& step : flow.flows) {
    const bool is_made = job_of(step.name) || completed(step.name);
    if (!is_made && std::ranges::all_of(step.targets, completed)) {
      plan.make.push_back(&step);
    }
  }
  return plan;
}

void MergeSpec(json::value& spec, const json::value& patch) {
  if (patch.is_object() && spec.is_object()) {
    for (const auto& [key, value] : patch.get_object()) {
      if (value.is_null()) {
        spec.get_object().erase(key);
      } else if (json::value* known = spec.get_object().if_contains(key)) {
        MergeSpec(*known, value);
      } else {
        spec.get_object()[key] = value;
      }
    }
    return;
  }
  if (patch.is_array() && spec.is_array() && AllHaveNames(patch.get_array()) &&
      AllHaveNames(spec.get_array())) {
    for (const json::value& item : patch.get_array()) {
      if (json::value* known = FindByName(spec.get_array(), item.at("name"))) {
        MergeSpec(*known, item);
      } else {
        spec.get_array().push_back(item);
      }
    }
    return;
  }
  spec = patch;
}

Result<std::string> FlowJobBody(const kube::JobFlow& flow, const kube::JobFlow::Flow& step,
                                const kube::JobTemplate& job_template) {
  boost::system::error_code error;
  json::value spec = json::parse(job_template.raw_spec, error);
  if (error) {
    return Fail(ErrorCode::kInvalid,
                fmt::format("JobTemplate {} cannot be read: {}", step.name, error.message()));
  }
  if (!step.patch.empty()) {
    const json::value patch = json::parse(step.patch, error);
    if (error) {
      return Fail(ErrorCode::kInvalid, fmt::format("the patch of flow {} cannot be read: {}",
                                                   step.name, error.message()));
    }
    MergeSpec(spec, patch);
  }
  const kube::Resource& kind = kube::resources::kVcJobs;
  const kube::Resource& owner = kube::resources::kJobFlows;
  json::object meta{{"name", FlowJobName(flow, step.name)}, {"namespace", flow.meta.ns}};
  json::object labels;
  json::object annotations;
  const auto both = [&](std::string_view key, const std::string& value) {
    labels[key] = AsLabel(value);
    annotations[key] = value;
  };
  both(kCreatedByFlow, fmt::format("{}.{}", flow.meta.ns, flow.meta.name));
  both(kCreatedByTemplate, fmt::format("{}.{}", flow.meta.ns, step.name));
  meta["labels"] = std::move(labels);
  meta["annotations"] = std::move(annotations);
  meta["ownerReferences"] = json::array{json::object{{"apiVersion", owner.ApiVersion()},
                                                     {"kind", owner.kind},
                                                     {"name", flow.meta.name},
                                                     {"uid", flow.meta.uid},
                                                     {"controller", true},
                                                     {"blockOwnerDeletion", true}}};
  return json::serialize(json::object{{"apiVersion", kind.ApiVersion()},
                                      {"kind", kind.kind},
                                      {"metadata", std::move(meta)},
                                      {"spec", std::move(spec)}});
}

}  // namespace basalt::controllers
