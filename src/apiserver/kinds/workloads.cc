// Deployment, ReplicaSet, StatefulSet, DaemonSet, ReplicationController, Job, CronJob.
#include <fmt/format.h>

#include "apiserver/data/tables.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

const json::object& SpecOf(const json::object& object) { return ObjectOf(object, "spec"); }
const json::object& TemplateOf(const json::object& object) {
  return ObjectOf(SpecOf(object), "template");
}

void CheckSelected(const json::object& spec, FieldErrors& errors) {
  const json::value* labels = Find(spec, {"template", "metadata", "labels"});
  const json::object* selector = FindObject(spec, {"selector"});
  if (SelectorMatches(selector, labels ? labels->if_object() : nullptr)) return;
  errors.Invalid("spec.template.metadata.labels", labels ? *labels : json::value(),
                 "`selector` does not match template `labels`");
}

// That a workload selects the pods of its template.
void CheckWorkloadSpec(const json::object& spec, const std::string& path, FieldErrors& errors) {
  const json::object* selector = FindObject(spec, {"selector"});
  if (selector != nullptr && !SelectorOf(selector)) {
    return errors.Invalid(Sub(path, "selector"), *selector, "invalid label selector");
  }
  CheckSelected(spec, errors);
}

// Deployments

// Annotations count as desired state here.
void PrepareDeploymentUpdate(json::object& object, const json::object& old) {
  const auto annotations_of = [](const json::object& of) -> const json::object& {
    return ObjectOf(ObjectOf(of, "metadata"), "annotations");
  };
  if (annotations_of(object) != annotations_of(old)) CountGeneration(object, old, true);
}

void PrepareDeploymentStatus(json::object& object, const json::object& old) {
  Restore(Metadata(object), ObjectOf(old, "metadata"), "labels");
}

// Daemon sets

constexpr std::string_view kTemplateGeneration = "deprecated.daemonset.template.generation";

void SetTemplateGeneration(json::object& object, std::int64_t generation) {
  Child(Metadata(object), "annotations")[kTemplateGeneration] = std::to_string(generation);
}

void PrepareDaemonSet(json::object& object, Time /*now*/) { SetTemplateGeneration(object, 1); }

void PrepareDaemonSetUpdate(json::object& object, const json::object& old) {
  const std::string_view text = GetString(old, {"metadata", "annotations", kTemplateGeneration});
  const std::int64_t generation = text.empty() ? 0 : std::stoll(std::string(text));
  SetTemplateGeneration(object, generation + (TemplateOf(object) != TemplateOf(old) ? 1 : 0));
}

// Replication controllers select what their template is labelled with.
void FillController(json::object& object) {
  json::object& spec = Child(object, "spec");
  const json::object* labels = FindObject(spec, {"template", "metadata", "labels"});
  if (labels == nullptr) return;
  SetDefault(spec, "selector", *labels);
  SetDefault(Metadata(object), "labels", *labels);
}

// Jobs

constexpr std::string_view kControllerUid = "batch.kubernetes.io/controller-uid";
constexpr std::string_view kJobName = "batch.kubernetes.io/job-name";
constexpr std::string_view kOldControllerUid = "controller-uid";
constexpr std::string_view kOldJobName = "job-name";

bool IsIndexed(const json::object& spec) {
  return GetString(spec, {"completionMode"}) == "Indexed";
}

void FillJob(json::object& object) {
  const json::object* labels = FindObject(object, {"spec", "template", "metadata", "labels"});
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

void CheckJob(const json::object& object, const std::string& /*path*/, FieldErrors& errors) {
  const json::object& spec = ObjectOf(object, "spec");
  if (!GetBool(spec, {"manualSelector"})) CheckGeneratedSelector(object, errors);
  CheckSelected(spec, errors);
}

void CheckCompletions(const json::object& spec, const json::object& old_spec, FieldErrors& errors) {
  const json::value* now = Find(spec, {"completions"});
  const json::value* parallelism = Find(spec, {"parallelism"});
  // An indexed job may grow and shrink together with its parallelism.
  const bool elastic = IsIndexed(old_spec) && now != nullptr && parallelism != nullptr &&
                       Find(old_spec, {"completions"}) != nullptr && *now == *parallelism;
  if (!elastic) {
    RequireUnchanged(now, Find(old_spec, {"completions"}), "spec.completions", errors);
  }
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
  CheckCompletions(spec, ObjectOf(old, "spec"), errors);
  CheckTemplateUnchanged(spec, old, errors);
}

// Cron jobs

void CheckCronJob(const json::object& object, const std::string& /*path*/, FieldErrors& errors) {
  const std::string_view schedule = GetString(object, {"spec", "schedule"});
  std::string_view rest = schedule;
  int fields = 0;
  while (!NextWord(rest).empty()) ++fields;
  if (!schedule.empty() && !schedule.starts_with('@') && fields != 5) {
    errors.Invalid("spec.schedule", schedule,
                   fmt::format("expected exactly 5 fields, found {}", fields));
  }
}

}  // namespace

std::span<const Hooks> WorkloadHooks() {
  static constexpr Hooks kHooks[] = {
      {.type = "apps.Deployment",
       .prepare_update = PrepareDeploymentUpdate,
       .prepare_status = PrepareDeploymentStatus},
      {.type = "apps.DeploymentSpec", .check = CheckWorkloadSpec},
      {.type = "apps.ReplicaSetSpec", .check = CheckWorkloadSpec},
      {.type = "apps.StatefulSetSpec", .check = CheckWorkloadSpec},
      {.type = "apps.DaemonSet",
       .prepare_create = PrepareDaemonSet,
       .prepare_update = PrepareDaemonSetUpdate},
      {.type = "apps.DaemonSetSpec", .check = CheckWorkloadSpec},
      {.type = "core.ReplicationController", .fill = FillController},
      {.type = "batch.Job",
       .fill = FillJob,
       .check = CheckJob,
       .prepare_create = PrepareJob,
       .check_update = CheckJobUpdate},
      {.type = "batch.CronJob", .check = CheckCronJob},
  };
  return kHooks;
}

}  // namespace basalt::apiserver
