// Job and CronJob.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <string>

#include "apiserver/data/tables.h"
#include "apiserver/kinds/builtin_rules.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/field_rules.h"
#include "apiserver/kinds/object_meta.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

constexpr std::string_view kControllerUid = "batch.kubernetes.io/controller-uid";
constexpr std::string_view kJobName = "batch.kubernetes.io/job-name";
constexpr std::string_view kOldControllerUid = "controller-uid";
constexpr std::string_view kOldJobName = "job-name";

bool IsIndexed(const json::object& spec) {
  return GetString(spec, {"completionMode"}) == "Indexed";
}

// spec of a Job, or of a CronJob's template.
void CheckJobSpec(const json::object& spec, const std::string& path, FieldErrors& errors) {
  if (Find(spec, {"maxFailedIndexes"}) != nullptr &&
      Find(spec, {"backoffLimitPerIndex"}) == nullptr) {
    errors.Required(Sub(path, "backoffLimitPerIndex"), "when maxFailedIndexes is specified");
  }
  const std::string_view managed_by = GetString(spec, {"managedBy"});
  if (!managed_by.empty() && managed_by.find('/') == managed_by.npos) {
    errors.Invalid(Sub(path, "managedBy"), managed_by,
                   "must be a domain-prefixed path (such as \"acme.io/foo\")");
  }
  if (IsIndexed(spec)) {
    if (Find(spec, {"completions"}) == nullptr) {
      errors.Required(Sub(path, "completions"), "when completion mode is Indexed");
    }
    const std::int64_t parallelism = GetInt(spec, {"parallelism"});
    if (parallelism > 100000) {
      errors.Invalid(Sub(path, "parallelism"), parallelism,
                     "must be less than or equal to 100000 when completion mode is Indexed");
    }
  } else {
    for (const std::string_view field :
         {"backoffLimitPerIndex", "maxFailedIndexes", "successPolicy"}) {
      if (const json::value* value = Find(spec, {field})) {
        errors.Invalid(Sub(path, field), *value, "requires indexed completion mode");
      }
    }
  }
  const std::string_view policy = GetString(spec, {"template", "spec", "restartPolicy"});
  const std::string policy_path = Sub(path, "template.spec.restartPolicy");
  if (policy.empty() || policy == "Always") {
    errors.Required(policy_path, "valid values: \"OnFailure\", \"Never\"");
  } else if (policy != "OnFailure" && policy != "Never") {
    errors.NotSupported(policy_path, policy, {"OnFailure", "Never"});
  }
}

void CheckFailureRule(const json::object& rule, const std::string& path, FieldErrors& errors) {
  if (FindObject(rule, {"onExitCodes"}) != nullptr) return;
  if (!ListOf(rule, "onPodConditions").empty()) return;
  errors.Invalid(path, rule, "specifying one of OnExitCodes and OnPodConditions is required");
}

constexpr TypeHooks kJobTypes[] = {
    {.type = "batch.JobSpec", .check = CheckJobSpec},
    {.type = "batch.PodFailurePolicyRule", .check = CheckFailureRule},
};

// Jobs

void FillJob(json::object& object) {
  json::object& spec = Child(object, "spec");
  if (Find(spec, {"parallelism"}) == nullptr) SetDefault(spec, "completions", 1);
  SetDefault(spec, "parallelism", 1);
  const bool per_index = Find(spec, {"backoffLimitPerIndex"}) != nullptr;
  SetDefault(spec, "backoffLimit", per_index ? std::int64_t{2147483647} : 6);
  SetDefault(spec, "completionMode", "NonIndexed");
  SetDefault(spec, "suspend", false);
  SetDefault(spec, "manualSelector", false);
  SetDefault(spec, "podReplacementPolicy",
             FindObject(spec, {"podFailurePolicy"}) ? "Failed" : "TerminatingOrFailed");
  const json::object* labels = FindObject(spec, {"template", "metadata", "labels"});
  if (labels != nullptr && !labels->empty()) SetDefault(Metadata(object), "labels", *labels);
}

void PrepareJob(json::object& object, Time /*now*/) {
  json::object& spec = Child(object, "spec");
  if (GetBool(spec, {"manualSelector"})) return;
  const std::string uid(Uid(object));
  const std::string name(Name(object));
  json::object& labels = Child(Child(Child(spec, "template"), "metadata"), "labels");
  labels[kControllerUid] = uid;
  labels[kJobName] = name;
  labels[kOldControllerUid] = uid;
  labels[kOldJobName] = name;
  Child(Child(spec, "selector"), "matchLabels")[kControllerUid] = uid;
  if (FindObject(object, {"metadata", "labels"}) == nullptr) {
    Metadata(object)["labels"] = json::object(labels);
  }
}

// What PrepareJob has made must be all there is, and untouched.
void CheckGeneratedSelector(const json::object& object, FieldErrors& errors) {
  const json::value* selector = Find(object, {"spec", "selector"});
  const std::string_view uid = Uid(object);
  for (const std::string_view label : {kControllerUid, kOldControllerUid}) {
    const json::object expected{{"matchLabels", {{label, uid}}}};
    if (selector != nullptr && *selector == expected) return;
  }
  errors.Invalid("spec.selector", selector ? *selector : json::value(),
                 "`selector` not auto-generated");
}

void CheckJob(const json::object& object, FieldErrors& errors) {
  const json::object& spec = ObjectOf(object, "spec");
  if (!GetBool(spec, {"manualSelector"})) CheckGeneratedSelector(object, errors);
  if (FindObject(spec, {"selector"}) == nullptr) errors.Required("spec.selector");
  CheckSelected(spec, errors);
}

void CheckCompletions(const json::object& spec, const json::object& old_spec, FieldErrors& errors) {
  const json::value* now = Find(spec, {"completions"});
  const json::value* parallelism = Find(spec, {"parallelism"});
  // An indexed job may grow and shrink together with its parallelism.
  const bool elastic = IsIndexed(old_spec) && now != nullptr && parallelism != nullptr &&
                       Find(old_spec, {"completions"}) != nullptr && *now == *parallelism;
  if (!elastic) RequireUnchanged(spec, old_spec, "completions", "spec.completions", errors);
}

// A suspended job that has not started yet may still be told where to run.
void CheckTemplateUnchanged(const json::object& spec, const json::object& old,
                            FieldErrors& errors) {
  json::object now = ObjectOf(spec, "template");
  const json::object& before = ObjectOf(ObjectOf(old, "spec"), "template");
  const bool started = Find(old, {"status", "startTime"}) != nullptr;
  if (GetBool(old, {"spec", "suspend"}) && !started) {
    for (const std::string_view field :
         {"nodeSelector", "affinity", "tolerations", "schedulingGates"}) {
      Restore(Child(now, "spec"), ObjectOf(before, "spec"), field);
    }
    for (const std::string_view field : {"labels", "annotations"}) {
      Restore(Child(now, "metadata"), ObjectOf(before, "metadata"), field);
    }
  }
  if (now != before) errors.Invalid("spec.template", now, "field is immutable");
}

void CheckJobUpdate(const json::object& object, const json::object& old, FieldErrors& errors) {
  const json::object& spec = ObjectOf(object, "spec");
  const json::object& old_spec = ObjectOf(old, "spec");
  CheckSelected(spec, errors);  // on update Kubernetes looks at this twice
  CheckCompletions(spec, old_spec, errors);
  CheckTemplateUnchanged(spec, old, errors);
  for (const std::string_view field : {"selector", "completionMode", "podFailurePolicy",
                                       "backoffLimitPerIndex", "managedBy", "successPolicy"}) {
    RequireUnchanged(spec, old_spec, field, Sub("spec", field), errors);
  }
}

bool JobFieldValue(const json::object& object, std::string_view field, std::string& value) {
  if (field != "status.successful") return false;
  value = std::to_string(GetInt(object, {"status", "succeeded"}));
  return true;
}

// Cron jobs

void CheckCronJob(const json::object& object, FieldErrors& errors) {
  const std::string_view schedule = GetString(object, {"spec", "schedule"});
  std::string_view rest = schedule;
  int fields = 0;
  while (!NextWord(rest).empty()) ++fields;
  if (!schedule.empty() && !schedule.starts_with('@') && fields != 5) {
    errors.Invalid("spec.schedule", schedule,
                   fmt::format("expected exactly 5 fields, found {}", fields));
  }
  if (Name(object).size() > 52) {
    errors.Invalid("metadata.name", Name(object), "must be no more than 52 characters");
  }
}

}  // namespace

std::span<const TypeHooks> JobHooks() { return kJobTypes; }

std::span<const KindHooks> JobKinds() {
  static constexpr KindHooks kKinds[] = {
      {.type = "batch.Job",
       .fill = FillJob,
       .prepare_create = PrepareJob,
       .check = CheckJob,
       .check_update = CheckJobUpdate,
       .field_value = JobFieldValue},
      {.type = "batch.CronJob", .check = CheckCronJob},
  };
  return kKinds;
}

}  // namespace basalt::apiserver
