#include "apiserver/rest/write_options.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <string>
#include <vector>

namespace basalt::apiserver {

ApiStatus InvalidOptions(std::string_view options_kind, const FieldErrors& errors) {
  return refusal::Invalid({.group = "meta.k8s.io", .kind = std::string(options_kind)}, "", errors);
}

ApiResult<void> ReadWriteOptions(Call& call) {
  const std::string& method = call.http.method;
  if (method == "GET") return {};
  const std::string_view options_kind = method == "POST"    ? "CreateOptions"
                                        : method == "PUT"   ? "UpdateOptions"
                                        : method == "PATCH" ? "PatchOptions"
                                                            : "DeleteOptions";
  FieldErrors errors;
  std::vector<std::string> dry_run = call.query.All("dryRun");
  std::erase(dry_run, "");
  const bool known =
      std::ranges::all_of(dry_run, [](const std::string& value) { return value == "All"; });
  if (!known) {
    errors.NotSupported("dryRun", json::array(dry_run.begin(), dry_run.end()), {"All"});
  }
  call.dry_run = !dry_run.empty();
  if (options_kind != "DeleteOptions") {
    const std::string_view manager = call.query.Get("fieldManager");
    if (manager.size() > 128) errors.TooLong("fieldManager", 128);
    const std::string_view mode = call.query.Get("fieldValidation");
    if (!mode.empty() && mode != "Ignore" && mode != "Warn" && mode != "Strict") {
      errors.NotSupported("fieldValidation", json::string(mode), {"", "Ignore", "Strict", "Warn"});
    }
  }
  if (!errors.empty()) return Refuse(InvalidOptions(options_kind, errors));
  return {};
}

}  // namespace basalt::apiserver
