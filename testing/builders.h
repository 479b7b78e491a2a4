#pragma once

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/json/value_ref.hpp>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "kube/types/resource.h"

// Small builders of objects as JSON, for tests:
//   cluster.Create(MakePod("a").Cpu("1").Label("app", "web"));
//   MakeObject(resources::kDeployments, "web").Set("spec.replicas", 3).Json();
namespace basalt::testutil {

namespace json = boost::json;

// The annotation that lets the queue admit a pod, and the gate that waits for it.
inline constexpr std::string_view kGate = "scheduling.volcano.sh/queue-allocation-gate";

// Sets what a dotted path names, making the objects on the way; a number is an element that is
// there.
void SetPath(json::object& object, std::string_view path, json::value value);
// What a dotted path names ("status.conditions.0.type"); nullptr: nothing.
const json::value* FindPath(const json::value& value, std::string_view path);
// Its text; "" where it is absent or not a string.
std::string TextAt(const json::value& value, std::string_view path);

// What all objects have. Self is the builder itself, so that calls chain.
template <class Self>
class ObjectBuilder {
 public:
  ObjectBuilder(const kube::Resource& resource, std::string_view name) : resource_(&resource) {
    object_["apiVersion"] = resource.ApiVersion();
    object_["kind"] = resource.kind;
    Set("metadata.name", name);
    if (resource.namespaced) Set("metadata.namespace", "default");
  }

  Self& Ns(std::string_view ns) { return Set("metadata.namespace", ns); }
  Self& Label(std::string_view key, std::string_view value) {
    return SetIn("metadata", "labels", key, value);
  }
  Self& Annotation(std::string_view key, std::string_view value) {
    return SetIn("metadata", "annotations", key, value);
  }
  Self& Finalizer(std::string_view finalizer) {
    return Append("metadata", "finalizers", json::value(finalizer));
  }
  // The controller that manages it.
  Self& Owner(const kube::Resource& resource, std::string_view name, std::string_view uid) {
    return Append("metadata", "ownerReferences",
                  json::object{{"apiVersion", resource.ApiVersion()},
                               {"kind", resource.kind},
                               {"name", name},
                               {"uid", uid},
                               {"controller", true},
                               {"blockOwnerDeletion", true}});
  }
  // Anything else. A part of a path must not contain a dot.
  Self& Set(std::string_view path, const json::value_ref& value) {
    SetPath(object_, path, value);
    return self();
  }

  const kube::Resource& resource() const { return *resource_; }
  std::string name() const { return TextAt(object_, "metadata.name"); }
  std::string ns() const { return TextAt(object_, "metadata.namespace"); }
  const json::object& Json() const { return object_; }
  std::string Text() const { return json::serialize(object_); }

 protected:
  Self& self() { return static_cast<Self&>(*this); }
  json::object& Child(json::object& parent, std::string_view key) {
    json::value& child = parent[key];
    return child.is_object() ? child.get_object() : child.emplace_object();
  }
  Self& SetIn(std::string_view part, std::string_view map, std::string_view key,
              std::string_view value) {
    Child(Child(object_, part), map)[key] = value;
    return self();
  }
  Self& Append(std::string_view part, std::string_view list, json::value value) {
    json::value& items = Child(object_, part)[list];
    (items.is_array() ? items.get_array() : items.emplace_array()).push_back(std::move(value));
    return self();
  }

  const kube::Resource* resource_;
  json::object object_;
};

class AnyBuilder : public ObjectBuilder<AnyBuilder> {
 public:
  using ObjectBuilder::ObjectBuilder;
};

// A pod with one container, in namespace default, scheduled by volcano.
class PodBuilder : public ObjectBuilder<PodBuilder> {
 public:
  explicit PodBuilder(std::string_view name);

  // Requests of the (first) container; limits too where `limit` is given.
  PodBuilder& Request(std::string_view resource, std::string_view amount,
                      std::string_view limit = "");
  PodBuilder& Cpu(std::string_view amount) { return Request("cpu", amount); }
  PodBuilder& Memory(std::string_view amount) { return Request("memory", amount); }
  PodBuilder& Gpu(std::string_view amount) { return Request("nvidia.com/gpu", amount, amount); }
  PodBuilder& Command(std::initializer_list<std::string_view> words);
  PodBuilder& Container(std::string_view name);  // one more, without requests
  PodBuilder& Node(std::string_view node) { return Set("spec.nodeName", node); }
  PodBuilder& Scheduler(std::string_view name) { return Set("spec.schedulerName", name); }
  PodBuilder& Priority(int priority) { return Set("spec.priority", priority); }
  PodBuilder& PriorityClass(std::string_view name) { return Set("spec.priorityClassName", name); }
  PodBuilder& RestartPolicy(std::string_view policy) { return Set("spec.restartPolicy", policy); }
  PodBuilder& Gate(std::string_view name) {
    return Append("spec", "schedulingGates", json::object{{"name", name}});
  }
  PodBuilder& NodeSelector(std::string_view key, std::string_view value) {
    return SetIn("spec", "nodeSelector", key, value);
  }
  PodBuilder& Toleration(std::string_view key, std::string_view value, std::string_view effect);
  PodBuilder& Phase(std::string_view phase) { return Set("status.phase", phase); }
  // The annotation by which Volcano knows a pod's PodGroup.
  PodBuilder& Group(std::string_view pod_group) {
    return Annotation("scheduling.k8s.io/group-name", pod_group);
  }

 private:
  json::object& FirstContainer();
};

// A ready node with 8 CPUs, 32 GiB and 110 pods.
class NodeBuilder : public ObjectBuilder<NodeBuilder> {
 public:
  explicit NodeBuilder(std::string_view name);

  // Capacity and allocatable.
  NodeBuilder& Resource(std::string_view resource, std::string_view amount);
  NodeBuilder& Cpu(std::string_view amount) { return Resource("cpu", amount); }
  NodeBuilder& Memory(std::string_view amount) { return Resource("memory", amount); }
  NodeBuilder& Pods(std::string_view amount) { return Resource("pods", amount); }
  NodeBuilder& Gpu(std::string_view amount) { return Resource("nvidia.com/gpu", amount); }
  NodeBuilder& Unschedulable() { return Set("spec.unschedulable", true); }
  NodeBuilder& Taint(std::string_view key, std::string_view value, std::string_view effect);
  NodeBuilder& Condition(std::string_view type, std::string_view status);
};

inline AnyBuilder MakeObject(const kube::Resource& resource, std::string_view name) {
  return AnyBuilder(resource, name);
}
inline PodBuilder MakePod(std::string_view name) { return PodBuilder(name); }
inline NodeBuilder MakeNode(std::string_view name) { return NodeBuilder(name); }

}  // namespace basalt::testutil
