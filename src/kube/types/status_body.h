#pragma once

#include <optional>
#include <string>

#include "kube/types/json_reader.h"
#include "kube/types/status.h"

namespace basalt::kube::json {

// A Status object, as a response's body or in the ERROR frame of a watch.
struct StatusBody {
  std::string kind;
  std::string message;
  std::string reason;
  std::int32_t code = 0;
  std::int32_t retry_after_seconds = 0;

  Error ToError(int http_status) const;
};

bool ReadField(Reader& reader, std::string_view key, Value& value, StatusBody& out);

}  // namespace basalt::kube::json
