#include <cstdio>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "apiserver/discovery/discovery.h"
#include "apiserver/rest/handlers.h"

namespace basalt::apiserver {
namespace {

// v2 before v1, v1 before v1beta1, as Kubernetes ranks them.
using RankedVersion = std::tuple<int, int, int, std::string>;

RankedVersion Ranked(const std::string& version) {
  int major = 0;
  int minor = 0;
  char stage[8] = "";
  std::sscanf(version.c_str(), "v%6d%7[a-z]%6d", &major, stage, &minor);
  const std::string_view name = stage;
  return {name.empty() ? 0 : name == "beta" ? 1 : 2, -major, -minor, version};
}

json::object ResponseKind(std::string_view kind, std::string_view group = "") {
  return {{"group", group}, {"version", group.empty() ? "" : "v1"}, {"kind", kind}};
}

json::array SubresourcesOf(const KindInfo& info) {
  json::array all;
  for (const SubresourceVerb& row : SubresourceVerbs()) {
    if (!info.Has(row.subresource)) continue;
    if (all.empty() || AsText(all.back().at("subresource")) != row.subresource) {
      all.push_back(
          {{"subresource", row.subresource},
           {"responseKind", ResponseKind(row.kind.empty() ? info.kind : row.kind, row.group)},
           {"verbs", json::array()}});
    }
    all.back().at("verbs").as_array().push_back(json::string(row.verb));
  }
  return all;
}

json::object ResourceOf(const KindInfo& info, json::array verbs) {
  json::object out{{"resource", info.plural},
                   {"responseKind", ResponseKind(info.kind)},
                   {"scope", info.namespaced ? "Namespaced" : "Cluster"},
                   {"singularResource", info.singular},
                   {"verbs", std::move(verbs)}};
  const auto put = [&out](std::string_view name, json::array list) {
    if (!list.empty()) out[name] = std::move(list);
  };
  put("shortNames", json::array(info.short_names.begin(), info.short_names.end()));
  put("categories", json::array(info.categories.begin(), info.categories.end()));
  put("subresources", SubresourcesOf(info));
  return out;
}

json::object OldVersion(std::string_view group, std::string_view version) {
  const std::string full = (group.empty() ? "" : std::string(group) + "/") + std::string(version);
  return {{"groupVersion", full}, {"version", version}};
}

// A resource or subresource in the older form.
json::object OldResource(const json::object& entry, std::string name, bool namespaced) {
  json::object out{{"name", std::move(name)},
                   {"singularName", GetString(entry, {"singularResource"})},
                   {"namespaced", namespaced}};
  if (const std::string_view group = GetString(entry, {"responseKind", "group"}); !group.empty()) {
    out["group"] = group;
    out["version"] = GetString(entry, {"responseKind", "version"});
  }
  out["kind"] = GetString(entry, {"responseKind", "kind"});
  for (const std::string_view field : {"verbs", "shortNames", "categories"}) {
    if (const json::value* list = entry.if_contains(field)) out[field] = *list;
  }
  return out;
}

}  // namespace

json::array ServedGroups(const KindRegistry& kinds) {
  std::map<std::string, std::map<RankedVersion, std::map<std::string, json::object>>> groups;
  const auto add = [&groups](const KindInfo& info, json::array verbs) {
    groups[info.group][Ranked(info.version)][info.plural] = ResourceOf(info, std::move(verbs));
  };
  for (const KindPtr& kind : kinds.All()) {
    json::array verbs{"create", "delete", "deletecollection", "get",
                      "list",   "patch",  "update",           "watch"};
    if (!kind->info.collection_deletion) verbs.erase(verbs.begin() + 2);
    add(kind->info, std::move(verbs));
  }
  for (const KindInfo& review : Reviews()) add(review, {"create"});
  json::array items;
  for (auto& [group, by_version] : groups) {
    json::array versions;
    for (auto& [version, by_name] : by_version) {
      json::array resources;
      for (auto& [name, resource] : by_name) resources.push_back(std::move(resource));
      versions.push_back({{"version", std::get<3>(version)},
                          {"resources", std::move(resources)},
                          {"freshness", "Current"}});
    }
    json::object metadata;
    if (!group.empty()) metadata["name"] = group;
    items.push_back({{"metadata", std::move(metadata)}, {"versions", std::move(versions)}});
  }
  return items;
}

const json::object* FindGroup(const json::array& groups, std::string_view name) {
  for (const json::value& group : groups) {
    if (Name(group.get_object()) == name) return &group.get_object();
  }
  return nullptr;
}

const json::object* FindVersion(const json::object& group, std::string_view version) {
  for (const json::value& item : ListAt(group, {"versions"})) {
    if (AsText(item.at("version")) == version) return &item.get_object();
  }
  return nullptr;
}

json::object OldGroup(const json::object& group) {
  json::array versions;
  for (const json::value& version : ListAt(group, {"versions"})) {
    versions.push_back(OldVersion(Name(group), AsText(version.at("version"))));
  }
  json::value preferred = versions.front();
  return {{"kind", "APIGroup"},
          {"apiVersion", "v1"},
          {"name", Name(group)},
          {"versions", std::move(versions)},
          {"preferredVersion", std::move(preferred)}};
}

json::object OldResources(const json::object& group, const json::object& version) {
  json::array list;
  for (const json::value& item : ListAt(version, {"resources"})) {
    const json::object& resource = item.get_object();
    const std::string name(GetString(resource, {"resource"}));
    const bool namespaced = GetString(resource, {"scope"}) == "Namespaced";
    list.push_back(OldResource(resource, name, namespaced));
    for (const json::value& part : ListAt(resource, {"subresources"})) {
      list.push_back(OldResource(
          part.get_object(), name + "/" + std::string(AsText(part.at("subresource"))), namespaced));
    }
  }
  json::object out = OldVersion(Name(group), GetString(version, {"version"}));
  out.erase("version");
  out["kind"] = "APIResourceList";
  out["apiVersion"] = "v1";
  out["resources"] = std::move(list);
  return out;
}

}  // namespace basalt::apiserver
