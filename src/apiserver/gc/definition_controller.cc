#include <fmt/format.h>

#include <algorithm>

#include "apiserver/gc/controllers.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/custom_kind.h"
#include "apiserver/object/object.h"
#include "apiserver/rest/watch.h"
#include "base/log.h"

namespace basalt::apiserver {
namespace {

std::vector<std::string> Strings(const json::object& object, std::string_view field) {
  std::vector<std::string> out;
  for (const json::value& item : ListOf(object, field)) out.emplace_back(AsText(item));
  return out;
}

bool HasIgnoredRules(const json::object& definition) {
  const json::array& versions = ListAt(definition, {"spec", "versions"});
  return std::ranges::any_of(versions, [&definition](const json::value& version) {
    const auto rules = CustomKind::Make(definition, AsObject(version));
    return rules && (*rules)->has_ignored_rules();
  });
}

class DefinitionController final : public EventSink {
 public:
  explicit DefinitionController(Core& core)
      : core_(core),
        definitions_(core.store.Of("apiextensions.k8s.io", "customresourcedefinitions")) {
    core_.store.Subscribe(definitions_, *this);
  }

  ~DefinitionController() override { core_.store.Unsubscribe(definitions_, *this); }

  void OnEvent(const StoreEvent& event) override {
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

 private:
  void Register(const json::object& definition) {
    const std::string group(GetString(definition, {"spec", "group"}));
    const std::string plural(GetString(definition, {"spec", "names", "plural"}));
    core_.kinds.Remove(group, plural);
    Collection& collection = core_.store.Of(group, plural);
    for (const json::value& item : ListAt(definition, {"spec", "versions"})) {
      if (!item.is_object() || !GetBool(item.get_object(), {"served"})) continue;
      const json::object& version = item.get_object();
      const Result<std::shared_ptr<const CustomKind>> rules = CustomKind::Make(definition, version);
      if (!rules) continue;  // validation has refused such a one before
      const json::object& names = ObjectOf(ObjectOf(definition, "spec"), "names");
      ServedKind kind;
      kind.info = {.group = group,
                   .version = std::string(GetString(version, {"name"})),
                   .kind = std::string(GetString(names, {"kind"})),
                   .list_kind = std::string(GetString(names, {"listKind"})),
                   .plural = plural,
                   .singular = std::string(GetString(names, {"singular"})),
                   .short_names = Strings(names, "shortNames"),
                   .categories = Strings(names, "categories"),
                   .namespaced = GetString(definition, {"spec", "scope"}) == "Namespaced",
                   .has_status = (*rules)->has_status(),
                   .has_scale = (*rules)->has_scale(),
                   .rules = *rules};
      kind.custom = *rules;
      kind.collection = &collection;
      core_.kinds.Add(std::move(kind));
    }
  }

  void Unregister(const json::object& definition) {
    const std::string_view group = GetString(definition, {"spec", "group"});
    const std::string_view plural = GetString(definition, {"spec", "names", "plural"});
    const KindPtr kind = core_.kinds.FindResource(group, plural);
    if (kind == nullptr || kind->custom == nullptr) return;
    core_.kinds.Remove(group, plural);
    // Clients of the watches find out when they come back; not from within the write.
    core_.loop.Post(
        scope_.Guard([this, collection = kind->collection] { core_.watches->Close(collection); }));
  }

  // Why another definition's names stand against these; empty: nothing does.
  std::string Conflict(const json::object& definition) const {
    const std::string_view group = GetString(definition, {"spec", "group"});
    const std::string_view plural = GetString(definition, {"spec", "names", "plural"});
    const std::string_view name = GetString(definition, {"spec", "names", "kind"});
    for (const KindPtr& kind : core_.kinds.All()) {
      const bool itself = kind->custom != nullptr && kind->info.plural == plural;
      if (kind->info.group != group || itself) continue;
      if (kind->info.kind == name || kind->info.plural == plural) {
        return fmt::format("\"{}\" is already in use", kind->info.kind == name ? name : plural);
      }
    }
    return "";
  }

  void WriteStatus(const std::string& name) {
    const StoredPtr stored = Store::Get(definitions_, name);
    if (stored == nullptr) return;
    json::object definition = stored->Parse();
    const json::object before = definition;
    json::object& status = Child(definition, "status");
    const auto set = [&](std::string_view type, std::string_view value, std::string_view reason,
                         std::string_view message) {
      SetCondition(status, {{"type", type},
                            {"status", value},
                            {"lastTransitionTime", FormatTime(core_.loop.Now())},
                            {"reason", reason},
                            {"message", message}});
    };
    const std::string conflict = Conflict(definition);
    if (conflict.empty()) {
      status["acceptedNames"] = ObjectOf(ObjectOf(definition, "spec"), "names");
      set("NamesAccepted", "True", "NoConflicts", "no conflicts found");
      set("Established", "True", "InitialNamesAccepted", "the initial names have been accepted");
    } else {
      set("NamesAccepted", "False", "NameConflict", conflict);
      set("Established", "False", "NotAccepted", "not all names are accepted");
    }
    if (HasIgnoredRules(definition)) {
      constexpr std::string_view kMessage =
          "the schema has x-kubernetes-validations, which this server does not evaluate";
      set("ValidationRulesIgnored", "True", "NotServed", kMessage);
      log::Warning(kMessage, {{"definition", name}});
    }
    if (stored->being_deleted) {
      set("Terminating", "True", "InstanceDeletionInProgress",
          "CustomResource deletion is in progress");
    }
    if (definition != before) core_.store.Update(definitions_, name, std::move(definition));
  }

  Core& core_;
  Collection& definitions_;
  Scope scope_;
};

}  // namespace

std::unique_ptr<EventSink> MakeDefinitionController(Core& core) {
  return std::make_unique<DefinitionController>(core);
}

}  // namespace basalt::apiserver
