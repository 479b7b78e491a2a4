#include "testing/builders.h"

#include <algorithm>
#include <charconv>

namespace basalt::testutil {

void SetPath(json::object& object, std::string_view path, json::value value) {
  json::object* parent = &object;
  while (true) {
    const std::size_t dot = path.find('.');
    json::value& child = (*parent)[path.substr(0, dot)];
    if (dot == std::string_view::npos) {
      child = std::move(value);
      return;
    }
    path.remove_prefix(dot + 1);
    if (json::array* list = child.if_array()) {
      // An element that is there: "spec.tasks.0.replicas".
      const std::size_t end = path.find('.');
      std::size_t index = list->size();
      std::from_chars(path.data(), path.data() + std::min(end, path.size()), index);
      json::value& element = list->at(index);
      if (end == std::string_view::npos) {
        element = std::move(value);
        return;
      }
      parent = element.is_object() ? &element.get_object() : &element.emplace_object();
      path.remove_prefix(end + 1);
      continue;
    }
    parent = child.is_object() ? &child.get_object() : &child.emplace_object();
  }
}

const json::value* FindPath(const json::value& value, std::string_view path) {
  const json::value* at = &value;
  while (at != nullptr && !path.empty()) {
    const std::size_t dot = path.find('.');
    const std::string_view part = path.substr(0, dot);
    if (const json::object* object = at->if_object()) {
      at = object->if_contains(part);
    } else if (const json::array* array = at->if_array()) {
      std::size_t index = array->size();
      std::from_chars(part.data(), part.data() + part.size(), index);
      at = array->if_contains(index);
    } else {
      at = nullptr;
    }
    path = dot == std::string_view::npos ? "" : path.substr(dot + 1);
  }
  return at;
}

std::string TextAt(const json::value& value, std::string_view path) {
  const json::value* found = FindPath(value, path);
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : "";
}

PodBuilder::PodBuilder(std::string_view name) : ObjectBuilder(kube::resources::kPods, name) {
  Scheduler("volcano");
  Container("main");
}

PodBuilder& PodBuilder::Container(std::string_view name) {
  return Append("spec", "containers", json::object{{"name", name}, {"image", "busybox"}});
}

json::object& PodBuilder::FirstContainer() {
  return object_.at("spec").at("containers").get_array().front().get_object();
}

PodBuilder& PodBuilder::Request(std::string_view resource, std::string_view amount,
                                std::string_view limit) {
  json::object& resources = Child(FirstContainer(), "resources");
  Child(resources, "requests")[resource] = amount;
  if (!limit.empty()) Child(resources, "limits")[resource] = limit;
  return *this;
}

PodBuilder& PodBuilder::Command(std::initializer_list<std::string_view> words) {
  json::array command;
  for (const std::string_view word : words) command.emplace_back(word);
  FirstContainer()["command"] = std::move(command);
  return *this;
}

PodBuilder& PodBuilder::Toleration(std::string_view key, std::string_view value,
                                   std::string_view effect) {
  json::object toleration;
  if (key.empty() || value.empty()) {
    toleration["operator"] = "Exists";
  } else {
    toleration["operator"] = "Equal";
    toleration["value"] = value;
  }
  if (!key.empty()) toleration["key"] = key;
  if (!effect.empty()) toleration["effect"] = effect;
  return Append("spec", "tolerations", std::move(toleration));
}

NodeBuilder::NodeBuilder(std::string_view name) : ObjectBuilder(kube::resources::kNodes, name) {
  Cpu("8").Memory("32Gi").Pods("110").Condition("Ready", "True");
  Label("kubernetes.io/hostname", name);
}

NodeBuilder& NodeBuilder::Resource(std::string_view resource, std::string_view amount) {
  SetIn("status", "capacity", resource, amount);
  return SetIn("status", "allocatable", resource, amount);
}

NodeBuilder& NodeBuilder::Taint(std::string_view key, std::string_view value,
                                std::string_view effect) {
  json::object taint{{"key", key}, {"effect", effect}};
  if (!value.empty()) taint["value"] = value;
  return Append("spec", "taints", std::move(taint));
}

NodeBuilder& NodeBuilder::Condition(std::string_view type, std::string_view status) {
  return Append("status", "conditions", json::object{{"type", type}, {"status", status}});
}

}  // namespace basalt::testutil
