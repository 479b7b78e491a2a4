#include "apiserver/storage/kind_registry.h"

#include <boost/json/value.hpp>

#include "apiserver/object/json_text.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {

std::string ServedKind::Key(std::string_view ns, std::string_view name) const {
  if (!info.namespaced) return std::string(name);
  std::string key(ns);
  key += '/';
  key += name;
  return key;
}

void ServedKind::AppendText(std::string& out, const StoredObject& object) const {
  if (from_stored != nullptr) return AppendJson(out, Load(object));
  out += prefix;
  out.append(object.text, 1);
}

std::string ServedKind::Text(const StoredObject& object) const {
  std::string out;
  out.reserve(prefix.size() + object.text.size());
  AppendText(out, object);
  return out;
}

void ServedKind::AppendItem(std::string& out, const StoredObject& object) const {
  if (custom != nullptr) return AppendText(out, object);
  if (from_stored == nullptr) {
    out += object.text;
    return;
  }
  json::object item = Load(object);
  item.erase("kind");
  item.erase("apiVersion");
  AppendJson(out, item);
}

json::object ServedKind::ToStored(json::object object) const {
  return to_stored == nullptr ? std::move(object) : to_stored(object);
}

json::object ServedKind::Load(const StoredObject& object) const {
  json::object parsed = object.Parse();
  if (from_stored != nullptr) parsed = from_stored(parsed);
  parsed["kind"] = info.kind;
  parsed["apiVersion"] = info.ApiVersion();
  return parsed;
}

void KindRegistry::Add(ServedKind kind) {
  ++revision_;
  kind.prefix = "{\"kind\":";
  AppendJsonString(kind.prefix, kind.info.kind);
  kind.prefix += ",\"apiVersion\":";
  AppendJsonString(kind.prefix, kind.info.ApiVersion());
  kind.prefix += ',';
  auto key = std::tuple(kind.info.group, kind.info.version, kind.info.plural);
  kinds_[std::move(key)] = std::make_shared<const ServedKind>(std::move(kind));
}

void KindRegistry::Remove(std::string_view group, std::string_view plural) {
  ++revision_;
  std::erase_if(kinds_, [&](const auto& entry) {
    return entry.second->info.group == group && entry.second->info.plural == plural;
  });
}

KindPtr KindRegistry::Find(std::string_view group, std::string_view version,
                           std::string_view plural) const {
  const auto it =
      kinds_.find(std::tuple(std::string(group), std::string(version), std::string(plural)));
  return it == kinds_.end() ? nullptr : it->second;
}

KindPtr KindRegistry::FindByKind(std::string_view api_version, std::string_view kind) const {
  for (const auto& [key, served] : kinds_) {
    if (served->info.kind == kind && served->info.ApiVersion() == api_version) return served;
  }
  return nullptr;
}

KindPtr KindRegistry::FindResource(std::string_view group, std::string_view plural) const {
  for (const auto& [key, served] : kinds_) {
    if (served->info.group == group && served->info.plural == plural) return served;
  }
  return nullptr;
}

bool KindRegistry::HasGroup(std::string_view group) const {
  const auto it = kinds_.lower_bound(std::tuple(std::string(group), std::string(), std::string()));
  return it != kinds_.end() && it->second->info.group == group;
}

std::vector<KindPtr> KindRegistry::All() const {
  std::vector<KindPtr> all;
  for (const auto& [key, served] : kinds_) all.push_back(served);
  return all;
}

}  // namespace basalt::apiserver
