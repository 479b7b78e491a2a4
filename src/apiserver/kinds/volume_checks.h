#pragma once

#include <string>

#include "apiserver/object/field_errors.h"
#include "apiserver/object/kind.h"

namespace basalt::apiserver {

// spec.volumes of a pod.
void ValidateVolumes(const json::array& volumes, const std::string& path, FieldErrors& errors);
// A directory of the node, also as a PersistentVolume.
void ValidateHostPath(const json::object& host_path, const std::string& path, FieldErrors& errors);

}  // namespace basalt::apiserver
