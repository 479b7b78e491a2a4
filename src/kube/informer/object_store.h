#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kube/types/meta.h"

namespace basalt::kube {

// Objects of one type by namespace and name, with indexes; the type itself is known to Store<T>
// only. An object's key is in the object, so an entry costs a pointer and a mark: a store may hold
// 100,000 pods. Objects are immutable and shared. Owned by an informer; loop thread only.
class ObjectStore {
 public:
  using MetaOf = const ObjectMeta& (*)(const void* object);
  // Appends the keys under which an object is found in an index.
  using KeysOf = std::function<void(const void* object, std::vector<std::string>& keys)>;

  explicit ObjectStore(MetaOf meta_of) : meta_of_(meta_of), entries_(0, Hash{this}, Equal{this}) {}
  ObjectStore(const ObjectStore&) = delete;
  ObjectStore& operator=(const ObjectStore&) = delete;

  // What is in the store already is indexed too.
  void AddIndex(std::string name, KeysOf keys_of);

  std::size_t size() const { return entries_.size(); }
  // Null: there is none.
  AnyObject Find(std::string_view ns, std::string_view name) const;
  // In the order of namespace and name.
  std::vector<AnyObject> Sorted() const;
  // What `index` has under `key`, in the order of namespace and name. The index must exist.
  std::vector<AnyObject> FindByIndex(std::string_view index, std::string_view key) const;
  std::size_t CountByIndex(std::string_view index, std::string_view key) const;
  // In no particular order; `visit` must not change the store.
  template <class Visit>
  void ForEach(Visit&& visit) const {
    for (const Entry& entry : entries_) visit(entry.object);
  }

  // Adds the object or replaces the one of the same name, which it returns. The object is marked.
  AnyObject Put(AnyObject object);
  // Returns what it was. Null: there was none.
  AnyObject Erase(std::string_view ns, std::string_view name);

  // For finding what is no longer listed: UnmarkAll, Mark what is seen, take what is left.
  void UnmarkAll() { ++mark_; }
  void Mark(std::string_view ns, std::string_view name);
  std::vector<AnyObject> SortedUnmarked() const;

  const ObjectMeta& Meta(const AnyObject& object) const { return meta_of_(object.get()); }

 private:
  struct Entry {
    mutable AnyObject object;  // replaced by one with the same key only
    mutable std::uint32_t mark = 0;
  };
  struct Key {
    std::string_view ns;
    std::string_view name;
    auto operator<=>(const Key&) const = default;
  };
  struct Hash {
    using is_transparent = void;
    const ObjectStore* store;
    std::size_t operator()(const Entry& entry) const { return (*this)(store->KeyOf(entry.object)); }
    std::size_t operator()(const Key& key) const;
  };
  struct Equal {
    using is_transparent = void;
    const ObjectStore* store;
    template <class A, class B>
    bool operator()(const A& a, const B& b) const {
      return Of(a) == Of(b);
    }
    Key Of(const Key& key) const { return key; }
    Key Of(const Entry& entry) const { return store->KeyOf(entry.object); }
  };
  struct Index {
    std::string name;
    KeysOf keys_of;
    boost::unordered_flat_map<std::string, boost::unordered_flat_set<const void*>> objects;
  };

  Key KeyOf(const AnyObject& object) const { return KeyOf(object.get()); }
  Key KeyOf(const void* object) const;
  const Index& FindIndex(std::string_view name) const;
  void AddToIndex(Index& index, const void* object);
  void RemoveFromIndex(Index& index, const void* object);
  void Sort(std::vector<AnyObject>& objects) const;

  MetaOf meta_of_;
  boost::unordered_flat_set<Entry, Hash, Equal> entries_;
  std::vector<Index> indexes_;
  std::uint32_t mark_ = 0;
  std::vector<std::string> scratch_keys_;
};

}  // namespace basalt::kube
