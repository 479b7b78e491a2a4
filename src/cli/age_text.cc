#include "cli/age_text.h"

#include <fmt/format.h>

#include "cli/json_fields.h"
#include "kube/types/time.h"

namespace basalt::cli {

std::string AgeText(const boost::json::object& object, Time now) {
  const auto created = kube::ParseTime(TextAt(ObjectAt(object, {"metadata"}), "creationTimestamp"));
  if (!created) return "-";
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - *created).count();
  if (seconds < 120) return fmt::format("{}s", seconds < 0 ? 0 : seconds);
  if (seconds < 2 * 3600) return fmt::format("{}m", seconds / 60);
  if (seconds < 48 * 3600) return fmt::format("{}h", seconds / 3600);
  return fmt::format("{}d", seconds / 86400);
}

}  // namespace basalt::cli
