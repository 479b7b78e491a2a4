#include "apiserver/kinds/builtin.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "apiserver/data/tables.h"
#include "apiserver/kinds/builtin_rules.h"
#include "apiserver/kinds/field_checks.h"
#include "apiserver/schema/builtin_types.h"
#include "base/ascii.h"
#include "base/check.h"

namespace basalt::apiserver {
namespace {

template <class Property>
using Words = std::pair<std::string_view, Property>;

// Said of a kind, they turn what it is otherwise around.
constexpr Words<bool KindInfo::*> kKindFlags[] = {
    {"graceful", &KindInfo::graceful_deletion},
    {"orphans", &KindInfo::orphans},
    {"noCollectionDeletion", &KindInfo::collection_deletion},
    {"returnsDeleted", &KindInfo::returns_deleted},
    {"needsVersion", &KindInfo::update_needs_version},
    {"putCreates", &KindInfo::put_creates},
};
constexpr Words<bool KindTraits::*> kTraitFlags[] = {
    {"generation", &KindTraits::generation},
    {"updatesUnchecked", &KindTraits::updates_are_checked},
    {"keepsStatus", &KindTraits::keeps_status},
};
constexpr Words<std::vector<std::string> KindInfo::*> kLists[] = {
    {"short", &KindInfo::short_names},
    {"categories", &KindInfo::categories},
    {"subresources", &KindInfo::subresources},
};
constexpr Words<NameCheck> kNames[] = {
    {"dnsLabel", syntax::Dns1123Label},
    {"pathSegment", syntax::PathSegment},
};

// What is told to who creates an object that nobody acts on.
std::string IdleText(std::string_view why, std::string_view kind) {
  if (why == "permissions") {
    return fmt::format("who has a token may do everything here: a {} is stored and nobody asks it",
                       kind);
  }
  return fmt::format("no controller here acts on {} {}: it is stored and nothing comes of it",
                     kind.starts_with('I') ? "an" : "a", kind);
}

template <class Table>
auto FindIn(const Table& table, std::string_view word) {
  const auto found = std::ranges::find(table, word, [](const auto& entry) { return entry.first; });
  return found == std::end(table) ? nullptr : &found->second;
}

void ReadProperty(std::string_view word, KindInfo& info, KindTraits& traits) {
  const std::size_t equals = std::min(word.find('='), word.size());
  const std::string_view name = word.substr(0, equals);
  const std::string_view value = word.substr(std::min(equals + 1, word.size()));
  if (const auto* flag = FindIn(kKindFlags, name)) {
    info.*(*flag) = !(info.*(*flag));
  } else if (const auto* trait = FindIn(kTraitFlags, name)) {
    traits.*(*trait) = !(traits.*(*trait));
  } else if (const auto* list = FindIn(kLists, name)) {
    info.*(*list) = Split(value, ',');
  } else if (name == "select") {
    for (const std::string& field : Split(value, ',')) {
      traits.selectable[field.substr(0, field.find(':'))] = field.substr(field.find(':') + 1);
    }
  } else if (name == "idle") {
    info.idle = IdleText(value, info.kind);
  } else {
    const NameCheck* check = FindIn(kNames, value);
    BASALT_CHECK(name == "name" && check != nullptr);
    traits.name_check = *check;
  }
}

// The entry of a kind in data/kinds.txt: ID GROUP VERSION PLURAL SCOPE SUBRESOURCES...
std::string_view WireEntry(std::string_view type) {
  std::string_view text = KindsText();
  for (std::string_view entry = NextEntry(text); !entry.empty(); entry = NextEntry(text)) {
    if (NextWord(entry) == type) return entry;
  }
  BASALT_CHECK(false);
  return {};
}

KindInfo Make(std::string_view type, std::string_view words) {
  KindInfo info{.kind = std::string(type.substr(type.find('.') + 1)), .has_status = false};
  info.schema = FindBuiltinType(type);
  BASALT_CHECK(info.schema != nullptr);
  info.list_kind = info.kind + "List";
  info.singular = ToLower(info.kind);
  std::string_view entry = WireEntry(type);
  info.group = NextWord(entry);
  if (info.group == "core") info.group.clear();
  info.version = NextWord(entry);
  info.plural = NextWord(entry);
  info.namespaced = NextWord(entry) == "namespaced";
  for (std::string_view part = NextWord(entry); !part.empty(); part = NextWord(entry)) {
    info.has_status |= part == "status";
    info.has_scale |= part == "scale";
  }
  KindTraits traits{.namespaced = info.namespaced};
  for (std::string_view word = NextWord(words); !word.empty(); word = NextWord(words)) {
    if (word == "cells") {
      traits.cells = std::exchange(words, {});
    } else {
      ReadProperty(word, info, traits);
    }
  }
  info.rules = std::make_shared<BuiltinRules>(*info.schema, std::move(traits));
  return info;
}

}  // namespace

std::vector<KindInfo> BuiltinKinds() {
  std::vector<KindInfo> kinds;
  std::string_view text = BuiltinText();
  for (std::string_view entry = NextEntry(text); !entry.empty(); entry = NextEntry(text)) {
    if (entry.starts_with('#')) continue;
    std::string_view types = entry.substr(0, entry.find('\n'));
    const std::string_view words = entry.substr(types.size());
    for (std::string_view type = NextWord(types); !type.empty(); type = NextWord(types)) {
      kinds.push_back(Make(type, words));
    }
  }
  return kinds;
}

std::vector<json::object> InitialObjects() {
  std::vector<json::object> objects;
  for (const char* name : {"default", "kube-system", "kube-public", "kube-node-lease"}) {
    objects.push_back(
        {{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", name}}}});
  }
  for (const auto& [name, value, description] :
       {std::tuple("system-node-critical", 2000001000,
                   "Used for system critical pods that must not be moved from their current node."),
        std::tuple("system-cluster-critical", 2000000000,
                   "Used for system critical pods that must run in the cluster, but can be moved "
                   "to another node if necessary.")}) {
    objects.push_back({{"apiVersion", "scheduling.k8s.io/v1"},
                       {"kind", "PriorityClass"},
                       {"metadata", {{"name", name}}},
                       {"value", value},
                       {"description", description}});
  }
  return objects;
}

}  // namespace basalt::apiserver
