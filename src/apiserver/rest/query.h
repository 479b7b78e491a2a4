#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apiserver/object/status.h"

namespace basalt::apiserver {

// The decoded query of a request. The first value of a name counts.
class Query {
 public:
  Query() = default;
  // What cannot be decoded is left out, as Go does.
  static Query Parse(std::string_view text);

  bool Has(std::string_view name) const { return Find(name) != nullptr; }
  // Empty when absent.
  std::string_view Get(std::string_view name) const;
  std::vector<std::string> All(std::string_view name) const;
  // As Kubernetes' conversion of query parameters: "", "0" and "false" are false, all else is true.
  bool GetBool(std::string_view name) const;
  ApiResult<std::optional<std::int64_t>> GetInt(std::string_view name) const;

 private:
  const std::string* Find(std::string_view name) const;

  std::vector<std::pair<std::string, std::string>> values_;
};

}  // namespace basalt::apiserver
