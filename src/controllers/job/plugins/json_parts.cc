#include "controllers/job/plugins/json_parts.h"

#include "kube/types/resource.h"

namespace basalt::controllers {
namespace {

namespace json = boost::json;

// Whether the list has an entry whose `key` is `value`.
bool HasEntry(const json::array& list, std::string_view key, const json::value& value) {
  for (const json::value& entry : list) {
    if (!entry.is_object()) continue;
    const json::value* found = entry.get_object().if_contains(key);
    if (found && *found == value) return true;
  }
  return false;
}

void AddOnce(json::array& list, std::string_view key, json::object entry) {
  if (!HasEntry(list, key, entry[key])) list.push_back(std::move(entry));
}

}  // namespace

json::object OwnedBy(const kube::VcJob& job) {
  const kube::Resource& kind = kube::resources::kVcJobs;
  return {{"apiVersion", kind.ApiVersion()},
          {"kind", kind.kind},
          {"name", job.meta.name},
          {"uid", job.meta.uid},
          {"controller", true},
          {"blockOwnerDeletion", true}};
}

json::object& ObjectAt(json::object& object, std::string_view key) {
  json::value& value = object[key];
  return value.is_object() ? value.get_object() : value.emplace_object();
}

json::array& ListAt(json::object& object, std::string_view key) {
  json::value& value = object[key];
  return value.is_array() ? value.get_array() : value.emplace_array();
}

void ForEachContainer(json::object& pod, Containers which,
                      FunctionRef<void(json::object& container)> visit) {
  json::object& spec = ObjectAt(pod, "spec");
  for (const std::string_view list : {"containers", "initContainers"}) {
    if (list == "initContainers" && which == Containers::kMain) continue;
    json::value* found = spec.if_contains(list);
    if (!found || !found->is_array()) continue;
    for (json::value& container : found->get_array()) {
      if (container.is_object()) visit(container.get_object());
    }
  }
}

void AddEnv(json::object& container, std::string_view name, std::string_view value) {
  AddEnvEntry(container, {{"name", name}, {"value", value}});
}

void AddEnvEntry(json::object& container, json::object entry) {
  AddOnce(ListAt(container, "env"), "name", std::move(entry));
}

void AddPort(json::object& container, std::string_view name, std::int32_t port) {
  AddOnce(ListAt(container, "ports"), "name", {{"name", name}, {"containerPort", port}});
}

void AddVolume(json::object& pod, json::object volume) {
  AddOnce(ListAt(ObjectAt(pod, "spec"), "volumes"), "name", std::move(volume));
}

void AddMount(json::object& container, json::object mount) {
  AddOnce(ListAt(container, "volumeMounts"), "mountPath", std::move(mount));
}

json::object NewObject(const kube::Resource& resource, const kube::VcJob& job,
                       std::string_view name) {
  return {{"apiVersion", resource.ApiVersion()},
          {"kind", resource.kind},
          {"metadata", json::object{{"name", name},
                                    {"namespace", job.meta.ns},
                                    {"ownerReferences", json::array{OwnedBy(job)}}}}};
}

}  // namespace basalt::controllers
