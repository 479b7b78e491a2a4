#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "apiserver/object/object.h"

namespace basalt::apiserver {

// What rules that look beyond their own object (admission, eviction) may see of the others. Reading
// parses the stored text, so it costs microseconds an object: keep what is read often, and look at
// LastChange to know when to read it again.
class ObjectReader {
 public:
  virtual ~ObjectReader() = default;

  // `ns` is empty for kinds without one. Group "" is the core group.
  virtual std::optional<json::object> Get(std::string_view group, std::string_view plural,
                                          std::string_view ns, std::string_view name) const = 0;
  // Sorted by namespace and name; an empty `ns` means all.
  virtual std::vector<json::object> List(std::string_view group, std::string_view plural,
                                         std::string_view ns) const = 0;
  // The version of the last write to any object of the kind; 0: none ever.
  virtual std::uint64_t LastChange(std::string_view group, std::string_view plural) const = 0;
};

}  // namespace basalt::apiserver
