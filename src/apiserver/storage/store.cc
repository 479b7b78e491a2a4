#include "apiserver/storage/store.h"

#include <algorithm>
#include <stdexcept>

#include "apiserver/object/barrier.h"
#include "apiserver/object/json_text.h"

namespace basalt::apiserver {
namespace {

std::string PackLabels(const json::object& object) {
  std::string packed;
  const json::object* labels = FindObject(object, {"metadata", "labels"});
  if (labels == nullptr) return packed;
  for (const auto& [key, value] : *labels) {
    if (!value.is_string()) continue;
    packed.append(key.data(), key.size());
    packed += '\0';
    packed.append(value.get_string().data(), value.get_string().size());
    packed += '\0';
  }
  packed.shrink_to_fit();
  return packed;
}

// Fills in all that is known of an object besides its key, version and text.
void Describe(const Collection& collection, const json::object& object, StoredObject& stored) {
  stored.labels = PackLabels(object);
  for (const std::string& field : collection.kept_fields) {
    stored.fields += collection.field_value(object, field);
    stored.fields += '\0';
  }
  stored.uid = Uid(object);
  stored.being_deleted = IsBeingDeleted(object);
  for (const json::value& owner : ListAt(object, {"metadata", "ownerReferences"})) {
    if (owner.is_object()) stored.owner_uids.emplace_back(GetString(owner.get_object(), {"uid"}));
  }
}

// What only the history still holds.
std::size_t HistoryBytes(const StoreEvent& event) {
  return sizeof(event) + (event.previous ? event.previous->Bytes() : 0) +
         (event.type == StoreEvent::Type::kDeleted ? event.object->Bytes() : 0);
}

}  // namespace

json::object StoredObject::Parse() const { return std::move(AsObject(ParseOwnJson(text))); }

std::size_t StoredObject::Bytes() const {
  std::size_t bytes = sizeof(*this);
  for (const std::string* part : {&key, &text, &labels, &fields, &uid}) bytes += part->capacity();
  for (const std::string& owner : owner_uids) bytes += sizeof(owner) + owner.capacity();
  return bytes;
}

std::string_view StoredObject::ns() const {
  const std::size_t slash = key.find('/');
  return std::string_view(key).substr(0, slash == key.npos ? 0 : slash);
}

std::pair<std::string_view, std::string_view> StoredObject::NextLabel(std::string_view& rest) {
  const std::size_t key_end = rest.find('\0');
  const std::size_t value_end = rest.find('\0', key_end + 1);
  const std::pair label(rest.substr(0, key_end), rest.substr(key_end + 1, value_end - key_end - 1));
  rest.remove_prefix(value_end + 1);
  return label;
}

std::optional<std::string_view> StoredObject::Label(std::string_view label) const {
  for (std::string_view rest = labels; !rest.empty();) {
    const auto [name, value] = NextLabel(rest);
    if (name == label) return value;
  }
  return std::nullopt;
}

std::string_view StoredObject::Field(std::size_t index) const {
  std::string_view rest = fields;
  for (; index > 0; --index) rest.remove_prefix(std::min(rest.find('\0'), rest.size() - 1) + 1);
  return rest.substr(0, rest.find('\0'));
}

Store::Store(std::uint64_t first_version, Limits limits)
    : limits_(limits), version_(first_version), compacted_(first_version) {}

Collection& Store::Of(std::string_view group, std::string_view plural) {
  std::unique_ptr<Collection>& slot =
      collections_[std::pair(std::string(group), std::string(plural))];
  if (slot == nullptr) {
    slot = std::make_unique<Collection>();
    slot->group = group;
    slot->plural = plural;
  }
  return *slot;
}

const Collection* Store::Find(std::string_view group, std::string_view plural) const {
  const auto it = collections_.find(std::pair(std::string(group), std::string(plural)));
  return it == collections_.end() ? nullptr : it->second.get();
}

StoredPtr Store::Make(const Collection& collection, std::string key, json::object& object) {
  const std::uint64_t version = version_ + 1;  // counts once nothing can throw any more
  Metadata(object)["resourceVersion"] = std::to_string(version);
  object.erase("kind");
  object.erase("apiVersion");
  auto stored = std::make_shared<StoredObject>();
  stored->key = std::move(key);
  stored->version = version;
  Describe(collection, object, *stored);
  // A copy of the right size: the buffer it is built in has grown beyond it.
  static thread_local std::string buffer;
  buffer.clear();
  AppendJson(buffer, object);
  stored->text = std::string(buffer);
  version_ = version;
  return stored;
}

StoredPtr Store::Create(Collection& collection, std::string key, json::object object) {
  if (collection.objects.contains(key)) throw std::logic_error("the key is taken: " + key);
  StoredPtr stored = Make(collection, key, object);
  collection.objects.emplace(std::move(key), stored);
  Record({StoreEvent::Type::kAdded, version_, &collection, stored, nullptr});
  return stored;
}

StoredPtr Store::Replace(StoreEvent::Type how, Collection& collection, std::string_view key,
                         json::object object) {
  const auto it = collection.objects.find(key);
  if (it == collection.objects.end()) {
    throw std::logic_error("there is no such key: " + std::string(key));
  }
  StoredPtr stored = Make(collection, it->first, object);
  StoredPtr previous = std::exchange(it->second, stored);
  if (how == StoreEvent::Type::kDeleted) collection.objects.erase(it);
  Record({how, version_, &collection, stored, std::move(previous)});
  return stored;
}

void Store::Record(StoreEvent event) {
  Collection& collection = *event.collection;
  collection.last_change = event.version;
  history_bytes_ += HistoryBytes(event);
  history_.push_back(event);
  while (history_.size() > limits_.events || history_bytes_ > limits_.bytes) DropOldest();
  if (persistence_ != nullptr) persistence_->Keep(event);
  Tell(event);
}

void Store::Tell(const StoreEvent& event) {
  Collection& collection = *event.collection;
  // A sink that fails does not keep the event from the others.
  const auto tell = [&event](EventSink& sink) {
    Survives("telling of a write", [&] { sink.OnEvent(event); });
  };
  ++delivering_;
  for (std::size_t i = 0; i < collection.sinks.size(); ++i) {
    if (collection.sinks[i] != nullptr) tell(*collection.sinks[i]);
  }
  for (EventSink* sink : all_sinks_) tell(*sink);
  --delivering_;
  if (delivering_ == 0) std::erase(collection.sinks, nullptr);
}

void Store::Restore(KeptState kept) {
  version_ = compacted_ = kept.version;
  std::vector<StoreEvent> restored;
  restored.reserve(kept.objects.size());
  for (KeptObject& object : kept.objects) {
    Collection& collection = Of(object.group, object.plural);
    auto stored = std::make_shared<StoredObject>();
    stored->key = std::move(object.key);
    stored->version = object.version;
    stored->text = std::move(object.text);
    Describe(collection, stored->Parse(), *stored);
    collection.objects.insert_or_assign(stored->key, stored);
    collection.last_change = std::max(collection.last_change, stored->version);
    restored.push_back(
        {StoreEvent::Type::kAdded, stored->version, &collection, std::move(stored), nullptr});
  }
  for (const StoreEvent& event : restored) Tell(event);
}

void Store::DropOldest() {
  history_bytes_ -= HistoryBytes(history_.front());
  compacted_ = history_.front().version;
  history_.pop_front();
}

void Store::Compact() {
  history_.clear();
  history_bytes_ = 0;
  compacted_ = version_;
}

void Store::Unsubscribe(Collection& collection, EventSink& sink) {
  const auto it = std::find(collection.sinks.begin(), collection.sinks.end(), &sink);
  if (it == collection.sinks.end()) return;
  if (delivering_ > 0) {
    *it = nullptr;
  } else {
    collection.sinks.erase(it);
  }
}

void Store::Replay(const Collection& collection, std::uint64_t version,
                   const std::function<bool(const StoreEvent&)>& visit) const {
  auto it =
      std::upper_bound(history_.begin(), history_.end(), version,
                       [](std::uint64_t v, const StoreEvent& event) { return v < event.version; });
  for (; it != history_.end(); ++it) {
    if (it->collection == &collection && !visit(*it)) return;
  }
}

void Store::Scan(const Collection& collection, std::uint64_t version, std::string_view from,
                 const std::function<bool(const StoredPtr&)>& visit) const {
  // What was at `version` where it is not what is now; null: nothing was.
  std::map<std::string_view, StoredPtr> then;
  for (auto it = history_.rbegin(); it != history_.rend() && it->version > version; ++it) {
    if (it->collection == &collection) then[it->object->key] = it->previous;
  }
  auto now_it = collection.objects.lower_bound(from);
  auto then_it = then.lower_bound(from);
  while (now_it != collection.objects.end() || then_it != then.end()) {
    StoredPtr object;
    if (then_it == then.end() ||
        (now_it != collection.objects.end() && now_it->first < then_it->first)) {
      object = now_it->second;
      ++now_it;
    } else {
      object = then_it->second;
      if (now_it != collection.objects.end() && now_it->first == then_it->first) ++now_it;
      ++then_it;
    }
    if (object != nullptr && !visit(object)) return;
  }
}

}  // namespace basalt::apiserver
