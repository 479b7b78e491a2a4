// Job and CronJob.
#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <string>

#include "apiserver/kinds/builtin_rules.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/paths.h"
#include "apiserver/kinds/pod_defaults.h"
#include "apiserver/kinds/pod_spec_checks.h"
#include "apiserver/kinds/rules.h"
#include "apiserver/kinds/table_text.h"
#include "apiserver/object/kube_time.h"
#include "apiserver/object/object.h"
#include "apiserver/schema/builtin_types.h"
#include "kube/types/time.h"

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
  for (const std::string_view field :
       {"parallelism", "completions", "activeDeadlineSeconds", "backoffLimit",
        "ttlSecondsAfterFinished", "backoffLimitPerIndex"}) {
    RequireNonNegative(spec, field, path, errors);
  }
  if (Find(spec, {"maxFailedIndexes"}) != nullptr) {
    RequireNonNegative(spec, "maxFailedIndexes", path, errors);
    if (Find(spec, {"backoffLimitPerIndex"}) == nullptr) {
      errors.Required(Sub(path, "backoffLimitPerIndex"), "when maxFailedIndexes is specified");
    }
  }
  const std::string_view managed_by = GetString(spec, {"managedBy"});
  if (!managed_by.empty() && managed_by.find('/') == managed_by.npos) {
    errors.Invalid(Sub(path, "managedBy"), managed_by,
                   "must be a domain-prefixed path (such as \"acme.io/foo\")");
  }
  RequireOneOf(spec, "completionMode", path, {"NonIndexed", "Indexed"}, errors);
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
    for (const std::string_view field : {"backoffLimitPerIndex", "maxFailedIndexes"}) {
      if (const json::value* value = Find(spec, {field})) {
        errors.Invalid(Sub(path, field), *value, "requires indexed completion mode");
      }
    }
    if (const json::value* policy = Find(spec, {"successPolicy"})) {
      errors.Invalid(Sub(path, "successPolicy"), *policy, "requires indexed completion mode");
    }
  }
  const json::array& rules = ListOf(ObjectOf(spec, "podFailurePolicy"), "rules");
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const json::object& rule = AsObject(rules[i]);
    const std::string at = At(Sub(Sub(path, "podFailurePolicy"), "rules"), i);
    RequireOneOf(rule, "action", at, {"Count", "FailIndex", "FailJob", "Ignore"}, errors);
    if (FindObject(rule, {"onExitCodes"}) == nullptr && ListOf(rule, "onPodConditions").empty()) {
      errors.Add({"FieldValueInvalid", at,
                  "Invalid value: specifying one of OnExitCodes and OnPodConditions is required"});
    }
  }
  RequireOneOf(spec, "podReplacementPolicy", path, {"Failed", "TerminatingOrFailed"}, errors);
  ValidatePodTemplate(ObjectOf(spec, "template"), Sub(path, "template"), errors);
  const std::string_view policy =
      GetString(ObjectOf(ObjectOf(spec, "template"), "spec"), {"restartPolicy"});
  const std::string policy_path = Sub(path, "template.spec.restartPolicy");
  if (policy.empty() || policy == "Always") {
    errors.Required(policy_path, "valid values: \"OnFailure\", \"Never\"");
  } else if (policy != "OnFailure" && policy != "Never") {
    errors.NotSupported(policy_path, policy, {"OnFailure", "Never"});
  }
}

class JobRules final : public BuiltinRules {
 public:
  JobRules()
      : BuiltinRules(*FindBuiltinType("batch.Job"),
                     {.generation = true, .checks_all_on_update = false}) {}

  void Default(json::object& object) const override {
    json::object& spec = Child(object, "spec");
    DefaultPodSpec(Child(Child(spec, "template"), "spec"));
    if (Find(spec, {"completions"}) == nullptr && Find(spec, {"parallelism"}) == nullptr) {
      spec["completions"] = 1;
      spec["parallelism"] = 1;
    }
    SetDefault(spec, "parallelism", 1);
    if (Find(spec, {"backoffLimit"}) == nullptr) {
      spec["backoffLimit"] =
          Find(spec, {"backoffLimitPerIndex"}) != nullptr ? std::int64_t{2147483647} : 6;
    }
    SetDefault(spec, "completionMode", "NonIndexed");
    SetDefault(spec, "suspend", false);
    SetDefault(spec, "manualSelector", false);
    SetDefault(spec, "podReplacementPolicy",
               FindObject(spec, {"podFailurePolicy"}) ? "Failed" : "TerminatingOrFailed");
    if (json::array* rules = FindArray(spec, {"podFailurePolicy", "rules"})) {
      for (json::value& rule : *rules) {
        json::array* conditions = FindArray(AsObject(rule), {"onPodConditions"});
        if (conditions == nullptr) continue;
        for (json::value& condition : *conditions) {
          SetDefault(AsObject(condition), "status", "True");
        }
      }
    }
    if (Find(object, {"metadata", "labels"}) == nullptr) {
      const json::object* labels = FindObject(spec, {"template", "metadata", "labels"});
      if (labels != nullptr && !labels->empty()) Metadata(object)["labels"] = json::object(*labels);
    }
  }

  void PrepareForCreate(json::object& object, Time now) const override {
    BuiltinRules::PrepareForCreate(object, now);
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

  void CheckCreate(const json::object& object, FieldErrors& errors) const override {
    const json::object& spec = ObjectOf(object, "spec");
    const json::object* selector = FindObject(spec, {"selector"});
    const json::value* labels = Find(spec, {"template", "metadata", "labels"});
    if (!GetBool(spec, {"manualSelector"})) CheckGeneratedSelector(object, errors);
    CheckJobSpecAndSelector(spec, selector, labels, errors);
  }

  void CheckUpdate(const json::object& object, const json::object& old,
                   FieldErrors& errors) const override {
    const json::object& spec = ObjectOf(object, "spec");
    const json::object& old_spec = ObjectOf(old, "spec");
    if (!GetBool(spec, {"manualSelector"})) CheckGeneratedSelector(object, errors);
    CheckJobSpecAndSelector(spec, FindObject(spec, {"selector"}),
                            Find(spec, {"template", "metadata", "labels"}), errors);
    // On update Kubernetes looks at this twice.
    if (const json::value* labels = Find(spec, {"template", "metadata", "labels"});
        !SelectorMatches(FindObject(spec, {"selector"}), labels ? labels->if_object() : nullptr)) {
      errors.Invalid("spec.template.metadata.labels", labels ? *labels : json::value(),
                     "`selector` does not match template `labels`");
    }
    CheckCompletions(spec, old_spec, errors);
    RequireUnchanged(spec, old_spec, "selector", "spec.selector", errors);
    CheckTemplateUnchanged(spec, old, errors);
    for (const std::string_view field : {"completionMode", "podFailurePolicy",
                                         "backoffLimitPerIndex", "managedBy", "successPolicy"}) {
      RequireUnchanged(spec, old_spec, field, Sub("spec", field), errors);
    }
  }

  json::array Cells(const json::object& object, Time now) const override {
    json::array cells{json::string(Name(object)), json::string(StatusText(object)),
                      json::string(Completions(object)), json::string(RunTime(object, now)),
                      json::string(Age(object, now))};
    const json::object& pod_spec = ObjectOf(ObjectOf(ObjectOf(object, "spec"), "template"), "spec");
    cells.emplace_back(ContainerNames(pod_spec));
    cells.emplace_back(ContainerImages(pod_spec));
    cells.emplace_back(SelectorText(FindObject(object, {"spec", "selector"})));
    return cells;
  }

  bool FieldValue(const json::object& object, std::string_view field,
                  std::string& value) const override {
    if (field != "status.successful") return false;
    value = std::to_string(GetInt(object, {"status", "succeeded"}));
    return true;
  }

 private:
  static void CheckJobSpecAndSelector(const json::object& spec, const json::object* selector,
                                      const json::value* labels, FieldErrors& errors) {
    CheckJobSpec(spec, "spec", errors);
    if (selector == nullptr) {
      errors.Required("spec.selector");
    } else {
      ValidateLabelSelector(*selector, "spec.selector", errors);
    }
    if (!SelectorMatches(selector, labels ? labels->if_object() : nullptr)) {
      errors.Invalid("spec.template.metadata.labels", labels ? *labels : json::value(),
                     "`selector` does not match template `labels`");
    }
  }

  // What PrepareForCreate has made must be all there is, and untouched.
  static void CheckGeneratedSelector(const json::object& object, FieldErrors& errors) {
    const json::object& spec = ObjectOf(object, "spec");
    const json::object* selector = FindObject(spec, {"selector"});
    const std::string_view uid = Uid(object);
    const json::object expected{{"matchLabels", {{kControllerUid, uid}}}};
    const json::object old_expected{{"matchLabels", {{kOldControllerUid, uid}}}};
    if (selector == nullptr || (*selector != expected && *selector != old_expected)) {
      errors.Invalid("spec.selector", selector ? json::value(*selector) : json::value(),
                     "`selector` not auto-generated");
    }
  }

  static void CheckCompletions(const json::object& spec, const json::object& old_spec,
                               FieldErrors& errors) {
    const json::value* now = Find(spec, {"completions"});
    const json::value* before = Find(old_spec, {"completions"});
    const json::value nothing;
    if ((now ? *now : nothing) == (before ? *before : nothing)) return;
    // An indexed job may grow and shrink together with its parallelism.
    const json::value* parallelism = Find(spec, {"parallelism"});
    const bool elastic = IsIndexed(old_spec) && now != nullptr && before != nullptr &&
                         parallelism != nullptr && *now == *parallelism;
    if (elastic) return;
    errors.Invalid("spec.completions", now ? *now : nothing, "field is immutable");
  }

  // A suspended job that has not started yet may still be told where to run.
  static void CheckTemplateUnchanged(const json::object& spec, const json::object& old,
                                     FieldErrors& errors) {
    const json::object& old_spec = ObjectOf(old, "spec");
    json::object now = ObjectOf(spec, "template");
    const json::object& before = ObjectOf(old_spec, "template");
    const bool suspended = GetBool(old_spec, {"suspend"});
    const bool started = Find(old, {"status", "startTime"}) != nullptr;
    if (suspended && !started) {
      for (const std::string_view field :
           {"nodeSelector", "affinity", "tolerations", "schedulingGates"}) {
        if (const json::value* value = Find(before, {"spec", field})) {
          Child(now, "spec")[field] = *value;
        } else {
          Child(now, "spec").erase(field);
        }
      }
      for (const std::string_view field : {"labels", "annotations"}) {
        if (const json::value* value = Find(before, {"metadata", field})) {
          Child(now, "metadata")[field] = *value;
        } else {
          Child(now, "metadata").erase(field);
        }
      }
    }
    if (now == before) return;
    errors.Invalid("spec.template", now, "field is immutable");
  }

  static bool HasCondition(const json::object& object, std::string_view type) {
    for (const json::value& item : ListOf(ObjectOf(object, "status"), "conditions")) {
      const json::object& condition = AsObject(item);
      if (GetString(condition, {"type"}) == type && GetString(condition, {"status"}) == "True") {
        return true;
      }
    }
    return false;
  }

  static std::string StatusText(const json::object& object) {
    if (HasCondition(object, "Complete")) return "Complete";
    if (HasCondition(object, "Failed")) return "Failed";
    if (IsBeingDeleted(object)) return "Terminating";
    if (HasCondition(object, "Suspended")) return "Suspended";
    if (HasCondition(object, "FailureTarget")) return "FailureTarget";
    if (HasCondition(object, "SuccessCriteriaMet")) return "SuccessCriteriaMet";
    return "Running";
  }

  static std::string Completions(const json::object& object) {
    const std::int64_t succeeded = GetInt(object, {"status", "succeeded"});
    if (Find(object, {"spec", "completions"}) != nullptr) {
      return fmt::format("{}/{}", succeeded, GetInt(object, {"spec", "completions"}));
    }
    const std::int64_t parallelism = GetInt(object, {"spec", "parallelism"});
    return parallelism > 1 ? fmt::format("{}/1 of {}", succeeded, parallelism)
                           : fmt::format("{}/1", succeeded);
  }

  static std::string RunTime(const json::object& object, Time now) {
    const Result<Time> start = kube::ParseTime(GetString(object, {"status", "startTime"}));
    if (!start) return "";
    const Result<Time> end = kube::ParseTime(GetString(object, {"status", "completionTime"}));
    return HumanDuration(Between(*start, end ? *end : now));
  }
};

class CronJobRules final : public BuiltinRules {
 public:
  CronJobRules() : BuiltinRules(*FindBuiltinType("batch.CronJob"), {.generation = true}) {}

  void Default(json::object& object) const override {
    json::object& spec = Child(object, "spec");
    SetDefault(spec, "concurrencyPolicy", "Allow");
    SetDefault(spec, "suspend", false);
    SetDefault(spec, "successfulJobsHistoryLimit", 3);
    SetDefault(spec, "failedJobsHistoryLimit", 1);
    DefaultPodSpec(Child(Child(Child(Child(spec, "jobTemplate"), "spec"), "template"), "spec"));
  }

  void CheckCreate(const json::object& object, FieldErrors& errors) const override {
    const json::object& spec = ObjectOf(object, "spec");
    CheckSchedule(GetString(spec, {"schedule"}), errors);
    RequireNonNegative(spec, "startingDeadlineSeconds", "spec", errors);
    RequireOneOf(spec, "concurrencyPolicy", "spec", {"Allow", "Forbid", "Replace"}, errors);
    CheckJobSpec(ObjectOf(ObjectOf(spec, "jobTemplate"), "spec"), "spec.jobTemplate.spec", errors);
    RequireNonNegative(spec, "successfulJobsHistoryLimit", "spec", errors);
    RequireNonNegative(spec, "failedJobsHistoryLimit", "spec", errors);
    if (Name(object).size() > 52) {
      errors.Invalid("metadata.name", Name(object), "must be no more than 52 characters");
    }
  }

  json::array Cells(const json::object& object, Time now) const override {
    const std::string_view last = GetString(object, {"status", "lastScheduleTime"});
    const std::string_view zone = GetString(object, {"spec", "timeZone"});
    json::array cells{
        json::string(Name(object)),
        json::string(GetString(object, {"spec", "schedule"})),
        json::string(OrNone(zone)),
        json::string(GetBool(object, {"spec", "suspend"}) ? "True" : "False"),
        static_cast<std::int64_t>(ListOf(ObjectOf(object, "status"), "active").size()),
        json::string(last.empty() ? "<none>" : Since(last, now)),
        json::string(Age(object, now))};
    const json::object& job_spec =
        ObjectOf(ObjectOf(ObjectOf(object, "spec"), "jobTemplate"), "spec");
    const json::object& pod_spec = ObjectOf(ObjectOf(job_spec, "template"), "spec");
    cells.emplace_back(ContainerNames(pod_spec));
    cells.emplace_back(ContainerImages(pod_spec));
    cells.emplace_back(SelectorText(FindObject(job_spec, {"selector"})));
    return cells;
  }

 private:
  static void CheckSchedule(std::string_view schedule, FieldErrors& errors) {
    if (schedule.empty()) {
      errors.Required("spec.schedule");
      return;
    }
    if (schedule.starts_with('@')) return;
    std::vector<std::string_view> fields;
    for (std::size_t at = 0; at < schedule.size();) {
      const std::size_t start = schedule.find_first_not_of(" \t", at);
      if (start == schedule.npos) break;
      const std::size_t end = std::min(schedule.find_first_of(" \t", start), schedule.size());
      fields.push_back(schedule.substr(start, end - start));
      at = end;
    }
    if (fields.size() != 5) {
      errors.Invalid("spec.schedule", schedule,
                     fmt::format("expected exactly 5 fields, found {}: [{}]", fields.size(),
                                 fmt::join(fields, " ")));
    }
  }
};

}  // namespace

std::shared_ptr<const KindRules> JobRulesInstance() { return std::make_shared<JobRules>(); }
std::shared_ptr<const KindRules> CronJobRulesInstance() { return std::make_shared<CronJobRules>(); }

}  // namespace basalt::apiserver
