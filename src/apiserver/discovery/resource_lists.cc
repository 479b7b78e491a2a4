#include "apiserver/discovery/resource_lists.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <utility>

#include "apiserver/rest/reviews.h"

namespace basalt::apiserver {
namespace {

// A resource or subresource as discovery shows it.
struct ListEntry {
  std::string name;  // of a subresource: its last part
  std::string kind;
  std::string group;  // of the kind, where it is not the version's own
  std::string version;
  std::vector<std::string> verbs;
};

struct Resource {
  ListEntry entry;
  std::string singular;
  bool namespaced = true;
  std::vector<std::string> short_names;
  std::vector<std::string> categories;
  std::vector<ListEntry> subresources;
};

const std::vector<std::string> kReadWrite = {"get", "patch", "update"};

// A subresource that is no part of its object.
ListEntry Apart(const KindInfo& info, const std::string& name) {
  if (name == "binding") return {.name = name, .kind = "Binding", .verbs = {"create"}};
  if (name == "eviction") {
    return {
        .name = name, .kind = "Eviction", .group = "policy", .version = "v1", .verbs = {"create"}};
  }
  if (name == "token") {
    return {.name = name,
            .kind = "TokenRequest",
            .group = "authentication.k8s.io",
            .version = "v1",
            .verbs = {"create"}};
  }
  return {.name = name, .kind = info.kind, .verbs = {name == "log" ? "get" : "update"}};
}

Resource ResourceOf(const KindInfo& info) {
  Resource resource;
  resource.entry = {
      .name = info.plural,
      .kind = info.kind,
      .verbs = {"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}};
  if (!info.collection_deletion) std::erase(resource.entry.verbs, "deletecollection");
  resource.singular = info.singular;
  resource.namespaced = info.namespaced;
  resource.short_names = info.short_names;
  resource.categories = info.categories;
  for (const std::string& name : info.subresources) {
    resource.subresources.push_back(Apart(info, name));
  }
  if (info.has_scale) {
    resource.subresources.push_back({.name = "scale",
                                     .kind = "Scale",
                                     .group = "autoscaling",
                                     .version = "v1",
                                     .verbs = kReadWrite});
  }
  if (info.has_status) {
    resource.subresources.push_back({.name = "status", .kind = info.kind, .verbs = kReadWrite});
  }
  return resource;
}

// Resources that are asked and not stored.
std::vector<Resource> Virtual(std::string_view group, std::string_view version) {
  const auto create_only = [](std::string name, std::string singular, std::string kind,
                              bool namespaced) {
    return Resource{
        .entry = {.name = std::move(name), .kind = std::move(kind), .verbs = {"create"}},
        .singular = std::move(singular),
        .namespaced = namespaced};
  };
  if (group.empty() && version == "v1")
    return {create_only("bindings", "binding", "Binding", true)};
  std::vector<Resource> reviews;
  for (const KindInfo& kind : Reviews()) {
    if (kind.group != group || kind.version != version) continue;
    reviews.push_back(create_only(kind.plural, kind.singular, kind.kind, kind.namespaced));
  }
  return reviews;
}

json::array ToArray(const std::vector<std::string>& items) {
  return json::array(items.begin(), items.end());
}

json::object OldForm(const ListEntry& entry, std::string name, std::string_view singular,
                     bool namespaced) {
  json::object out{{"name", std::move(name)},
                   {"singularName", json::string(singular)},
                   {"namespaced", namespaced}};
  if (!entry.group.empty()) {
    out["group"] = entry.group;
    out["version"] = entry.version;
  }
  out["kind"] = entry.kind;
  out["verbs"] = ToArray(entry.verbs);
  return out;
}

json::object ResponseKind(const ListEntry& entry) {
  return {{"group", entry.group}, {"version", entry.version}, {"kind", entry.kind}};
}

json::object NewForm(const Resource& resource) {
  json::object out{{"resource", resource.entry.name},
                   {"responseKind", ResponseKind(resource.entry)},
                   {"scope", resource.namespaced ? "Namespaced" : "Cluster"},
                   {"singularResource", resource.singular},
                   {"verbs", ToArray(resource.entry.verbs)}};
  if (!resource.short_names.empty()) out["shortNames"] = ToArray(resource.short_names);
  if (!resource.categories.empty()) out["categories"] = ToArray(resource.categories);
  if (!resource.subresources.empty()) {
    json::array& list = (out["subresources"] = json::array()).as_array();
    for (const ListEntry& entry : resource.subresources) {
      list.push_back(json::object{{"subresource", entry.name},
                                  {"responseKind", ResponseKind(entry)},
                                  {"verbs", ToArray(entry.verbs)}});
    }
  }
  return out;
}

json::object VersionEntry(std::string_view group, const std::string& version) {
  const std::string full = group.empty() ? version : std::string(group) + "/" + version;
  return {{"groupVersion", full}, {"version", version}};
}

// v2 before v1, v1 before v1beta1, as Kubernetes ranks them.
std::pair<int, std::string> Rank(const std::string& version) {
  std::size_t digits = 1;
  while (digits < version.size() && version[digits] >= '0' && version[digits] <= '9') ++digits;
  const std::string rest = version.substr(digits);
  const int stability = rest.empty() ? 0 : rest.starts_with("beta") ? 1 : 2;
  // Higher numbers first: count down from a number beyond any.
  std::string number = version.substr(1, digits - 1);
  number.insert(0, number.size() < 6 ? 6 - number.size() : 0, '0');
  for (char& c : number) c = static_cast<char>('9' - (c - '0'));
  return {stability, number + rest};
}

std::vector<Resource> Collect(const std::vector<KindPtr>& kinds, std::string_view group,
                              std::string_view version) {
  std::vector<Resource> resources = Virtual(group, version);
  for (const KindPtr& kind : kinds) {
    if (kind->info.group == group && kind->info.version == version) {
      resources.push_back(ResourceOf(kind->info));
    }
  }
  std::ranges::sort(resources, {}, [](const Resource& resource) { return resource.entry.name; });
  return resources;
}

}  // namespace

std::vector<std::string> ResourceLists::Groups() const {
  std::vector<std::string> groups{"authentication.k8s.io", "authorization.k8s.io"};
  for (const KindPtr& kind : kinds_) {
    if (kind->info.group.empty()) continue;
    if (std::ranges::find(groups, kind->info.group) == groups.end()) {
      groups.push_back(kind->info.group);
    }
  }
  std::ranges::sort(groups);
  return groups;
}

std::vector<std::string> ResourceLists::VersionsOf(std::string_view group) const {
  std::vector<std::string> versions;
  if (group == "authentication.k8s.io" || group == "authorization.k8s.io") {
    versions.push_back("v1");
  }
  for (const KindPtr& kind : kinds_) {
    if (kind->info.group == group &&
        std::ranges::find(versions, kind->info.version) == versions.end()) {
      versions.push_back(kind->info.version);
    }
  }
  std::ranges::sort(versions, {}, Rank);
  return versions;
}

json::object ResourceLists::Group(std::string_view group) const {
  const std::vector<std::string> versions = VersionsOf(group);
  if (versions.empty()) return {};
  json::array list;
  for (const std::string& version : versions) list.push_back(VersionEntry(group, version));
  return {{"kind", "APIGroup"},
          {"apiVersion", "v1"},
          {"name", json::string(group)},
          {"versions", std::move(list)},
          {"preferredVersion", VersionEntry(group, versions.front())}};
}

json::object ResourceLists::GroupList() const {
  json::array groups;
  for (const std::string& name : Groups()) {
    json::object group = Group(name);
    group.erase("kind");
    group.erase("apiVersion");
    groups.push_back(std::move(group));
  }
  return {{"kind", "APIGroupList"}, {"apiVersion", "v1"}, {"groups", std::move(groups)}};
}

json::object ResourceLists::Resources(std::string_view group, std::string_view version) const {
  const std::vector<Resource> resources = Collect(kinds_, group, version);
  if (resources.empty()) return {};
  json::array list;
  for (const Resource& resource : resources) {
    json::object item =
        OldForm(resource.entry, resource.entry.name, resource.singular, resource.namespaced);
    if (!resource.short_names.empty()) item["shortNames"] = ToArray(resource.short_names);
    if (!resource.categories.empty()) item["categories"] = ToArray(resource.categories);
    list.push_back(std::move(item));
    for (const ListEntry& entry : resource.subresources) {
      list.push_back(
          OldForm(entry, resource.entry.name + "/" + entry.name, "", resource.namespaced));
    }
  }
  json::object out{{"kind", "APIResourceList"}};
  if (!group.empty()) out["apiVersion"] = "v1";
  out["groupVersion"] =
      group.empty() ? std::string(version) : std::string(group) + "/" + std::string(version);
  out["resources"] = std::move(list);
  return out;
}

json::object ResourceLists::Aggregated(bool core) const {
  json::array items;
  for (const std::string& group : core ? std::vector<std::string>{""} : Groups()) {
    json::array versions;
    for (const std::string& version : VersionsOf(group)) {
      json::array resources;
      for (const Resource& resource : Collect(kinds_, group, version)) {
        resources.push_back(NewForm(resource));
      }
      versions.push_back(json::object{
          {"version", version}, {"resources", std::move(resources)}, {"freshness", "Current"}});
    }
    json::object metadata;
    if (!group.empty()) metadata["name"] = group;
    items.push_back(
        json::object{{"metadata", std::move(metadata)}, {"versions", std::move(versions)}});
  }
  return {{"kind", "APIGroupDiscoveryList"},
          {"apiVersion", "apidiscovery.k8s.io/v2"},
          {"metadata", json::object()},
          {"items", std::move(items)}};
}

std::vector<std::string> ResourceLists::Versions() const {
  std::vector<std::string> all;
  for (const std::string& version : VersionsOf("")) all.push_back("api/" + version);
  for (const std::string& group : Groups()) {
    for (const std::string& version : VersionsOf(group)) {
      all.push_back("apis/" + group + "/" + version);
    }
  }
  return all;
}

}  // namespace basalt::apiserver
