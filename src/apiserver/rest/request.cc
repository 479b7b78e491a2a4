#include "apiserver/rest/request.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>

#include "apiserver/object/text.h"
#include "apiserver/rest/call.h"
#include "base/ascii.h"
#include "kube/types/integer.h"
#include "net/url.h"

namespace basalt::apiserver {
namespace {

// Of a form: a plus is a blank.
std::optional<std::string> Decoded(std::string_view text) {
  std::string spaced(text);
  std::ranges::replace(spaced, '+', ' ');
  return net::PercentDecode(spaced);
}

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

std::optional<ResourcePath> ParseResourcePath(std::string_view path) {
  const std::vector<std::string_view> parts = Pieces(path, '/');
  const bool core = !parts.empty() && parts[0] == "api";
  const std::size_t head = core ? 2 : 3;
  if (parts.size() <= head || (!core && parts[0] != "apis")) return std::nullopt;
  ResourcePath out;
  if (!core) out.group = parts[1];
  out.version = parts[head - 1];
  auto rest = std::span(parts).subspan(head);
  // namespaces/NS/RESOURCE is inside a namespace; namespaces/NS alone, and its own subresources,
  // are the namespace itself.
  if (rest[0] == "namespaces" && rest.size() >= 3 && rest[2] != "status" && rest[2] != "finalize") {
    out.ns = rest[1];
    out.in_namespace = true;
    rest = rest.subspan(2);
  }
  out.resource = rest[0];
  if (rest.size() > 1) out.name = rest[1];
  if (rest.size() > 2) out.subresource = fmt::format("{}", fmt::join(rest.subspan(2), "/"));
  return out;
}

Query Query::Parse(std::string_view text) {
  Query query;
  for (const std::string_view piece : Pieces(text, '&')) {
    const auto [raw_name, raw_value] = Cut(piece, '=');
    std::optional<std::string> name = Decoded(raw_name);
    std::optional<std::string> value = Decoded(raw_value);
    if (name && value) query.values_.emplace_back(std::move(*name), std::move(*value));
  }
  return query;
}

const std::string* Query::Find(std::string_view name) const {
  const auto found =
      std::ranges::find(values_, name, [](const auto& entry) { return entry.first; });
  return found == values_.end() ? nullptr : &found->second;
}

std::string_view Query::Get(std::string_view name) const {
  const std::string* value = Find(name);
  return value == nullptr ? std::string_view() : std::string_view(*value);
}

std::vector<std::string> Query::All(std::string_view name) const {
  std::vector<std::string> all;
  for (const auto& [key, value] : values_) {
    if (key == name) all.push_back(value);
  }
  return all;
}

bool Query::GetBool(std::string_view name) const {
  const std::string* value = Find(name);
  return value != nullptr && *value != "false" && *value != "0";
}

ApiResult<std::optional<std::int64_t>> Query::GetInt(std::string_view name) const {
  const std::string_view value = Get(name);
  if (value.empty()) return std::nullopt;
  const std::optional<std::int64_t> number = kube::ParseInt64(value);
  if (number) return number;
  return Refuse(
      refusal::BadRequest(fmt::format("{}: {} is no number of 64 bits", name, Quoted(value))));
}

std::string_view HeaderText(const net::HttpRequest& http, std::string_view name) {
  const std::string* header = net::FindHeader(http.headers, name);
  return header == nullptr ? std::string_view() : std::string_view(*header);
}

std::string ContentType(const net::HttpRequest& http) {
  return ToLower(WithoutBlanks(Cut(HeaderText(http, "Content-Type"), ';').first));
}

std::vector<MediaRange> ParseAccept(std::string_view accept) {
  std::vector<MediaRange> ranges;
  for (const std::string_view entry : Pieces(accept, ',')) {
    const auto [type, parameters] = Cut(entry, ';');
    MediaRange range{.type = WithoutBlanks(type)};
    for (const std::string_view parameter : Pieces(parameters, ';')) {
      const auto [name, value] = Cut(WithoutBlanks(parameter), '=');
      if (name == "as") range.as = value;
      if (name == "g") range.group = value;
      if (name == "v") range.version = value;
    }
    if (!range.type.empty()) ranges.push_back(range);
  }
  return ranges;
}

ApiResult<OutputFormat> NegotiateOutput(std::string_view accept) {
  using Shape = OutputFormat::Shape;
  const std::vector<MediaRange> ranges = ParseAccept(accept);
  if (ranges.empty()) return OutputFormat();
  for (const MediaRange& range : ranges) {
    if (!range.IsJson()) continue;
    if (range.as.empty()) return OutputFormat();
    if (range.group != "meta.k8s.io" || (range.version != "v1" && range.version != "v1beta1")) {
      continue;
    }
    if (range.as == "Table") return OutputFormat{.shape = Shape::kTable};
    const bool of_list = range.as == "PartialObjectMetadataList";
    if (of_list || range.as == "PartialObjectMetadata") {
      return OutputFormat{.shape = Shape::kPartialMetadata, .of_list = of_list};
    }
  }
  ApiStatus refused = refusal::NotAcceptable("application/json");
  if (std::ranges::none_of(ranges, &MediaRange::IsJson)) refused.details.emplace();
  return Refuse(std::move(refused));
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
