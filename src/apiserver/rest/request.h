#pragma once

#include "apiserver/object/json_text.h"
#include "apiserver/object/status.h"
#include "net/http.h"

// What a request's line and headers say.
namespace basalt::apiserver {

// Where a request points: /api/VERSION/… or /apis/GROUP/VERSION/… and what follows. Parts that are
// not there are empty.
struct ResourcePath {
  std::string group;
  std::string version;
  std::string ns;
  std::string resource;  // plural
  std::string name;
  std::string subresource;
  bool in_namespace = false;  // the path says namespaces/NS/

  bool operator==(const ResourcePath&) const = default;
};

// Reads a decoded path. nullopt: it does not name a resource (discovery, /version, nonsense).
std::optional<ResourcePath> ParseResourcePath(std::string_view path);

// The decoded query of a request. The first value of a name counts. A plain value.
class Query {
 public:
  Query() = default;
  // What cannot be decoded is left out, as Go does.
  static Query Parse(std::string_view text);

  bool Has(std::string_view name) const { return Find(name) != nullptr; }
  // Empty when absent.
  std::string_view Get(std::string_view name) const;
  std::vector<std::string> All(std::string_view name) const;
  // As Kubernetes' conversion of query parameters: "0" and "false" are false, all else is true.
  bool GetBool(std::string_view name) const;
  ApiResult<std::optional<std::int64_t>> GetInt(std::string_view name) const;

 private:
  const std::string* Find(std::string_view name) const;

  std::vector<std::pair<std::string, std::string>> values_;
};

// Empty where there is no such header.
std::string_view HeaderText(const net::HttpRequest& http, std::string_view name);
// Without parameters, lower case.
std::string ContentType(const net::HttpRequest& http);

// One entry of an Accept header; they are in the client's order.
struct MediaRange {
  std::string_view type;  // "application/json"
  std::string_view as, group, version;

  bool IsJson() const {
    return type == "application/json" || type == "*/*" || type == "application/*";
  }
};
std::vector<MediaRange> ParseAccept(std::string_view accept);

// The form of a response, as Accept asks for it. Always JSON.
struct OutputFormat {
  enum class Shape { kObject, kTable, kPartialMetadata };
  Shape shape = Shape::kObject;
  bool of_list = false;  // kPartialMetadata: the client asked for the list's form
  std::string include_object = "Metadata";  // of a Table's rows: None, Metadata or Object
};

// Takes the first entry that can be served; refuses with 406 where there is none.
ApiResult<OutputFormat> NegotiateOutput(std::string_view accept);

struct Call;  // rest/call.h

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
inline std::string VersionError(std::string_view text) {
  return Quoted(text) + " is no version: a number is expected";
}

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
