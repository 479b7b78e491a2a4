#include "apiserver/rest/list_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "apiserver/object/base64.h"
#include "apiserver/object/json_text.h"
#include "apiserver/object/object.h"
#include "apiserver/rest/write_options.h"

namespace basalt::apiserver {
namespace {

void CheckWatch(const ListOptions& options, FieldErrors& errors) {
  const std::string& match = options.resource_version_match;
  if (options.send_initial_events) {
    if (match.empty()) {
      errors.Forbidden("resourceVersionMatch",
                       "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
    } else if (match != "NotOlderThan") {
      errors.Forbidden("resourceVersionMatch",
                       fmt::format("sendInitialEvents requires setting resourceVersionMatch to "
                                   "NotOlderThan, got {}",
                                   match));
    } else if (*options.send_initial_events && !options.allow_bookmarks) {
      errors.Forbidden("sendInitialEvents", "sendInitialEvents requires allowWatchBookmarks");
    }
  } else if (!match.empty()) {
    errors.Forbidden("resourceVersionMatch",
                     "resourceVersionMatch is forbidden for watch unless sendInitialEvents is "
                     "provided");
  }
}

void CheckList(const ListOptions& options, FieldErrors& errors) {
  const std::string& match = options.resource_version_match;
  if (options.send_initial_events) {
    errors.Forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list");
  }
  if (match.empty()) return;
  if (!options.continue_token.empty()) {
    errors.Forbidden("resourceVersionMatch",
                     "resourceVersionMatch is forbidden when continue is provided");
    return;
  }
  if (options.resource_version.empty()) {
    errors.Forbidden("resourceVersionMatch",
                     "resourceVersionMatch is forbidden unless resourceVersion is provided");
    return;
  }
  if (match != "Exact" && match != "NotOlderThan") {
    errors.NotSupported("resourceVersionMatch", json::string(match), {"Exact", "NotOlderThan", ""});
  } else if (match == "Exact" && options.resource_version == "0") {
    errors.Forbidden("resourceVersionMatch",
                     "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
  }
}

}  // namespace

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
  watch ? CheckWatch(options, errors) : CheckList(options, errors);
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

std::string ContinueToken::Encode() const {
  json::object token{{"v", "meta.k8s.io/v1"}, {"rv", version}, {"start", start}};
  if (rest > 0) token["rest"] = rest;
  return Base64UrlEncode(ToText(token));
}

ApiResult<ContinueToken> ContinueToken::Decode(std::string_view text) {
  const auto bad = [](std::string_view why) {
    return Refuse(refusal::BadRequest(
        fmt::format("invalid continue token: continue key is not valid: {}", why)));
  };
  const std::optional<std::string> bytes = Base64UrlDecode(text);
  if (!bytes) return bad("illegal base64 data");
  Result<json::value> parsed = ParseJson(*bytes);
  if (!parsed) return bad(parsed.error().message);
  if (!parsed->is_object()) return bad("not an object");
  const json::object& token = parsed->get_object();
  if (GetString(token, {"v"}) != "meta.k8s.io/v1") {
    return bad(fmt::format("server does not recognize this encoded version {}",
                           Quoted(GetString(token, {"v"}))));
  }
  ContinueToken out;
  out.version = static_cast<std::uint64_t>(GetInt(token, {"rv"}));
  out.start = GetString(token, {"start"});
  out.rest = static_cast<std::uint64_t>(std::max<std::int64_t>(GetInt(token, {"rest"}), 0));
  if (out.version == 0)
    return bad("incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
  if (out.start.empty()) return bad("encoded start key empty (version meta.k8s.io/v1)");
  return out;
}

}  // namespace basalt::apiserver
