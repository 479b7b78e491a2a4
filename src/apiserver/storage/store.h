#pragma once

#include <deque>
#include <functional>
#include <map>

#include "apiserver/object/object.h"
#include "base/loop.h"

namespace basalt::apiserver {

// One version of one object: the text that clients get, and what selectors look at. Immutable, so
// that the store, the history and the responses under way share it.
struct StoredObject {
  std::string key;  // "NAMESPACE/NAME", or "NAME" where the kind has no namespaces
  // Compact JSON with its resourceVersion, without kind and apiVersion: lists of built-in kinds
  // leave them out, and a custom resource is served under several versions.
  std::string text;
  std::uint64_t version = 0;
  std::string labels;  // key, NUL, value, NUL, …
  std::string fields;  // the values of the collection's kept_fields, each with a NUL behind it
  // What garbage collection looks at.
  std::string uid;
  std::vector<std::string> owner_uids;
  bool being_deleted = false;

  json::object Parse() const;
  // What it takes in memory.
  std::size_t Bytes() const;
  std::string_view ns() const;
  std::string_view name() const { return std::string_view(key).substr(key.find('/') + 1); }
  std::optional<std::string_view> Label(std::string_view label) const;
  // The next label of what is left of `labels`, which is cut off it.
  static std::pair<std::string_view, std::string_view> NextLabel(std::string_view& rest);
  // Of the collection's kept_fields, by its place there.
  std::string_view Field(std::size_t index) const;
};
using StoredPtr = std::shared_ptr<const StoredObject>;

struct Collection;
struct KeptState;
class Persistence;

struct StoreEvent {
  enum class Type { kAdded, kModified, kDeleted };
  Type type = Type::kAdded;
  std::uint64_t version = 0;
  Collection* collection = nullptr;
  StoredPtr object;    // of a deletion: the last state, with the version of the deletion
  StoredPtr previous;  // null for kAdded
};

// Told of every write to the collections that it has subscribed to, on the loop's thread. Outlives
// its subscription.
class EventSink {
 public:
  virtual ~EventSink() = default;
  // Called within the write. May unsubscribe any sink, must not write.
  virtual void OnEvent(const StoreEvent& event) = 0;
};

// The objects of one resource (all its versions).
struct Collection {
  std::string group;
  std::string plural;
  std::map<std::string, StoredPtr, std::less<>> objects;
  std::uint64_t last_change = 0;
  std::vector<EventSink*> sinks;  // null: gone while events were delivered
  // Fields that are asked for often, kept beside each object so that a selector need not parse it.
  std::vector<std::string> kept_fields;
  std::function<std::string(const json::object&, const std::string& field)> field_value;

  // Calls `see` with each object whose key begins so. It must not write.
  template <class See>
  void ForEach(std::string_view key_prefix, See see) const {
    for (auto it = objects.lower_bound(key_prefix); it != objects.end(); ++it) {
      if (!it->first.starts_with(key_prefix)) break;
      see(it->second);
    }
  }
};

// All objects, in memory (and beyond, in a Persistence, where that is asked for), under one version
// counter, with a bounded history of changes from which watches resume and past states are read
// again. Owned by the server; loop thread only, no locks.
// Invariant: every write bumps the version by one and is in the history until compaction.
class Store {
 public:
  struct Limits {
    std::size_t events = 200'000;
    // What only the history still holds, all that belongs to a version counted and not its text
    // alone.
    std::size_t bytes = 96 * 1024 * 1024;
  };
  // Versions start above `first_version`.
  Store(std::uint64_t first_version, Limits limits);

  // Made on first use; stays for the life of the store.
  Collection& Of(std::string_view group, std::string_view plural);
  const Collection* Find(std::string_view group, std::string_view plural) const;

  std::uint64_t version() const { return version_; }
  // States before this version can no longer be told.
  std::uint64_t oldest_version() const { return compacted_; }

  static StoredPtr Get(const Collection& collection, std::string_view key) {
    const auto it = collection.objects.find(key);
    return it == collection.objects.end() ? nullptr : it->second;
  }

  // Each sets metadata.resourceVersion and returns what is stored now (Delete: what was, with the
  // version of its end). The key must be absent (Create), present (the others); each throws where
  // it is not, and has then written nothing.
  StoredPtr Create(Collection& collection, std::string key, json::object object);
  StoredPtr Update(Collection& collection, std::string_view key, json::object object) {
    return Replace(StoreEvent::Type::kModified, collection, key, std::move(object));
  }
  StoredPtr Delete(Collection& collection, std::string_view key, json::object object) {
    return Replace(StoreEvent::Type::kDeleted, collection, key, std::move(object));
  }

  void Subscribe(Collection& collection, EventSink& sink) { collection.sinks.push_back(&sink); }
  void Unsubscribe(Collection& collection, EventSink& sink);
  // Sees the events of all collections, after the collection's own sinks.
  void SubscribeToAll(EventSink& sink) { all_sinks_.push_back(&sink); }

  // The events of `collection` after `version` (>= oldest_version()), oldest first, until `visit`
  // returns false.
  void Replay(const Collection& collection, std::uint64_t version,
              const std::function<bool(const StoreEvent&)>& visit) const;

  // Visits what the collection held at `version` (>= oldest_version()), in key order, from the
  // first key >= `from`, until `visit` returns false.
  void Scan(const Collection& collection, std::uint64_t version, std::string_view from,
            const std::function<bool(const StoredPtr&)>& visit) const;

  // Holds what `kept` has, at its version and without a history; its sinks are told once all of it
  // is there. Before the first write. Throws where an object cannot be read.
  void Restore(KeptState kept);
  // Every change from now on goes there before a sink is told of it; must outlive the store.
  void KeepIn(Persistence& persistence) { persistence_ = &persistence; }

  // Forgets the whole history.
  void Compact();

 private:
  StoredPtr Make(const Collection& collection, std::string key, json::object& object);
  StoredPtr Replace(StoreEvent::Type how, Collection& collection, std::string_view key,
                    json::object object);
  void Record(StoreEvent event);
  void Tell(const StoreEvent& event);
  void DropOldest();

  Limits limits_;
  std::uint64_t version_;
  std::uint64_t compacted_;
  std::map<std::pair<std::string, std::string>, std::unique_ptr<Collection>, std::less<>>
      collections_;
  std::deque<StoreEvent> history_;
  std::size_t history_bytes_ = 0;
  std::vector<EventSink*> all_sinks_;
  int delivering_ = 0;
  Persistence* persistence_ = nullptr;
};

// One object as it is kept beyond the process: StoredObject's key and text.
struct KeptObject {
  std::string group;
  std::string plural;
  std::string key;
  std::uint64_t version = 0;
  std::string text;
};

// What was kept before this process began.
struct KeptState {
  std::uint64_t version = 0;  // of the last change; 0: nothing was ever kept
  std::vector<KeptObject> objects;
};

// Where the store's changes go so that they outlive the process. No client may hear of a change
// before it is safe: neither the one that asked for it nor those that watch (server.cc). Outlives
// the store; loop thread only.
class Persistence {
 public:
  virtual ~Persistence() = default;

  // Takes the change; returns before it is safe. Called in the order of versions.
  virtual void Keep(const StoreEvent& event) = 0;
  // Runs `callback` when all that was kept so far is safe, at once where it is; callbacks run in
  // their order. Where it can no longer become safe they never run.
  virtual void AfterSafe(Callback callback) = 0;
};

}  // namespace basalt::apiserver
