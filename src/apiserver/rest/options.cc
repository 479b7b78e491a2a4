#include "apiserver/rest/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "apiserver/object/json_text.h"
#include "apiserver/object/text.h"

namespace basalt::apiserver {
namespace {

void CheckWatchOptions(const ListOptions& options, FieldErrors& errors) {
  const std::string& match = options.resource_version_match;
  if (!options.send_initial_events) {
    if (!match.empty()) errors.Forbidden("resourceVersionMatch", "only with sendInitialEvents");
  } else if (match != "NotOlderThan") {
    errors.Forbidden("resourceVersionMatch", "with sendInitialEvents it must be NotOlderThan");
  } else if (*options.send_initial_events && !options.allow_bookmarks) {
    errors.Forbidden("sendInitialEvents", "only with allowWatchBookmarks");
  }
}

void CheckListOptions(const ListOptions& options, FieldErrors& errors) {
  const std::string& match = options.resource_version_match;
  if (options.send_initial_events) errors.Forbidden("sendInitialEvents", "only of a watch");
  if (match.empty()) return;
  if (!options.continue_token.empty()) {
    errors.Forbidden("resourceVersionMatch", "not with continue");
  } else if (options.resource_version.empty()) {
    errors.Forbidden("resourceVersionMatch", "only with resourceVersion");
  } else if (match != "Exact" && match != "NotOlderThan") {
    errors.NotSupported("resourceVersionMatch", match, {"Exact", "NotOlderThan", ""});
  } else if (match == "Exact" && options.resource_version == "0") {
    errors.Forbidden("resourceVersionMatch", "there is no state of version 0");
  }
}

}  // namespace

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
  call.dry_run = !dry_run.empty();
  if (std::ranges::count(dry_run, "All") != std::ssize(dry_run)) {
    errors.NotSupported("dryRun", json::array(dry_run.begin(), dry_run.end()), {"All"});
  }
  if (options_kind != "DeleteOptions") {
    if (call.query.Get("fieldManager").size() > 128) errors.TooLong("fieldManager", 128);
    const std::string_view mode = call.query.Get("fieldValidation");
    if (!mode.empty() && mode != "Ignore" && mode != "Warn" && mode != "Strict") {
      errors.NotSupported("fieldValidation", mode, {"", "Ignore", "Strict", "Warn"});
    }
  }
  if (!errors.empty()) return Refuse(InvalidOptions(options_kind, errors));
  return {};
}

ApiResult<ListOptions> ListOptions::Parse(const Query& query, bool watch) {
  ListOptions options;
  const ApiResult<std::optional<std::int64_t>> limit = query.GetInt("limit");
  if (!limit) return Refuse(limit.error());
  options.limit = limit->value_or(0);
  const ApiResult<std::optional<std::int64_t>> timeout = query.GetInt("timeoutSeconds");
  if (!timeout) return Refuse(timeout.error());
  options.timeout_seconds = *timeout;
  options.continue_token = query.Get("continue");
  options.resource_version = query.Get("resourceVersion");
  options.resource_version_match = query.Get("resourceVersionMatch");
  options.allow_bookmarks = query.GetBool("allowWatchBookmarks");
  if (query.Has("sendInitialEvents")) {
    options.send_initial_events = query.GetBool("sendInitialEvents");
  }
  FieldErrors errors;
  watch ? CheckWatchOptions(options, errors) : CheckListOptions(options, errors);
  if (!errors.empty()) return Refuse(InvalidOptions("ListOptions", errors));
  return options;
}

std::optional<std::uint64_t> ParseVersion(std::string_view text) {
  std::uint64_t version = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return version;
}

std::string VersionError(std::string_view text) {
  return fmt::format("{} is no version: a number is expected", Quoted(text));
}

std::string ContinueToken::Encode() const { return fmt::format("{}.{}.{}", version, rest, start); }

ApiResult<ContinueToken> ContinueToken::Decode(std::string_view text) {
  const auto [version, behind] = Cut(text, '.');
  const auto [rest, start] = Cut(behind, '.');
  ContinueToken token{.version = ParseVersion(version).value_or(0),
                      .start = std::string(start),
                      .rest = ParseVersion(rest).value_or(0)};
  if (token.version == 0 || start.empty()) {
    return Refuse(refusal::BadRequest("the continue token is none of this server's"));
  }
  return token;
}

}  // namespace basalt::apiserver
