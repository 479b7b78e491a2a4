#include "apiserver/kinds/volume_checks.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <set>

#include "apiserver/kinds/object_meta.h"
#include "apiserver/kinds/paths.h"
#include "apiserver/kinds/pod_resources.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

void ValidateMode(const json::object& source, std::string_view field, const std::string& path,
                  FieldErrors& errors) {
  const json::value* mode = Find(source, {field});
  if (mode == nullptr) return;
  const std::int64_t value = GetInt(source, {field});
  if (value < 0 || value > 0777) {
    errors.Invalid(Sub(path, field), *mode,
                   "must be a number between 0 and 0777 (octal), both inclusive");
  }
}

void ValidateRelativePath(std::string_view target, const std::string& path, FieldErrors& errors) {
  if (target.starts_with('/')) {
    errors.Invalid(path, target, "must be a relative path");
  }
  for (std::size_t at = 0; at <= target.size();) {
    const std::size_t end = std::min(target.find('/', at), target.size());
    if (target.substr(at, end - at) == "..") {
      errors.Invalid(path, target, "must not contain '..'");
      break;
    }
    at = end + 1;
  }
  if (target.starts_with("..") && target != ".." && !target.starts_with("../")) {
    errors.Invalid(path, target, "must not start with '..'");
  }
}

void ValidateItems(const json::object& source, const std::string& path, FieldErrors& errors) {
  const json::array* items = FindArray(source, {"items"});
  if (items == nullptr) return;
  for (std::size_t i = 0; i < items->size(); ++i) {
    const json::object& item = AsObject((*items)[i]);
    const std::string at = At(Sub(path, "items"), i);
    if (GetString(item, {"key"}).empty()) errors.Required(Sub(at, "key"));
    const std::string_view target = GetString(item, {"path"});
    if (target.empty()) {
      errors.Required(Sub(at, "path"));
    } else {
      ValidateRelativePath(target, Sub(at, "path"), errors);
    }
    ValidateMode(item, "mode", at, errors);
  }
}

void ValidateKeyed(const json::object& source, std::string_view name_field, const std::string& path,
                   FieldErrors& errors) {
  if (GetString(source, {name_field}).empty()) errors.Required(Sub(path, name_field));
  ValidateMode(source, "defaultMode", path, errors);
  ValidateItems(source, path, errors);
}

void ValidateSource(std::string_view kind, const json::object& source, const std::string& path,
                    FieldErrors& errors) {
  if (kind == "hostPath") {
    ValidateHostPath(source, path, errors);
  } else if (kind == "emptyDir") {
    if (const auto limit = FindQuantity(&source, "sizeLimit"); limit && limit->Sign() < 0) {
      errors.Forbidden(Sub(path, "sizeLimit"), "SizeLimit field must be a valid resource quantity");
    }
  } else if (kind == "configMap") {
    ValidateKeyed(source, "name", path, errors);
  } else if (kind == "secret") {
    ValidateKeyed(source, "secretName", path, errors);
  } else if (kind == "persistentVolumeClaim") {
    if (GetString(source, {"claimName"}).empty()) errors.Required(Sub(path, "claimName"));
  } else if (kind == "nfs") {
    for (const std::string_view field : {"server", "path"}) {
      if (GetString(source, {field}).empty()) errors.Required(Sub(path, field));
    }
  } else if (kind == "projected" || kind == "downwardAPI") {
    ValidateMode(source, "defaultMode", path, errors);
  } else if (kind == "csi") {
    if (GetString(source, {"driver"}).empty()) errors.Required(Sub(path, "driver"));
  }
}

}  // namespace

void ValidateHostPath(const json::object& host_path, const std::string& path, FieldErrors& errors) {
  static const std::vector<std::string> kTypes{
      "",     "BlockDevice",  "CharDevice", "Directory", "DirectoryOrCreate",
      "File", "FileOrCreate", "Socket"};
  const std::string_view target = GetString(host_path, {"path"});
  if (target.empty()) {
    errors.Required(Sub(path, "path"));
    return;
  }
  for (std::size_t at = 0; at <= target.size();) {
    const std::size_t end = std::min(target.find('/', at), target.size());
    if (target.substr(at, end - at) == "..") {
      errors.Invalid(Sub(path, "path"), target, "must not contain '..'");
      break;
    }
    at = end + 1;
  }
  if (Find(host_path, {"type"}) != nullptr) {
    const std::string_view type = GetString(host_path, {"type"});
    if (std::ranges::find(kTypes, type) == kTypes.end()) {
      errors.NotSupported(Sub(path, "type"), type, kTypes);
    }
  }
}

void ValidateVolumes(const json::array& volumes, const std::string& path, FieldErrors& errors) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < volumes.size(); ++i) {
    const json::object& volume = AsObject(volumes[i]);
    const std::string at = At(path, i);
    std::size_t sources = 0;
    for (const auto& [kind, source] : volume) {
      if (kind == "name" || !source.is_object()) continue;
      if (sources++ > 0) {
        errors.Forbidden(Sub(at, kind), "may not specify more than 1 volume type");
      } else {
        ValidateSource(kind, source.get_object(), Sub(at, kind), errors);
      }
    }
    if (sources == 0) errors.Required(at, "must specify a volume type");
    const std::string_view name = GetString(volume, {"name"});
    if (name.empty()) {
      errors.Required(Sub(at, "name"));
      continue;
    }
    const syntax::Complaints complaints = syntax::Dns1123Label(name);
    AddInvalid(Sub(at, "name"), name, complaints, errors);
    if (!names.insert(name).second) errors.Duplicate(Sub(at, "name"), name);
  }
}

}  // namespace basalt::apiserver
