#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "apiserver/rest/call.h"

// The parameters in a request's query.
namespace basalt::apiserver {

// Reads and checks dryRun, fieldManager and fieldValidation of a call that writes.
ApiResult<void> ReadWriteOptions(Call& call);

struct ListOptions {
  std::int64_t limit = 0;  // 0: no limit
  std::string continue_token;
  std::string resource_version;
  std::string resource_version_match;
  bool allow_bookmarks = false;
  std::optional<bool> send_initial_events;
  std::optional<std::int64_t> timeout_seconds;

  // Reads and checks them; `watch` has rules of its own.
  static ApiResult<ListOptions> Parse(const Query& query, bool watch);
};

// A refusal of the parameters themselves: `CreateOptions.meta.k8s.io "" is invalid: …`.
inline ApiStatus InvalidOptions(std::string_view options_kind, const FieldErrors& errors) {
  return refusal::Invalid({.group = "meta.k8s.io", .kind = std::string(options_kind)}, "", errors);
}

// nullopt: not a number.
std::optional<std::uint64_t> ParseVersion(std::string_view text);
std::string VersionError(std::string_view text);

// Where the next page starts: opaque to clients.
struct ContinueToken {
  std::uint64_t version = 0;
  std::string start;  // the first key, relative to the namespace
  // Objects from there on, so that each page need not count them again; 0: they were not counted.
  std::uint64_t rest = 0;

  std::string Encode() const;
  static ApiResult<ContinueToken> Decode(std::string_view text);
};

}  // namespace basalt::apiserver
