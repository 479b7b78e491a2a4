#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

}  // namespace basalt::apiserver
