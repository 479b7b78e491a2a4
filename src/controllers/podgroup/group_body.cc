#include "controllers/podgroup/group_body.h"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "kube/types/resource.h"
#include "model/annotations.h"

namespace basalt::controllers {
namespace {

namespace json = boost::json;

json::object ToJson(const kube::StringMap& map) {
  json::object object;
  for (const kube::StringMap::Entry entry : map) object[entry.key] = entry.value;
  return object;
}

json::object ToJson(const kube::ResourceList& list) {
  json::object object;
  for (const kube::ResourceList::Entry& entry : list) {
    object[entry.name] = entry.quantity.ToString();
  }
  return object;
}

json::object ToJson(const kube::OwnerReference& owner) {
  json::object object{{"apiVersion", owner.api_version},
                      {"kind", owner.kind},
                      {"name", owner.name},
                      {"uid", owner.uid}};
  if (owner.controller) object["controller"] = true;
  if (owner.block_owner_deletion) object["blockOwnerDeletion"] = true;
  return object;
}

json::object ToJson(const kube::NetworkTopology& topology) {
  json::object object{
      {"mode", topology.mode == kube::NetworkTopology::Mode::kSoft ? "soft" : "hard"}};
  if (topology.highest_tier_allowed) object["highestTierAllowed"] = *topology.highest_tier_allowed;
  return object;
}

// Those that are passed on from workloads and are the scheduler's business: what the workload no
// longer says of these goes. Others may have been set by other clients, and stay.
bool IsOurs(std::string_view key) {
  return IsPassedOn(key) && key.substr(0, key.find('/')).ends_with("volcano.sh");
}

json::object Changes(const kube::StringMap& now, const kube::StringMap& wanted) {
  json::object changes;
  for (const kube::StringMap::Entry entry : wanted) {
    if (now.Find(entry.key) != entry.value) changes[entry.key] = entry.value;
  }
  for (const kube::StringMap::Entry entry : now) {
    if (IsOurs(entry.key) && !wanted.Contains(entry.key)) changes[entry.key] = nullptr;
  }
  return changes;
}

json::object Changes(const kube::ResourceList& now, const kube::ResourceList& wanted) {
  json::object changes;
  for (const kube::ResourceList::Entry& entry : wanted) {
    const kube::Quantity* known = now.Find(entry.name);
    if (!known || *known != entry.quantity) changes[entry.name] = entry.quantity.ToString();
  }
  for (const kube::ResourceList::Entry& entry : now) {
    if (!wanted.Find(entry.name)) changes[entry.name] = nullptr;
  }
  return changes;
}

json::object SpecChanges(const kube::PodGroup& now, const GroupSpec& wanted) {
  json::object spec;
  if (now.min_member != wanted.min_member) spec["minMember"] = wanted.min_member;
  if (json::object changes =
          Changes(now.min_resources.value_or(kube::ResourceList()), wanted.min_resources);
      !changes.empty()) {
    spec["minResources"] = std::move(changes);
  }
  if (now.priority_class_name != wanted.priority_class) {
    spec["priorityClassName"] = wanted.priority_class;
  }
  if (now.queue.empty() || (wanted.queue_is_named && now.queue != wanted.queue)) {
    spec["queue"] = wanted.queue;
  }
  if (wanted.network_topology && now.network_topology != wanted.network_topology) {
    spec["networkTopology"] = ToJson(*wanted.network_topology);
  }
  return spec;
}

}  // namespace

std::string GroupBody(std::string_view ns, std::string_view name, const GroupSpec& spec,
                      const kube::OwnerReference& owner) {
  const kube::Resource& kind = kube::resources::kPodGroups;
  json::object annotations = ToJson(spec.annotations);
  annotations[kMadeFor] = owner.kind + "/" + owner.name;
  json::object body_spec{{"minMember", spec.min_member},
                         {"queue", spec.queue},
                         {"minResources", ToJson(spec.min_resources)}};
  if (!spec.priority_class.empty()) body_spec["priorityClassName"] = spec.priority_class;
  if (spec.network_topology) body_spec["networkTopology"] = ToJson(*spec.network_topology);
  const json::object body{
      {"apiVersion", kind.ApiVersion()},
      {"kind", kind.kind},
      {"metadata", json::object{{"name", name},
                                {"namespace", ns},
                                {"annotations", std::move(annotations)},
                                {"labels", ToJson(spec.labels)},
                                {"ownerReferences", json::array{ToJson(owner)}}}},
      {"spec", std::move(body_spec)}};
  return json::serialize(body);
}

std::string GroupPatch(const kube::PodGroup& now, const GroupSpec& wanted,
                       const kube::OwnerReference& owner) {
  json::object meta;
  if (json::object changes = Changes(now.meta.annotations, wanted.annotations); !changes.empty()) {
    meta["annotations"] = std::move(changes);
  }
  if (json::object changes = Changes(now.meta.labels, wanted.labels); !changes.empty()) {
    meta["labels"] = std::move(changes);
  }
  if (!now.meta.Controller()) {
    json::array owners;
    for (const kube::OwnerReference& other : now.meta.owner_references) {
      if (other.uid != owner.uid) owners.push_back(ToJson(other));
    }
    owners.push_back(ToJson(owner));
    meta["ownerReferences"] = std::move(owners);
  }
  json::object spec = SpecChanges(now, wanted);
  if (meta.empty() && spec.empty()) return "";
  meta["uid"] = now.meta.uid;
  meta["resourceVersion"] = now.meta.resource_version;
  json::object patch{{"metadata", std::move(meta)}};
  if (!spec.empty()) patch["spec"] = std::move(spec);
  return json::serialize(patch);
}

std::string MembershipPatch(std::string_view pod_uid, std::string_view group) {
  return json::serialize(json::object{
      {"metadata",
       json::object{{"uid", pod_uid},
                    {"annotations", json::object{{model::annotations::kGroupName, group}}}}}});
}

}  // namespace basalt::controllers
