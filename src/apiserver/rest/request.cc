#include "apiserver/rest/request.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "apiserver/object/json_text.h"
#include "apiserver/object/text.h"
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

}  // namespace basalt::apiserver
