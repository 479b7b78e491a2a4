#include "cli/simulate_objects.h"

#include <fmt/format.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <optional>
#include <utility>

#include "cli/json_fields.h"
#include "controllers/job/job_group.h"
#include "controllers/job/job_plan.h"
#include "controllers/job/pod_body.h"
#include "kube/types/codec.h"
#include "kube/types/workloads.h"
#include "model/annotations.h"
#include "model/group_of.h"
#include "webhook/job_defaults.h"
#include "workloads/child_object.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;

constexpr std::int32_t kMostPods = 20'000;

std::unexpected<Error> TooMany() {
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("it has more than {} pods, which is more than can be simulated at once",
                          kMostPods));
}

void SetAnnotation(json::object& pod, std::string_view key, std::string_view value) {
  workloads::Child(workloads::Child(pod, "metadata"), "annotations")[key] = value;
}

Result<json::object> Parsed(const std::string& text) {
  boost::system::error_code broken;
  json::value value = json::parse(text, broken);
  if (broken || !value.is_object()) {
    return Fail(ErrorCode::kInvalid, "its template cannot be read");
  }
  return std::move(value.as_object());
}

// ---- Volcano's Job

Result<void> AddVcJob(json::object object, const std::string& ns, json::array& out) {
  json::object& meta = workloads::Child(object, "metadata");
  if (TextAt(&meta, "namespace").empty()) meta["namespace"] = ns;
  const std::string uid = "simulated-" + TextAt(&meta, "name");
  meta["uid"] = uid;
  const json::object* spec = ObjectAt(object, {"spec"});
  const std::string estimate = TextAt(spec, "runningEstimate");
  if (spec) object["spec"] = webhook::WithJobDefaults(*spec, "default", "volcano");
  const Result<kube::VcJob> job = kube::Decode<kube::VcJob>(json::serialize(object));
  if (!job) return std::unexpected(job.error());
  const std::vector<bool> may_start =
      controllers::TasksThatMayStart(job->spec, controllers::TallyOf(job->spec, {}));
  const auto no_priorities = [](std::string_view) { return std::int64_t{0}; };
  Result<json::object> group = Parsed(controllers::JobGroupBody(
      *job, controllers::MinMemberOf(job->spec, may_start), no_priorities));
  if (!group) return std::unexpected(group.error());
  out.push_back(*std::move(group));
  if (job->spec.TotalReplicas() > kMostPods) return TooMany();
  const controllers::PluginSet plugins = controllers::MakePlugins(job->spec);
  for (std::size_t t = 0; t < job->spec.tasks.size(); ++t) {
    if (!may_start[t]) continue;  // it waits for others to run
    const kube::VcJobTask& task = job->spec.tasks[t];
    const controllers::PodMaker maker(*job, task, plugins, controllers::GroupNameOf(*job), false);
    for (std::int32_t i = 0; i < task.replicas; ++i) {
      Result<json::object> pod = Parsed(maker.Body(i));
      if (!pod) return std::unexpected(pod.error());
      workloads::Child(*pod, "metadata")["namespace"] = job->meta.ns;
      if (!estimate.empty()) SetAnnotation(*pod, "basalt.sh/run-duration", estimate);
      out.push_back(*std::move(pod));
    }
  }
  return {};
}

// ---- Kubernetes' own workloads

// What the annotations of a workload or of its template ask for; 0: no group.
Result<std::int32_t> MinMemberAskedFor(const kube::ObjectMeta& meta,
                                       const kube::PodTemplate& pod_template) {
  constexpr std::string_view kKey = model::annotations::kGroupMinMember;
  auto text = pod_template.annotations.Find(kKey);
  if (!text) text = meta.annotations.Find(kKey);
  if (!text) return 0;
  const std::optional<std::int32_t> least = model::ParseMinMember(*text);
  if (!least) {
    return Fail(ErrorCode::kInvalid,
                fmt::format("annotation {}: \"{}\" is no positive number", kKey, *text));
  }
  return *least;
}

template <class T>
Result<void> AddWorkload(const json::object& object, const std::string& ns, json::array& out,
                         std::int32_t (*count)(const T&)) {
  Result<T> made = kube::Decode<T>(json::serialize(object));
  if (!made) return std::unexpected(made.error());
  if (made->meta.ns.empty()) made->meta.ns = ns;
  made->meta.uid = "simulated-" + made->meta.name;
  const Result<std::int32_t> least = MinMemberAskedFor(made->meta, made->pod_template);
  if (!least) return std::unexpected(least.error());
  const std::string group = "podgroup-" + made->meta.uid;
  constexpr std::string_view kQueue = model::annotations::kQueueName;
  if (*least > 0) {
    std::string_view queue = made->pod_template.annotations.Get(kQueue);
    if (queue.empty()) queue = made->meta.annotations.Get(kQueue);
    out.push_back({{"apiVersion", "scheduling.volcano.sh/v1beta1"},
                   {"kind", "PodGroup"},
                   {"metadata", {{"name", group}, {"namespace", made->meta.ns}}},
                   {"spec",
                    {{"minMember", *least},
                     {"queue", queue.empty() ? "default" : queue},
                     {"priorityClassName", made->pod_template.spec.priority_class_name}}}});
  }
  const std::int32_t pods = count(*made);
  if (pods > kMostPods) return TooMany();
  for (std::int32_t i = 0; i < pods; ++i) {
    json::object pod =
        workloads::PodFromTemplate(made->pod_template, kube::KindTraits<T>::resource, made->meta,
                                   fmt::format("{}-{}", made->meta.name, i));
    workloads::Child(pod, "metadata")["namespace"] = made->meta.ns;
    if (*least > 0) SetAnnotation(pod, model::annotations::kGroupName, group);
    out.push_back(std::move(pod));
  }
  return {};
}

Result<void> Add(const Manifest& manifest, const std::string& ns, json::array& out) {
  const std::string& kind = manifest.kind;
  if (kind == "Job" && manifest.api_version == "batch.volcano.sh/v1alpha1") {
    return AddVcJob(manifest.object, ns, out);
  }
  if (kind == "Job") {
    return AddWorkload<kube::Job>(manifest.object, ns, out, [](const kube::Job& job) {
      return std::min(job.parallelism, job.completions.value_or(job.parallelism));
    });
  }
  if (kind == "Deployment") {
    return AddWorkload<kube::Deployment>(manifest.object, ns, out,
                                         [](const auto& it) { return it.replicas; });
  }
  if (kind == "ReplicaSet") {
    return AddWorkload<kube::ReplicaSet>(manifest.object, ns, out,
                                         [](const auto& it) { return it.replicas; });
  }
  if (kind == "StatefulSet") {
    return AddWorkload<kube::StatefulSet>(manifest.object, ns, out,
                                          [](const auto& it) { return it.replicas; });
  }
  out.push_back(manifest.object);
  return {};
}

}  // namespace

Result<json::array> ObjectsToSimulate(const std::vector<Manifest>& manifests,
                                      const std::string& ns) {
  json::array out;
  for (const Manifest& manifest : manifests) {
    if (const Result<void> added = Add(manifest, ns, out); !added) {
      return std::unexpected(added.error().Wrap(manifest.origin));
    }
  }
  return out;
}

}  // namespace basalt::cli
