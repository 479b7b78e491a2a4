#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kube/informer/reflector.h"
#include "kube/types/codec.h"
#include "kube/types/kind_traits.h"

namespace basalt::kube {

template <class T>
struct InformerEvent {
  InformerEventKind kind;
  std::shared_ptr<const T> old_object;  // Updated, Deleted: what was last delivered
  std::shared_ptr<const T> object;      // Added, Updated
};

// What an informer knows now. Owned by the informer and lives as long; loop thread only.
template <class T>
class Store {
 public:
  using Object = std::shared_ptr<const T>;

  explicit Store(ObjectStore& objects) : objects_(objects) {}

  std::size_t size() const { return objects_.size(); }
  // Null: there is none. Cluster-scoped objects have an empty namespace.
  Object Find(std::string_view ns, std::string_view name) const {
    return std::static_pointer_cast<const T>(objects_.Find(ns, name));
  }
  // In the order of namespace and name.
  std::vector<Object> Sorted() const { return Cast(objects_.Sorted()); }
  // What the index has under `key`, in the order of namespace and name.
  std::vector<Object> FindByIndex(std::string_view index, std::string_view key) const {
    return Cast(objects_.FindByIndex(index, key));
  }
  std::size_t CountByIndex(std::string_view index, std::string_view key) const {
    return objects_.CountByIndex(index, key);
  }
  // In no particular order: for sums and the like. `visit` takes a const T&.
  template <class Visit>
  void ForEach(Visit&& visit) const {
    objects_.ForEach([&](const AnyObject& object) { visit(*static_cast<const T*>(object.get())); });
  }

 private:
  static std::vector<Object> Cast(std::vector<AnyObject> objects) {
    std::vector<Object> cast;
    cast.reserve(objects.size());
    for (AnyObject& object : objects) {
      cast.push_back(std::static_pointer_cast<const T>(std::move(object)));
    }
    return cast;
  }

  ObjectStore& objects_;
};

template <class T>
ObjectCodec CodecOf() {
  return {
      .meta_of = [](const void* object) -> const ObjectMeta& {
        return static_cast<const T*>(object)->meta;
      },
      .decode_page = [](std::string_view body,
                        std::vector<Result<AnyObject>>& items) -> Result<void> {
        auto meta = DecodeList<T>(body, [&items](Result<T> item) {
          if (item) {
            items.push_back(std::make_shared<const T>(std::move(*item)));
          } else {
            items.push_back(std::unexpected(std::move(item.error())));
          }
        });
        if (!meta) return std::unexpected(std::move(meta.error()));
        return {};
      },
      .decode_frame = &DecodeWatchFrame<T>,
  };
}

// A local copy of all objects of one kind that follows the server: lists them, then watches,
// through disconnects, restarts and compaction of the server's history. Every change of the store
// is delivered once, in order, as an event to the one consumer; after the first complete list comes
// kSynced. Applying the events to an empty map gives the store, at any time.
//
// Owned by its consumer; the client must outlive it. Loop thread only; events are delivered on the
// loop, never from within Start. The consumer may stop or destroy the informer from an event.
template <class T>
class Informer {
 public:
  using Consumer = std::function<void(InformerEvent<T>)>;

  Informer(Client& client, Consumer consumer, ReflectorOptions options = {})
      : reflector_(client, KindTraits<T>::resource, CodecOf<T>(), std::move(options),
                   [consumer = std::move(consumer)](InformerEventKind kind, const AnyObject& old,
                                                    const AnyObject& object) {
                     if (!consumer) return;
                     consumer({kind, std::static_pointer_cast<const T>(old),
                               std::static_pointer_cast<const T>(object)});
                   }),
        store_(reflector_.store()) {}

  // An index by what `keys_of` says of each object, e.g. pods by node. Best before Start.
  void AddIndex(std::string name, std::function<std::vector<std::string>(const T&)> keys_of) {
    reflector_.store().AddIndex(
        std::move(name),
        [keys_of = std::move(keys_of)](const void* object, std::vector<std::string>& keys) {
          keys = keys_of(*static_cast<const T*>(object));
        });
  }
  void Start() { reflector_.Start(); }
  void Stop() { reflector_.Stop(); }

  // The first list is complete and delivered.
  bool HasSynced() const { return reflector_.HasSynced(); }
  const Store<T>& store() const { return store_; }
  std::uint64_t bad_items() const { return reflector_.bad_items(); }
  // Told of each object, or version of one, that cannot be decoded and is left out.
  void OnBadItem(Reflector::BadItemHandler handler) { reflector_.OnBadItem(std::move(handler)); }
  const std::string& resource_version() const { return reflector_.resource_version(); }
  const ReflectorStats& stats() const { return reflector_.stats(); }

 private:
  Reflector reflector_;
  Store<T> store_;
};

}  // namespace basalt::kube
