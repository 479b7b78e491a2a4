#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

// Field paths in messages: spec.containers[0].resources.limits[cpu].
namespace basalt::apiserver {

inline std::string Sub(std::string_view path, std::string_view field) {
  return path.empty() ? std::string(field) : fmt::format("{}.{}", path, field);
}
inline std::string At(std::string_view path, std::size_t index) {
  return fmt::format("{}[{}]", path, index);
}
inline std::string Key(std::string_view path, std::string_view key) {
  return fmt::format("{}[{}]", path, key);
}

}  // namespace basalt::apiserver
