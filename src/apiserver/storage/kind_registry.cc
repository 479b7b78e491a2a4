#include "apiserver/storage/kind_registry.h"

#include <fmt/format.h>

#include "apiserver/object/json_text.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {

std::string ServedKind::Key(std::string_view ns, std::string_view name) const {
  return info.namespaced ? fmt::format("{}/{}", ns, name) : std::string(name);
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

json::object ServedKind::Load(const StoredObject& object) const {
  json::object parsed = object.Parse();
  if (from_stored != nullptr) parsed = from_stored(parsed);
  parsed["kind"] = info.kind;
  parsed["apiVersion"] = info.ApiVersion();
  return parsed;
}

void KindRegistry::Add(ServedKind kind) {
  ++revision_;
  kind.prefix = fmt::format("{{\"kind\":{},\"apiVersion\":{},", Quoted(kind.info.kind),
                            Quoted(kind.info.ApiVersion()));
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

KindPtr KindRegistry::FindIf(FunctionRef<bool(const KindInfo&)> matches) const {
  for (const auto& [key, served] : kinds_) {
    if (matches(served->info)) return served;
  }
  return nullptr;
}

std::vector<KindPtr> KindRegistry::All() const {
  std::vector<KindPtr> all;
  for (const auto& [key, served] : kinds_) all.push_back(served);
  return all;
}

}  // namespace basalt::apiserver
