// Volumes of a pod, and drivers of a node.
#include <boost/json/array.hpp>

#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/field_rules.h"
#include "apiserver/kinds/object_meta.h"
#include "apiserver/kinds/pod_resources.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

void FillVolume(json::object& volume) {
  if (volume.size() <= 1) volume["emptyDir"] = json::object();
}

void CheckOneSource(const json::object& volume, const std::string& path, FieldErrors& errors) {
  std::size_t sources = 0;
  for (const auto& [kind, source] : volume) {
    if (kind == "name" || !source.is_object()) continue;
    if (sources++ > 0) {
      errors.Forbidden(Sub(path, kind), "may not specify more than 1 volume type");
    }
  }
  if (sources == 0) errors.Required(path, "must specify a volume type");
}

void CheckEmptyDir(const json::object& source, const std::string& path, FieldErrors& errors) {
  if (const auto limit = FindQuantity(&source, "sizeLimit"); limit && limit->Sign() < 0) {
    errors.Forbidden(Sub(path, "sizeLimit"), "must not be negative");
  }
}

void CheckDriver(const json::object& driver, const std::string& path, FieldErrors& errors) {
  for (const json::value& key : ListOf(driver, "topologyKeys")) {
    AddInvalid(path, key, syntax::QualifiedName(AsText(key)), errors);
  }
}

constexpr TypeHooks kVolumeTypes[] = {
    {.type = "core.Volume", .fill = FillVolume, .check = CheckOneSource},
    {.type = "core.EmptyDirVolumeSource", .check = CheckEmptyDir},
    {.type = "storage.CSINodeDriver", .check = CheckDriver},
};

}  // namespace

std::span<const TypeHooks> VolumeHooks() { return kVolumeTypes; }

}  // namespace basalt::apiserver
