#include <boost/json/value.hpp>

#include "apiserver/patch/patch.h"

namespace basalt::apiserver {

void ApplyMergePatch(const json::value& patch, json::value& document) {
  if (!patch.is_object()) {
    document = patch;
    return;
  }
  if (!document.is_object()) document.emplace_object();
  json::object& target = document.get_object();
  for (const auto& [key, value] : patch.get_object()) {
    if (value.is_null()) {
      target.erase(key);
    } else {
      ApplyMergePatch(value, target[key]);
    }
  }
}

}  // namespace basalt::apiserver
