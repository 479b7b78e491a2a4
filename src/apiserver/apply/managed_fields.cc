#include "apiserver/apply/managed_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <set>
#include <tuple>

#include "apiserver/object/json_text.h"

namespace basalt::apiserver {
namespace {

// More that update than these are put together.
constexpr std::size_t kMostUpdaters = 10;
constexpr std::string_view kAncient = "ancient-changes";
constexpr std::string_view kBeforeFirstApply = "before-first-apply";
// kubectl's client-side apply keeps what it applied in this annotation.
constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";
constexpr std::size_t kMostLastApplied = 256 * 1024;

bool SameManager(const ManagedEntry& a, const ManagedEntry& b) {
  return a.manager == b.manager && a.applies == b.applies && a.subresource == b.subresource &&
         (a.applies || a.api_version == b.api_version);
}

// The part of the same manager; the end: it has none.
ManagedFields::iterator FindPart(ManagedFields& managed, const ManagedEntry& of) {
  return std::ranges::find_if(managed,
                              [&of](const ManagedEntry& entry) { return SameManager(entry, of); });
}

ManagedEntry EntryOf(const FieldWriter& writer, bool applies) {
  return {.manager = writer.manager.empty() ? "unknown" : writer.manager,
          .applies = applies,
          .api_version = writer.api_version,
          .subresource = writer.subresource};
}

json::object WithoutManaged(const json::object& object) {
  json::object copy = object;
  if (json::object* metadata = FindObject(copy, {"metadata"})) metadata->erase("managedFields");
  return copy;
}

// What the server owns and no manager does.
const FieldSet& NobodysFields() {
  static const auto* const kFields = new FieldSet(FieldSet::FromFieldsV1({
      {"f:apiVersion", json::object()},
      {"f:kind", json::object()},
      {"f:metadata",
       json::parse(R"({".":{},"f:name":{},"f:namespace":{},"f:creationTimestamp":{},"f:selfLink":{},
                       "f:uid":{},"f:generation":{},"f:managedFields":{},"f:resourceVersion":{}})")},
  }));
  return *kFields;
}

// Without what a write to this place cannot change: the status but through its subresource, all
// else there.
FieldSet Writable(FieldSet set, const FieldWriter& writer) {
  if (!writer.status_apart) return set;
  if (writer.subresource == "status") {
    std::erase_if(set.children, [](const auto& child) {
      return child.first != "f:status" && child.first != "f:metadata";
    });
  } else {
    set.children.erase("f:status");
  }
  return set;
}

Comparison Writable(Comparison changes, const FieldWriter& writer) {
  return {Writable(std::move(changes.set), writer), Writable(std::move(changes.removed), writer)};
}

void DropEmpty(ManagedFields& managed) {
  std::erase_if(managed, [](const ManagedEntry& entry) { return entry.fields.Empty(); });
}

// Puts the oldest of too many updaters together.
void CapUpdaters(ManagedFields& managed) {
  std::vector<ManagedEntry*> updaters;
  for (ManagedEntry& entry : managed) {
    if (!entry.applies) updaters.push_back(&entry);
  }
  if (updaters.size() <= kMostUpdaters) return;
  std::ranges::sort(updaters, {}, [](const ManagedEntry* entry) {
    return std::tie(entry->time, entry->manager, entry->subresource);
  });
  ManagedEntry ancient{.manager = std::string(kAncient),
                       .api_version = updaters.front()->api_version};
  const std::size_t together = updaters.size() - kMostUpdaters + 1;
  for (std::size_t i = 0; i < together; ++i) {
    ancient.time = updaters[i]->time;
    ancient.fields |= std::exchange(updaters[i]->fields, {});
  }
  DropEmpty(managed);
  managed.push_back(std::move(ancient));
}

std::string Shown(const ManagedEntry& entry) {
  std::string text = Quoted(entry.manager);
  if (!entry.subresource.empty()) {
    text += fmt::format(" with subresource {}", Quoted(entry.subresource));
  }
  if (!entry.applies) text += fmt::format(" using {}", entry.api_version);
  return text;
}

// One application, step by step.
class Application {
 public:
  explicit Application(const ApplyRequest& request)
      : request_(request),
        type_(request.type),
        live_(WithoutManaged(request.live)),
        self_(EntryOf(request.writer, /*applies=*/true)) {}

  std::expected<json::object, ApplyRefusal> Run() {
    const json::value applied(request_.applied);
    if (Result<void> checked = CheckApplied(applied, type_); !checked) {
      return std::unexpected(ApplyRefusal{.message = checked.error().message});
    }
    managed_ = ReadManagedFields(request_.live);
    if (managed_.empty() && !request_.creates) {
      FieldWriter before = request_.writer;
      before.manager = kBeforeFirstApply;
      managed_ = OwnChanges({}, request_.zero, live_.get_object(), type_, before);
    }
    json::value merged = MergeApplied(live_, applied, type_);
    TakeOver(applied);
    merged = Prune(std::move(merged));
    if (std::vector<FieldConflict> conflicts = Settle(merged); !conflicts.empty()) {
      return std::unexpected(ApplyRefusal{.conflicts = std::move(conflicts)});
    }
    const bool changed = merged != live_;
    json::object result = merged.is_object() ? std::move(merged.get_object()) : json::object();
    KeepLastApplied(result);
    if (const auto mine = FindPart(managed_, self_); mine != managed_.end()) {
      mine->fields -= NobodysFields();
      if (changed) mine->time = FormatTime(request_.writer.now);
    }
    DropEmpty(managed_);
    WriteManagedFields(std::move(managed_), result);
    return result;
  }

 private:
  // The manager's part becomes what it applies now; what it was is kept.
  void TakeOver(const json::value& applied) {
    FieldSet fields = Writable(FieldsOf(applied, type_), request_.writer);
    const auto mine = FindPart(managed_, self_);
    if (mine == managed_.end()) {
      self_.fields = std::move(fields);
      managed_.push_back(self_);
    } else {
      last_ = std::exchange(mine->fields, std::move(fields));
      mine->api_version = self_.api_version;
    }
  }

  // Takes away what the manager applied the last time, does not now, and no other manager owns.
  json::value Prune(json::value merged) const {
    if (last_.Empty()) return merged;
    const FieldSet last = WithNamedFields(last_, type_);
    FieldSet owned;
    for (const ManagedEntry& entry : managed_) owned |= entry.fields;
    owned = WithNamedFields(owned, type_);
    const FieldSet all = WithNamedFields(FieldsOf(merged, type_), type_);
    const auto fields_of = [this](const json::value& value) {
      return WithNamedFields(FieldsOf(value, type_), type_);
    };
    json::value pruned = Without(merged, last, type_);
    pruned = Without(merged, all - (fields_of(pruned) | owned), type_);
    return Without(merged, (all - fields_of(pruned)) & last, type_);
  }

  // Takes from the others what changes, or says what they would lose.
  std::vector<FieldConflict> Settle(const json::value& merged) {
    const Comparison changes = Writable(Compare(live_, merged, type_), request_.writer);
    std::vector<FieldConflict> conflicts;
    for (const ManagedEntry& entry : managed_) {
      if (request_.force || SameManager(entry, self_)) continue;
      for (std::string& path : (entry.fields & changes.set).Paths()) {
        if (Allowed(path)) continue;
        conflicts.push_back({.with = Shown(entry), .path = std::move(path)});
      }
    }
    if (!conflicts.empty()) return conflicts;
    for (ManagedEntry& entry : managed_) {
      if (SameManager(entry, self_)) continue;
      entry.fields -= changes.set;
      entry.fields -= changes.removed;
    }
    DropEmpty(managed_);
    return {};
  }

  // kubectl takes over without a conflict what its client-side apply set last, where that has not
  // changed since.
  bool Allowed(const std::string& path) {
    if (!last_applied_paths_) {
      last_applied_paths_.emplace();
      const std::string_view text = LastApplied(live_.get_object());
      const Result<json::value> parsed = ParseJson(self_.manager == "kubectl" ? text : "");
      if (parsed && parsed->is_object() &&
          GetString(parsed->get_object(), {"apiVersion"}) == self_.api_version) {
        const Comparison changes = Compare(*parsed, live_, type_);
        const FieldSet same = FieldsOf(*parsed, type_) - changes.set - changes.removed;
        for (std::string& owned : same.Paths()) last_applied_paths_->insert(std::move(owned));
      }
    }
    return last_applied_paths_->contains(path);
  }

  static std::string_view LastApplied(const json::object& object) {
    return GetString(object, {"metadata", "annotations", kLastApplied});
  }

  // What kubectl applies on the server's side, too, is what its client-side apply compares with.
  void KeepLastApplied(json::object& result) const {
    if (self_.manager != "kubectl" || LastApplied(result).empty()) return;
    json::object applied = request_.applied;
    if (json::object* annotations = FindObject(applied, {"metadata", "annotations"})) {
      annotations->erase(kLastApplied);
    }
    // Keys in order, as kubectl writes them.
    const std::string text = CanonicalText(applied) + "\n";
    json::object& annotations = Child(Metadata(result), "annotations");
    if (text.size() <= kMostLastApplied) {
      annotations[kLastApplied] = text;
    } else {
      annotations.erase(kLastApplied);
    }
  }

  const ApplyRequest& request_;
  const TypeSchema& type_;
  const json::value live_;
  ManagedEntry self_;
  ManagedFields managed_;
  FieldSet last_;
  std::optional<std::set<std::string>> last_applied_paths_;
};

}  // namespace

ManagedFields ReadManagedFields(const json::object& object) {
  ManagedFields managed;
  for (const json::value& item : ListAt(object, {"metadata", "managedFields"})) {
    const json::object& entry = AsObject(item);
    const std::string_view operation = GetString(entry, {"operation"});
    if (operation != "Apply" && operation != "Update") continue;
    ManagedEntry read{.manager = std::string(GetString(entry, {"manager"})),
                      .applies = operation == "Apply",
                      .api_version = std::string(GetString(entry, {"apiVersion"})),
                      .subresource = std::string(GetString(entry, {"subresource"})),
                      .time = std::string(GetString(entry, {"time"}))};
    if (const json::object* fields = FindObject(entry, {"fieldsV1"})) {
      read.fields = FieldSet::FromFieldsV1(*fields);
    }
    if (!read.fields.Empty()) managed.push_back(std::move(read));
  }
  return managed;
}

void WriteManagedFields(ManagedFields managed, json::object& object) {
  json::object& metadata = Metadata(object);
  if (managed.empty()) {
    metadata.erase("managedFields");
    return;
  }
  std::ranges::sort(managed, {}, [](const ManagedEntry& entry) {
    return std::tuple(!entry.applies, std::string_view(entry.time), std::string_view(entry.manager),
                      std::string_view(entry.api_version), std::string_view(entry.subresource));
  });
  json::array entries;
  for (const ManagedEntry& entry : managed) {
    json::object out{{"manager", entry.manager},
                     {"operation", entry.applies ? "Apply" : "Update"},
                     {"apiVersion", entry.api_version}};
    if (!entry.time.empty()) out["time"] = entry.time;
    out["fieldsType"] = "FieldsV1";
    out["fieldsV1"] = entry.fields.ToFieldsV1();
    if (!entry.subresource.empty()) out["subresource"] = entry.subresource;
    entries.push_back(std::move(out));
  }
  metadata["managedFields"] = std::move(entries);
}

ManagedFields OwnChanges(ManagedFields managed, const json::object& before,
                         const json::object& after, const TypeSchema& type,
                         const FieldWriter& writer) {
  const Comparison changes =
      Writable(Compare(WithoutManaged(before), WithoutManaged(after), type), writer);
  for (ManagedEntry& entry : managed) {
    entry.fields -= changes.set;
    entry.fields -= changes.removed;
  }
  const FieldSet taken = changes.set - NobodysFields();
  if (!taken.Empty()) {
    ManagedEntry self = EntryOf(writer, /*applies=*/false);
    auto mine = FindPart(managed, self);
    if (mine == managed.end()) mine = managed.insert(managed.end(), std::move(self));
    mine->fields |= taken;
    mine->time = FormatTime(writer.now);
  }
  DropEmpty(managed);
  CapUpdaters(managed);
  return managed;
}

std::expected<json::object, ApplyRefusal> ServerSideApply(const ApplyRequest& request) {
  return Application(request).Run();
}

}  // namespace basalt::apiserver
