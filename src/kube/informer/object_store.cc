#include "kube/informer/object_store.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace basalt::kube {

std::size_t ObjectStore::Hash::operator()(const Key& key) const {
  const std::hash<std::string_view> hash;
  return hash(key.name) ^ (hash(key.ns) * 0x9e3779b97f4a7c15u);
}

ObjectStore::Key ObjectStore::KeyOf(const void* object) const {
  const ObjectMeta& meta = meta_of_(object);
  return {meta.ns, meta.name};
}

const ObjectStore::Index& ObjectStore::FindIndex(std::string_view name) const {
  const auto found = std::find_if(indexes_.begin(), indexes_.end(),
                                  [&](const Index& index) { return index.name == name; });
  BASALT_CHECK(found != indexes_.end());
  return *found;
}

void ObjectStore::AddIndex(std::string name, KeysOf keys_of) {
  Index& index = indexes_.emplace_back(std::move(name), std::move(keys_of));
  for (const Entry& entry : entries_) AddToIndex(index, entry.object.get());
}

void ObjectStore::AddToIndex(Index& index, const void* object) {
  scratch_keys_.clear();
  index.keys_of(object, scratch_keys_);
  for (const std::string& key : scratch_keys_) index.objects[key].insert(object);
}

void ObjectStore::RemoveFromIndex(Index& index, const void* object) {
  scratch_keys_.clear();
  index.keys_of(object, scratch_keys_);
  for (const std::string& key : scratch_keys_) {
    const auto found = index.objects.find(key);
    if (found == index.objects.end()) continue;  // the same key twice
    found->second.erase(object);
    if (found->second.empty()) index.objects.erase(found);
  }
}

AnyObject ObjectStore::Find(std::string_view ns, std::string_view name) const {
  const auto found = entries_.find(Key{ns, name});
  return found == entries_.end() ? nullptr : found->object;
}

void ObjectStore::Sort(std::vector<AnyObject>& objects) const {
  std::sort(objects.begin(), objects.end(),
            [this](const AnyObject& a, const AnyObject& b) { return KeyOf(a) < KeyOf(b); });
}

std::vector<AnyObject> ObjectStore::Sorted() const {
  std::vector<AnyObject> objects;
  objects.reserve(entries_.size());
  for (const Entry& entry : entries_) objects.push_back(entry.object);
  Sort(objects);
  return objects;
}

std::vector<AnyObject> ObjectStore::SortedUnmarked() const {
  std::vector<AnyObject> objects;
  for (const Entry& entry : entries_) {
    if (entry.mark != mark_) objects.push_back(entry.object);
  }
  Sort(objects);
  return objects;
}

std::vector<AnyObject> ObjectStore::FindByIndex(std::string_view index,
                                                std::string_view key) const {
  std::vector<AnyObject> objects;
  const auto& by_key = FindIndex(index).objects;
  const auto found = by_key.find(std::string(key));
  if (found == by_key.end()) return objects;
  objects.reserve(found->second.size());
  for (const void* object : found->second) {
    const auto entry = entries_.find(KeyOf(object));
    objects.push_back(entry->object);
  }
  Sort(objects);
  return objects;
}

std::size_t ObjectStore::CountByIndex(std::string_view index, std::string_view key) const {
  const auto& by_key = FindIndex(index).objects;
  const auto found = by_key.find(std::string(key));
  return found == by_key.end() ? 0 : found->second.size();
}

AnyObject ObjectStore::Put(AnyObject object) {
  const void* added = object.get();
  AnyObject old;
  if (const auto found = entries_.find(KeyOf(added)); found != entries_.end()) {
    old = std::exchange(found->object, std::move(object));
    found->mark = mark_;
    for (Index& index : indexes_) RemoveFromIndex(index, old.get());
  } else {
    entries_.insert(Entry{std::move(object), mark_});
  }
  for (Index& index : indexes_) AddToIndex(index, added);
  return old;
}

AnyObject ObjectStore::Erase(std::string_view ns, std::string_view name) {
  const auto found = entries_.find(Key{ns, name});
  if (found == entries_.end()) return nullptr;
  AnyObject old = found->object;  // keeps the key alive while the entry goes
  for (Index& index : indexes_) RemoveFromIndex(index, old.get());
  entries_.erase(found);
  return old;
}

void ObjectStore::Mark(std::string_view ns, std::string_view name) {
  if (const auto found = entries_.find(Key{ns, name}); found != entries_.end()) {
    found->mark = mark_;
  }
}

}  // namespace basalt::kube
