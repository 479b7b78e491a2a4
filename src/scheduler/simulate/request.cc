#include "scheduler/simulate/request.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <optional>
#include <ranges>
#include <type_traits>
#include <utility>

#include "kube/types/codec.h"
#include "kube/types/time.h"

namespace basalt::scheduler::simulate {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostObjects = 20'000;
constexpr std::int64_t kMostNodes = 20'000;  // in all

std::unexpected<Error> Bad(std::string message) {
  return Fail(ErrorCode::kInvalidArgument, std::move(message));
}

std::string TextOf(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value && value->is_string() ? std::string(value->as_string()) : "";
}

// The kind's object, its namespace filled in where it needs one.
template <class T>
Result<Object> DecodeAs(const std::string& text, const std::string& ns) {
  auto decoded = kube::Decode<T>(text);
  if (!decoded) return std::unexpected(decoded.error());
  if (decoded->meta.name.empty()) return Bad("metadata.name is missing: a name is needed here");
  if (kube::KindTraits<T>::resource.namespaced && decoded->meta.ns.empty()) decoded->meta.ns = ns;
  return Object(*std::move(decoded));
}

template <class T>
bool IsA(const json::object& object) {
  const kube::Resource& resource = kube::KindTraits<T>::resource;
  return TextOf(object, "kind") == resource.kind &&
         TextOf(object, "apiVersion") == resource.ApiVersion();
}

// Calls test(kind), a null pointer to it, for each kind of object until it holds for one. false: it
// holds for none.
template <class... Kinds, class Test>
bool FindKind(std::variant<Kinds...>*, Test test) {
  return (test(static_cast<Kinds*>(nullptr)) || ...);
}

bool IsClusterScoped(std::string_view kind) { return kind == "queue" || kind == "node"; }

Result<Named> ParseNamed(std::string_view text, const std::string& ns,
                         std::initializer_list<std::string_view> kinds) {
  std::vector<std::string> parts;
  for (const auto part : std::views::split(text, '/')) parts.emplace_back(part.begin(), part.end());
  const bool known =
      !parts.empty() && std::ranges::find(kinds, std::string_view(parts[0])) != kinds.end();
  const bool whole = parts.size() == 2 || (parts.size() == 3 && !IsClusterScoped(parts[0]));
  if (!known || !whole || parts.back().empty()) {
    return Bad(fmt::format("\"{}\" is no KIND/NAME or KIND/NAMESPACE/NAME with KIND one of {}",
                           fmt::join(parts, "/"), fmt::join(kinds, ", ")));
  }
  return Named{.kind = parts[0],
               .ns = IsClusterScoped(parts[0]) ? ""
                     : parts.size() == 3       ? parts[1]
                                               : ns,
               .name = parts.back()};
}

class Reader {
 public:
  explicit Reader(const json::object& body) : body_(body) {
    ns_ = TextOf(body, "namespace");
    if (ns_.empty()) ns_ = "default";
  }

  Result<Request> Read() {
    for (const auto& [key, value] : body_) {
      if (const Result<void> read = ReadField(key, value); !read) {
        return std::unexpected(read.error().Wrap(key));
      }
    }
    return std::move(request_);
  }

 private:
  Result<void> ReadField(std::string_view key, const json::value& value) {
    if (key == "namespace") return {};
    if (key == "untilQuiet") {
      if (!value.is_bool()) return Bad("true or false is needed");
      request_.until_quiet = value.as_bool();
      return {};
    }
    if (key == "horizon") return ReadHorizon(value);
    constexpr std::string_view kLists[] = {"objects",  "addNodes", "removeNodes", "cordon",
                                           "uncordon", "set",      "finish",      "delete"};
    if (std::ranges::find(kLists, key) == std::end(kLists)) {
      return Bad(
          fmt::format("there is no such field; these are: namespace, untilQuiet, horizon, {}",
                      fmt::join(kLists, ", ")));
    }
    if (!value.is_array()) return Bad("a list is needed");
    const json::array& items = value.as_array();
    if (items.size() > kMostObjects) return Bad(fmt::format("at most {} are taken", kMostObjects));
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (const Result<void> read = ReadItem(key, items[i]); !read) {
        return std::unexpected(read.error().Wrap(fmt::format("[{}]", i)));
      }
    }
    return {};
  }

  Result<void> ReadHorizon(const json::value& value) {
    if (!value.is_string()) return Bad("a duration such as \"24h\" is needed");
    const Result<Duration> parsed = kube::ParseDuration(std::string_view(value.as_string()));
    if (!parsed) return std::unexpected(parsed.error());
    if (*parsed <= Duration::zero()) return Bad("it must be more than 0s");
    request_.horizon = *parsed;
    return {};
  }

  Result<void> ReadItem(std::string_view key, const json::value& item) {
    if (key == "objects") {
      if (!item.is_object()) return Bad("an object is needed");
      return Add(request_.objects, ParseObject(item.as_object(), ns_));
    }
    if (key == "addNodes") return ReadAddNodes(item);
    if (!item.is_string()) return Bad("a text is needed");
    const std::string_view text(item.as_string());
    if (key == "removeNodes") return Add(request_.remove_nodes, std::string(text));
    if (key == "cordon") return Add(request_.cordon, std::string(text));
    if (key == "uncordon") return Add(request_.uncordon, std::string(text));
    if (key == "set") return ReadSetting(text);
    if (key == "finish") {
      return Add(request_.finish, ParseNamed(text, ns_, {"pod", "podgroup", "job", "vcjob"}));
    }
    return Add(request_.remove, ParseNamed(text, ns_, {"pod"}));  // delete
  }

  template <class T>
  static Result<void> Add(std::vector<T>& out, std::type_identity_t<Result<T>> item) {
    if (!item) return std::unexpected(item.error());
    out.push_back(*std::move(item));
    return {};
  }

  Result<void> ReadAddNodes(const json::value& item) {
    const json::object* object = item.if_object();
    const json::value* count = object ? object->if_contains("count") : nullptr;
    const std::string like = object ? TextOf(*object, "like") : "";
    if (!object || like.empty() || (count && !count->is_int64())) {
      return Bad("{\"count\": NUMBER, \"like\": NODE} is needed");
    }
    const std::int64_t number = count ? count->as_int64() : 1;
    if (number < 1 || number > kMostNodes) {
      return Bad(fmt::format("count must be from 1 to {}", kMostNodes));
    }
    nodes_added_ += number;
    if (nodes_added_ > kMostNodes) {
      return Bad(fmt::format("at most {} nodes are added in all", kMostNodes));
    }
    request_.add_nodes.push_back({.count = static_cast<int>(number), .like = like});
    return {};
  }

  // KIND/NAME.FIELD=VALUE; a name may have dots, so the field is found from its own words.
  Result<void> ReadSetting(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) return Bad("KIND/NAME.FIELD=VALUE is needed");
    const std::string_view target = text.substr(0, equals);
    constexpr std::string_view kFields[] = {".capability.",  ".deserved.",     ".guarantee.",
                                            ".allocatable.", ".weight",        ".priority",
                                            ".reclaimable",  ".unschedulable", ".minMember"};
    std::size_t at = std::string_view::npos;
    for (const std::string_view field : kFields) {
      const std::size_t found = target.find(field, target.find('/') + 1);
      if (found != std::string_view::npos) at = std::min(at, found);
    }
    if (at == std::string_view::npos) {
      return Bad(fmt::format(
          "\"{}\" names no field that can be set: queue/NAME with capability.RESOURCE, "
          "deserved.RESOURCE, guarantee.RESOURCE, weight, priority or reclaimable; node/NAME with "
          "allocatable.RESOURCE or unschedulable; podgroup/NAME with minMember",
          target));
    }
    Result<Named> named = ParseNamed(target.substr(0, at), ns_, {"queue", "node", "podgroup"});
    if (!named) return std::unexpected(named.error());
    request_.set.push_back({.object = *std::move(named),
                            .field = std::string(target.substr(at + 1)),
                            .value = std::string(text.substr(equals + 1))});
    return {};
  }

  const json::object& body_;
  std::string ns_;
  std::int64_t nodes_added_ = 0;
  Request request_;
};

}  // namespace

bool IsKnownKind(const json::object& object) {
  return FindKind(static_cast<Object*>(nullptr), [&]<class T>(T*) { return IsA<T>(object); });
}

Result<Object> ParseObject(const json::object& object, const std::string& ns) {
  std::optional<Result<Object>> made;
  std::vector<std::string_view> known;
  FindKind(static_cast<Object*>(nullptr), [&]<class T>(T*) {
    known.push_back(kube::KindTraits<T>::resource.kind);
    if (IsA<T>(object)) made.emplace(DecodeAs<T>(json::serialize(object), ns));
    return made.has_value();
  });
  if (made) return *std::move(made);
  return Bad(fmt::format("{} {} cannot be simulated; these can: {}", TextOf(object, "apiVersion"),
                         TextOf(object, "kind"), fmt::join(known, ", ")));
}

Result<Request> ParseRequest(std::string_view text) {
  boost::system::error_code broken;
  json::parse_options options;
  options.max_depth = 200;
  const json::value body = json::parse(text, broken, {}, options);
  if (broken) return Bad(fmt::format("the question is no JSON: {}", broken.message()));
  if (!body.is_object()) return Bad("the question must be a JSON object");
  return Reader(body.as_object()).Read();
}

}  // namespace basalt::scheduler::simulate
