#include "apiserver/patch/restore_error.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

namespace basalt::apiserver {
namespace {

namespace json = boost::json;

std::string_view GoType(const json::value& value) {
  switch (value.kind()) {
    case json::kind::string: return "string";
    case json::kind::bool_: return "bool";
    case json::kind::int64:
    case json::kind::uint64: return "int64";
    case json::kind::double_: return "float64";
    case json::kind::array: return "slice";
    default: return "map";
  }
}

}  // namespace

std::string RestoreError(const json::value& value, const TypeSchema& type) {
  using Kind = TypeSchema::Kind;
  if (value.is_null()) return "";
  const auto within = [](const auto& values, const TypeSchema* element) -> std::string {
    if (element == nullptr) return "";
    for (const json::value& item : values) {
      if (std::string error = RestoreError(item, *element); !error.empty()) return error;
    }
    return "";
  };
  switch (type.kind) {
    case Kind::kString:
      return value.is_string() ? "" : fmt::format("cannot convert {} to string", GoType(value));
    case Kind::kBool: return value.is_bool() ? "" : "unrecognized type: bool";
    case Kind::kInt32: return value.is_number() ? "" : "unrecognized type: int32";
    case Kind::kInt64: return value.is_number() ? "" : "unrecognized type: int64";
    case Kind::kList:
      if (!value.is_array()) return fmt::format("cannot restore slice from {}", GoType(value));
      return within(value.get_array(), type.element);
    case Kind::kMap: {
      if (!value.is_object()) return fmt::format("cannot restore map from {}", GoType(value));
      if (type.element == nullptr) return "";
      for (const auto& [key, item] : value.get_object()) {
        if (std::string error = RestoreError(item, *type.element); !error.empty()) return error;
      }
      return "";
    }
    case Kind::kStruct: {
      if (!value.is_object()) return fmt::format("cannot restore struct from: {}", GoType(value));
      for (const auto& [key, item] : value.get_object()) {
        const TypeSchema::Field* field = type.FindField(key);
        if (field == nullptr) continue;
        if (std::string error = RestoreError(item, *field->type); !error.empty()) return error;
      }
      return "";
    }
    default: return "";
  }
}

}  // namespace basalt::apiserver
