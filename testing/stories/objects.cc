#include "testing/stories/objects.h"

#include <gtest/gtest.h>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include "base/check.h"
#include "model/annotations.h"
#include "yaml/json.h"

namespace basalt::testutil {
namespace {

namespace json = boost::json;
namespace annotations = model::annotations;

// By dots, but for those within quotes.
std::vector<std::string> Steps(std::string_view path) {
  std::vector<std::string> steps(1);
  bool quoted = false;
  for (const char c : path) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == '.' && !quoted) {
      steps.emplace_back();
    } else {
      steps.back() += c;
    }
  }
  return steps;
}

json::object& Child(json::object& parent, std::string_view key) {
  json::value& child = parent[key];
  return child.is_object() ? child.get_object() : child.emplace_object();
}

void Put(json::object& object, const std::vector<std::string>& steps, json::value value) {
  json::object* at = &object;
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) at = &Child(*at, steps[i]);
  (*at)[steps.back()] = std::move(value);
}

json::array& List(json::object& object, std::string_view part, std::string_view key) {
  json::value& list = Child(object, part)[key];
  return list.is_array() ? list.get_array() : list.emplace_array();
}

// What JSON would read as something else than text is that.
json::value ValueOf(std::string_view text) {
  boost::system::error_code error;
  json::value value = json::parse(text, error);
  return error ? json::value(text) : value;
}

// "cpu", "gpu", … as resources are called.
std::string ResourceName(std::string_view name) {
  return name == "gpu" ? "nvidia.com/gpu" : std::string(name);
}

class Builder {
 public:
  Builder(std::string_view kind, json::object& object) : kind_(kind), object_(object) {}

  void Add(std::string_view word) {
    const std::size_t equals = word.find('=');
    const std::string_view key = word.substr(0, equals);
    const std::string_view value = equals == word.npos ? "" : word.substr(equals + 1);
    if (key == "created") return Set({"metadata", "creationTimestamp"}, value);
    const bool known = kind_ == "pod"     ? Pod(key, value)
                       : kind_ == "node"  ? Node(key, value)
                       : kind_ == "queue" ? Queue(key, value)
                       : kind_ == "group" ? Group(key, value)
                                          : false;
    if (!known) Put(object_, Steps(key), ValueOf(value));
  }

 private:
  static bool IsAmount(std::string_view key) {
    return key == "cpu" || key == "memory" || key == "gpu" || key == "pods";
  }
  void Set(std::vector<std::string> steps, std::string_view text) {
    Put(object_, steps, json::value(text));
  }

  bool Pod(std::string_view key, std::string_view value) {
    if (IsAmount(key)) {
      json::array& containers = List(object_, "spec", "containers");
      if (containers.empty()) containers.push_back(json::object{{"name", "main"}});
      Put(containers[0].as_object(), {"resources", "requests", ResourceName(key)},
          json::value(value));
    } else if (key == "on") {
      Set({"spec", "nodeName"}, value);
      Set({"status", "phase"}, "Running");
    } else if (key == "of") {
      Set({"metadata", "annotations", std::string(annotations::kGroupName)}, value);
    } else if (key == "task") {
      Set({"metadata", "annotations", std::string(annotations::kTaskSpec)}, value);
    } else if (key == "queue") {
      Set({"metadata", "annotations", std::string(annotations::kQueueName)}, value);
    } else if (key == "app") {
      Set({"metadata", "labels", "app"}, value);
    } else if (key == "class") {
      Set({"spec", "priorityClassName"}, value);
    } else if (key == "priority") {
      Put(object_, {"spec", "priority"}, ValueOf(value));
    } else if (key == "gated") {
      List(object_, "spec", "schedulingGates")
          .push_back(json::object{{"name", annotations::kQueueAllocationGate}});
      Set({"metadata", "annotations", std::string(annotations::kQueueAllocationGate)}, "true");
    } else if (key == "preemptable") {
      Set({"metadata", "annotations", std::string(annotations::kPreemptable)}, value);
    } else {
      return false;
    }
    return true;
  }
  bool Node(std::string_view key, std::string_view value) {
    if (IsAmount(key)) {
      for (const char* part : {"allocatable", "capacity"}) {
        Set({"status", part, ResourceName(key)}, value);
      }
    } else if (key == "zone") {
      Set({"metadata", "labels", "zone"}, value);
    } else if (key == "taint") {  // key=value:effect
      const std::size_t equals = value.find('='), colon = value.find(':');
      List(object_, "spec", "taints")
          .push_back(json::object{{"key", value.substr(0, equals)},
                                  {"value", value.substr(equals + 1, colon - equals - 1)},
                                  {"effect", value.substr(colon + 1)}});
    } else {
      return false;
    }
    return true;
  }
  bool Queue(std::string_view key, std::string_view value) {
    const std::vector<std::string> steps = Steps(key);
    if (steps.size() == 2 && (steps[0] == "capability" || steps[0] == "deserved")) {
      Set({"spec", steps[0], ResourceName(steps[1])}, value);
    } else if (steps.size() == 2 && steps[0] == "guarantee") {
      Set({"spec", "guarantee", "resource", ResourceName(steps[1])}, value);
    } else if (key == "parent") {
      Set({"spec", "parent"}, value);
    } else if (key == "state") {
      Set({"status", "state"}, value);
    } else if (key == "weight" || key == "priority" || key == "reclaimable") {
      Put(object_, {"spec", std::string(key)}, ValueOf(value));
    } else {
      return false;
    }
    return true;
  }
  bool Group(std::string_view key, std::string_view value) {
    const std::vector<std::string> steps = Steps(key);
    if (steps.size() == 2 && steps[0] == "minimum") {
      Set({"spec", "minResources", ResourceName(steps[1])}, value);
    } else if (steps.size() == 2 && steps[0] == "role") {
      Put(object_, {"spec", "minTaskMember", steps[1]}, ValueOf(value));
    } else if (key == "queue") {
      Set({"spec", "queue"}, value);
    } else if (key == "min") {
      Put(object_, {"spec", "minMember"}, ValueOf(value));
    } else if (key == "class") {
      Set({"spec", "priorityClassName"}, value);
    } else if (key == "phase") {
      Set({"status", "phase"}, value);
    } else {
      return false;
    }
    return true;
  }

  std::string_view kind_;
  json::object& object_;
};

}  // namespace

std::vector<json::value> Documents(std::string_view yaml) {
  std::vector<json::value> values;
  auto documents = ParseYaml(yaml);
  if (!documents) {
    ADD_FAILURE() << documents.error().message << ": " << yaml;
    return values;
  }
  for (YamlDocument& document : *documents) values.push_back(std::move(document.value));
  return values;
}

std::vector<std::string> Words(std::string_view line) {
  std::vector<std::string> words;
  int depth = 0;
  bool quoted = false, within = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (!quoted) depth += (c == '{' || c == '[') - (c == '}' || c == ']');
    if (c == ' ' && depth == 0 && !quoted) {
      within = false;
      continue;
    }
    if (!within) words.emplace_back();
    within = true;
    words.back() += c;
  }
  return words;
}

json::object ObjectOf(std::string_view kind, std::string_view name,
                      const std::vector<std::string>& words) {
  json::object object;
  const std::size_t slash = name.find('/');
  json::object& meta = Child(object, "metadata");
  meta["name"] = slash == name.npos ? name : name.substr(slash + 1);
  if (slash != name.npos) meta["namespace"] = name.substr(0, slash);
  if (kind == "pod") {
    json::object& spec = Child(object, "spec");
    spec["containers"] = json::array{json::object{{"name", "main"}}};
    spec["schedulerName"] = "volcano";
    Child(object, "status")["phase"] = "Pending";
  } else if (kind == "node") {
    for (const char* part : {"allocatable", "capacity"}) {
      Child(Child(object, "status"), part)["pods"] = "110";
    }
    Child(object, "status")["conditions"] =
        json::array{json::object{{"type", "Ready"}, {"status", "True"}}};
  } else if (kind == "queue") {
    Child(object, "spec")["weight"] = 1;
    Child(object, "status")["state"] = "Open";
  }
  Builder builder(kind, object);
  for (const std::string& word : words) builder.Add(word);
  return object;
}

}  // namespace basalt::testutil
