#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/object/field_errors.h"
#include "apiserver/object/kind.h"

namespace basalt::apiserver {

// What is special about a type and no property of a field (fields.txt). Each runs beside what all
// types have in common, not instead of it; only the first two of types that are no kinds.
struct Hooks {
  std::string_view type;
  // After the rows of the type and of all in it.
  void (*fill)(json::object& value) = nullptr;
  void (*check)(const json::object& value, const std::string& path, FieldErrors& errors) = nullptr;
  void (*prepare_create)(json::object& object, Time now) = nullptr;
  void (*prepare_update)(json::object& object, const json::object& old) = nullptr;
  void (*prepare_status)(json::object& object, const json::object& old) = nullptr;
  void (*check_update)(const json::object& object, const json::object& old,
                       FieldErrors& errors) = nullptr;
  json::array (*cells)(const json::object& object, Time now) = nullptr;
  json::array (*row_conditions)(const json::object& object) = nullptr;
};
// Each in the file that its name says.
std::span<const Hooks> PodHooks();       // pod.cc
std::span<const Hooks> PodPartHooks();   // pod_checks.cc
std::span<const Hooks> ClusterHooks();   // cluster.cc
std::span<const Hooks> EventHooks();     // event.cc
std::span<const Hooks> ConfigHooks();    // config.cc
std::span<const Hooks> WorkloadHooks();  // workloads.cc
// Of definitions of custom kinds, in the folder that knows these: crd/definition_rules.cc.
std::span<const Hooks> DefinitionHooks();

// A pod's row in kubectl's table; pod_table.cc.
json::array PodCells(const json::object& pod, Time now);
// What of a pod may change once it is there: images, deadlines that shrink, tolerations that are
// added, gates that go, and more while it is gated. pod_checks.cc.
void CheckPodUpdate(const json::object& pod, const json::object& old, FieldErrors& errors);

// Those of all types.
const std::vector<Hooks>& AllHooks();

}  // namespace basalt::apiserver
