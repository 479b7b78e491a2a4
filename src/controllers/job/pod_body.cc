#include "controllers/job/pod_body.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "controllers/job/job_pods.h"
#include "controllers/job/plugins/job_keys.h"
#include "controllers/job/plugins/json_parts.h"

namespace basalt::controllers {
namespace {

namespace json = boost::json;

json::object ReadTemplate(const kube::PodTemplate& pod_template) {
  json::parse_options options;
  options.max_depth = 1024;  // as deep as the decoder that it came through
  options.allow_invalid_utf8 = true;
  boost::system::error_code error;
  json::value parsed = json::parse(pod_template.raw, error, {}, options);
  if (error || !parsed.is_object()) return {};  // the API server says what is wrong with it
  return std::move(parsed.get_object());
}

// What the template leaves open.
void SetIfAbsent(json::object& object, std::string_view key, std::string_view value) {
  json::value& field = object[key];
  if (field.is_null() || (field.is_string() && field.get_string().empty())) field = value;
}

void AddVolumes(const kube::VcJobSpec& spec, json::object& pod) {
  for (std::size_t i = 0; i < spec.volumes.size(); ++i) {
    const kube::VcJobVolume& volume = spec.volumes[i];
    // The same claim at several places is one volume.
    std::size_t first = 0;
    while (spec.volumes[first].claim_name != volume.claim_name) ++first;
    const std::string name = fmt::format("job-volume-{}", first);
    AddVolume(pod, {{"name", name},
                    {"persistentVolumeClaim", json::object{{"claimName", volume.claim_name}}}});
    ForEachContainer(pod, Containers::kAll, [&](json::object& container) {
      AddMount(container, {{"name", name}, {"mountPath", volume.mount_path}});
    });
  }
}

}  // namespace

PodMaker::PodMaker(const kube::VcJob& job, const kube::VcJobTask& task, const PluginSet& plugins,
                   std::string_view group, bool forwarded)
    : job_(job), task_(task), plugins_(plugins), common_(ReadTemplate(task.pod_template)) {
  common_["apiVersion"] = "v1";
  common_["kind"] = "Pod";
  json::object& meta = ObjectAt(common_, "metadata");
  // What a template's metadata may say but a new object must not.
  for (const std::string_view key : {"name", "creationTimestamp", "generateName", "uid"}) {
    meta.erase(key);
  }
  meta["namespace"] = job.meta.ns;
  meta["ownerReferences"] = json::array{OwnedBy(job)};
  // Copies: a reference into an object does not outlive the next field of it.
  json::object labels = ObjectAt(meta, "labels");
  json::object annotations = ObjectAt(meta, "annotations");
  const auto both = [&](std::string_view key, std::string_view value) {
    labels[key] = value;
    annotations[key] = value;
  };
  both(job_keys::kJobName, job.meta.name);
  both(job_keys::kTaskSpec, task.name);
  both(job_keys::kQueueName, job.spec.Queue());
  labels[job_keys::kJobNamespace] = job.meta.ns;
  annotations[job_keys::kGroupName] = group;
  annotations[job_keys::kJobVersion] = std::to_string(job.status.version);
  annotations[job_keys::kJobRetryCount] = std::to_string(job.status.retry_count);
  annotations[job_keys::kTemplateUid] = fmt::format("{}-{}", job.meta.name, task.name);
  if (!task.topology_policy.empty()) {
    annotations[job_keys::kNumaTopologyPolicy] = task.topology_policy;
  }
  for (const std::string_view key : {job_keys::kPreemptable, job_keys::kCooldownTime}) {
    if (const auto value = job.meta.annotations.Find(key)) annotations[key] = *value;
    if (const auto value = job.meta.labels.Find(key)) labels[key] = *value;
  }
  const auto pass_on = [&](std::string_view key) {
    const auto value = job.meta.annotations.Find(key);
    if (value) annotations[key] = *value;
    return value.has_value();
  };
  pass_on(job_keys::kRevocableZone);
  if (!pass_on(job_keys::kJdbMinAvailable)) pass_on(job_keys::kJdbMaxUnavailable);
  if (forwarded) both(job_keys::kJobForwarding, "true");
  meta["labels"] = std::move(labels);
  meta["annotations"] = std::move(annotations);

  json::object& spec = ObjectAt(common_, "spec");
  SetIfAbsent(spec, "schedulerName", job.spec.Scheduler());
  if (!job.spec.priority_class_name.empty()) {
    SetIfAbsent(spec, "priorityClassName", job.spec.priority_class_name);
  }
  AddVolumes(job.spec, common_);
}

std::string PodMaker::Body(std::int32_t index) const {
  json::object pod = common_;
  const std::string name = PodNameOf(job_.meta.name, task_.name, index);
  json::object& meta = ObjectAt(pod, "metadata");
  meta["name"] = name;
  const std::string number = std::to_string(index);
  ObjectAt(meta, "labels")[job_keys::kTaskIndex] = number;
  ObjectAt(meta, "annotations")[job_keys::kTaskIndex] = number;
  if (task_.partition_policy && task_.partition_policy->partition_size > 0) {
    ObjectAt(meta, "labels")[job_keys::kPartitionId] =
        std::to_string(index / task_.partition_policy->partition_size);
  }
  plugins_.OnPod({.job = job_, .task = task_, .index = index, .name = name}, pod);
  return json::serialize(pod);
}

}  // namespace basalt::controllers
