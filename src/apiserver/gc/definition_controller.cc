#include "apiserver/gc/definition_controller.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <memory>
#include <utility>

#include "apiserver/crd/custom_rules.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/object/object.h"
#include "apiserver/rest/watch.h"
#include "base/log.h"

namespace basalt::apiserver {
namespace {

std::vector<std::string> Strings(const json::object& object, FieldPath path) {
  std::vector<std::string> out;
  for (const json::value& item : ListAt(object, path)) out.emplace_back(AsText(item));
  return out;
}

void SetDefinitionCondition(json::object& status, std::string_view type, std::string_view value,
                            std::string_view reason, std::string_view message, Time now) {
  SetCondition(status, {{"type", type},
                        {"status", value},
                        {"lastTransitionTime", FormatTime(now)},
                        {"reason", reason},
                        {"message", message}});
}

bool HasIgnoredRules(const json::object& definition) {
  const json::array& versions = ListAt(definition, {"spec", "versions"});
  return std::ranges::any_of(versions, [&definition](const json::value& version) {
    const auto rules = CustomRules::Make(definition, AsObject(version));
    return rules && (*rules)->has_ignored_rules();
  });
}

}  // namespace

DefinitionController::DefinitionController(Core& core)
    : core_(core),
      definitions_(core.store.Of("apiextensions.k8s.io", "customresourcedefinitions")) {
  core_.store.Subscribe(definitions_, *this);
}

DefinitionController::~DefinitionController() { core_.store.Unsubscribe(definitions_, *this); }

void DefinitionController::OnEvent(const StoreEvent& event) {
  const json::object definition = event.object->Parse();
  if (event.type == StoreEvent::Type::kDeleted) return Unregister(definition);
  // Only what is desired matters here: not our own writes of the status.
  if (event.previous != nullptr && !event.object->being_deleted) {
    const json::object before = event.previous->Parse();
    if (ObjectOf(before, "spec") == ObjectOf(definition, "spec")) return;
  }
  if (!Conflict(definition).empty()) {
    Unregister(definition);
  } else {
    Register(definition);
  }
  core_.loop.Post(
      scope_.Guard([this, name = std::string(Name(definition))] { WriteStatus(name); }));
}

void DefinitionController::Register(const json::object& definition) {
  const std::string group(GetString(definition, {"spec", "group"}));
  const std::string plural(GetString(definition, {"spec", "names", "plural"}));
  core_.kinds.Remove(group, plural);
  Collection& collection = core_.store.Of(group, plural);
  for (const json::value& item : ListAt(definition, {"spec", "versions"})) {
    if (!item.is_object() || !GetBool(item.get_object(), {"served"})) continue;
    const json::object& version = item.get_object();
    const Result<std::shared_ptr<const CustomRules>> rules = CustomRules::Make(definition, version);
    if (!rules) continue;  // validation has refused such a one before
    ServedKind kind;
    kind.info = {.group = group,
                 .version = std::string(GetString(version, {"name"})),
                 .kind = std::string(GetString(definition, {"spec", "names", "kind"})),
                 .list_kind = std::string(GetString(definition, {"spec", "names", "listKind"})),
                 .plural = plural,
                 .singular = std::string(GetString(definition, {"spec", "names", "singular"})),
                 .short_names = Strings(definition, {"spec", "names", "shortNames"}),
                 .categories = Strings(definition, {"spec", "names", "categories"}),
                 .namespaced = GetString(definition, {"spec", "scope"}) == "Namespaced",
                 .has_status = (*rules)->has_status(),
                 .has_scale = (*rules)->has_scale(),
                 .rules = *rules};
    kind.custom = *rules;
    kind.collection = &collection;
    core_.kinds.Add(std::move(kind));
  }
}

void DefinitionController::Unregister(const json::object& definition) {
  const std::string_view group = GetString(definition, {"spec", "group"});
  const std::string_view plural = GetString(definition, {"spec", "names", "plural"});
  const KindPtr kind = core_.kinds.FindResource(group, plural);
  if (kind == nullptr || kind->custom == nullptr) return;
  core_.kinds.Remove(group, plural);
  // Clients of the watches find out when they come back; not from within the write.
  core_.loop.Post(
      scope_.Guard([this, collection = kind->collection] { core_.watches->Close(collection); }));
}

std::string DefinitionController::Conflict(const json::object& definition) const {
  const std::string_view group = GetString(definition, {"spec", "group"});
  const std::string_view plural = GetString(definition, {"spec", "names", "plural"});
  const std::string_view name = GetString(definition, {"spec", "names", "kind"});
  for (const KindPtr& kind : core_.kinds.All()) {
    if (kind->info.group != group || (kind->custom != nullptr && kind->info.plural == plural)) {
      continue;
    }
    if (kind->info.kind == name) return fmt::format("\"{}\" is already in use", name);
    if (kind->info.plural == plural) return fmt::format("\"{}\" is already in use", plural);
  }
  return "";
}

void DefinitionController::WriteStatus(const std::string& name) {
  const StoredPtr stored = Store::Get(definitions_, name);
  if (stored == nullptr) return;
  json::object definition = stored->Parse();
  const json::object before = definition;
  const Time now = core_.loop.Now();
  json::object& status = Child(definition, "status");
  const std::string conflict = Conflict(definition);
  if (conflict.empty()) {
    status["acceptedNames"] = ObjectOf(ObjectOf(definition, "spec"), "names");
    SetDefinitionCondition(status, "NamesAccepted", "True", "NoConflicts", "no conflicts found",
                           now);
    SetDefinitionCondition(status, "Established", "True", "InitialNamesAccepted",
                           "the initial names have been accepted", now);
  } else {
    SetDefinitionCondition(status, "NamesAccepted", "False", "NameConflict", conflict, now);
    SetDefinitionCondition(status, "Established", "False", "NotAccepted",
                           "not all names are accepted", now);
  }
  if (HasIgnoredRules(definition)) {
    constexpr std::string_view kMessage =
        "the schema has x-kubernetes-validations, which this server does not evaluate";
    SetDefinitionCondition(status, "ValidationRulesIgnored", "True", "NotServed", kMessage, now);
    log::Warning(kMessage, {{"definition", name}});
  }
  if (stored->being_deleted) {
    SetDefinitionCondition(status, "Terminating", "True", "InstanceDeletionInProgress",
                           "CustomResource deletion is in progress", now);
  }
  if (definition != before) core_.store.Update(definitions_, name, std::move(definition));
}

}  // namespace basalt::apiserver
