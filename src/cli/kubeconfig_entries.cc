#include "cli/kubeconfig_entries.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <utility>

#include "base/base64.h"
#include "yaml/json.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;

constexpr std::string_view kMark = "basalt.sh/up";  // the name of an extension of the cluster
constexpr std::string_view kBefore = "before";      // in it: the context that was current before
constexpr std::array<std::string_view, 3> kLists = {"clusters", "users", "contexts"};

std::unexpected<Error> NoKubeconfig(std::string_view why) {
  return Fail(ErrorCode::kInvalidArgument, fmt::format("it is no kubeconfig: {}", why));
}

bool IsNamed(const json::value& entry, std::string_view name) {
  const json::value* found = entry.is_object() ? entry.get_object().if_contains("name") : nullptr;
  return found && found->is_string() && std::string_view(found->get_string()) == name;
}

const json::object* FindNamed(const json::object& config, std::string_view list,
                              std::string_view name) {
  const json::value* entries = config.if_contains(list);
  if (!entries || !entries->is_array()) return nullptr;
  for (const json::value& entry : entries->get_array()) {
    if (IsNamed(entry, name)) return &entry.get_object();
  }
  return nullptr;
}

void EraseNamed(json::object& config, std::string_view list, std::string_view name) {
  json::value* entries = config.if_contains(list);
  if (!entries || !entries->is_array()) return;
  json::array& all = entries->get_array();
  for (auto entry = all.begin(); entry != all.end();) {
    entry = IsNamed(*entry, name) ? all.erase(entry) : entry + 1;
  }
}

void Put(json::object& config, std::string_view list, std::string_view item,
         const std::string& name, json::object contents) {
  EraseNamed(config, list, name);
  json::value& entries = config[list];
  if (!entries.is_array()) entries.emplace_array();
  entries.get_array().push_back(json::object{{"name", name}, {item, std::move(contents)}});
}

// "": there is none.
std::string TextIn(const json::object& object, std::string_view key) {
  const json::value* text = object.if_contains(key);
  return text && text->is_string() ? std::string(text->get_string()) : "";
}

// What some `up` has left in its cluster's entry; nullptr: it is another program's.
const json::object* MarkIn(const json::object& entry) {
  const json::value* cluster = entry.if_contains("cluster");
  if (!cluster || !cluster->is_object()) return nullptr;
  return FindNamed(cluster->get_object(), "extensions", kMark);
}

// The server of a cluster that some `up` has put there; "": another program has.
std::string ServerOfUp(const json::object& entry) {
  return MarkIn(entry) ? TextIn(entry.at("cluster").get_object(), "server") : "";
}

// The context that was current before that `up` came; "": none was, or it does not say.
std::string ContextBefore(const json::object& config, std::string_view name) {
  const json::object* cluster = FindNamed(config, "clusters", name);
  const json::object* mark = cluster ? MarkIn(*cluster) : nullptr;
  const json::value* kept = mark ? mark->if_contains("extension") : nullptr;
  return kept && kept->is_object() ? TextIn(kept->get_object(), kBefore) : "";
}

std::string CurrentContext(const json::object& config) { return TextIn(config, "current-context"); }

}  // namespace

Result<json::object> ParseKubeconfig(std::string_view text) {
  auto documents = ParseYaml(text);
  if (!documents) return NoKubeconfig(documents.error().message);
  if (documents->empty()) return json::object{{"apiVersion", "v1"}, {"kind", "Config"}};
  if (documents->size() > 1) return NoKubeconfig("it has several documents");
  json::value& value = documents->front().value;
  if (!value.is_object()) return NoKubeconfig("it is no map");
  const json::object& config = value.get_object();
  if (const json::value* kind = config.if_contains("kind"); kind && *kind != "Config") {
    return NoKubeconfig("its kind must be Config");
  }
  for (const std::string_view list : kLists) {
    const json::value* entries = config.if_contains(list);
    if (entries && !entries->is_array() && !entries->is_null()) {
      return NoKubeconfig(fmt::format("{} must be a list", list));
    }
  }
  return std::move(value.get_object());
}

std::string FreeName(const json::object& config,
                     const std::function<bool(const std::string& server)>& answers) {
  for (int number = 1;; ++number) {
    std::string name = number == 1 ? "basalt" : fmt::format("basalt-{}", number);
    const bool taken = std::ranges::any_of(
        kLists, [&](std::string_view list) { return FindNamed(config, list, name) != nullptr; });
    if (!taken) return name;
    const json::object* cluster = FindNamed(config, "clusters", name);
    const std::string server = cluster ? ServerOfUp(*cluster) : "";
    if (!server.empty() && !answers(server)) return name;
  }
}

std::string AddCluster(json::object& config, const std::string& name, const UpCluster& cluster) {
  std::string before = CurrentContext(config);
  if (before == name) before = ContextBefore(config, name);
  const json::object mark{{"name", kMark}, {"extension", json::object{{kBefore, before}}}};
  Put(config, "clusters", "cluster", name,
      {{"server", cluster.server},
       {"certificate-authority-data", Base64Encode(cluster.ca_pem)},
       {"extensions", json::array{mark}}});
  Put(config, "users", "user", name, {{"token", cluster.token}});
  Put(config, "contexts", "context", name, {{"cluster", name}, {"user", name}});
  config["current-context"] = name;
  return before;
}

bool RemoveCluster(json::object& config, const std::string& name, const std::string& server,
                   const std::string& before) {
  const json::object* cluster = FindNamed(config, "clusters", name);
  if (!cluster || ServerOfUp(*cluster) != server) return false;
  for (const std::string_view list : kLists) EraseNamed(config, list, name);
  if (CurrentContext(config) == name) {
    config["current-context"] = FindNamed(config, "contexts", before) ? before : "";
  }
  return true;
}

bool HasNoEntries(const json::object& config) {
  return std::ranges::all_of(kLists, [&](std::string_view list) {
    const json::value* entries = config.if_contains(list);
    return !entries || !entries->is_array() || entries->get_array().empty();
  });
}

}  // namespace basalt::cli
