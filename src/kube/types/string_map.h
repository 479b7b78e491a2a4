#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace basalt::kube {

// Labels, annotations and the like: strings to strings, sorted by key. The whole map is one
// allocation (none when empty), since a cluster holds hundreds of thousands of them and changes
// few. A plain value; views that it hands out live until it changes or goes.
class StringMap {
 public:
  struct Entry {
    std::string_view key;
    std::string_view value;
    bool operator==(const Entry&) const = default;
  };
  class Iterator;

  StringMap() = default;
  StringMap(std::initializer_list<std::pair<std::string_view, std::string_view>> entries);
  // Any order; of equal keys the last one counts.
  explicit StringMap(std::vector<Entry> entries) { *this = FromScratch(entries); }
  // The same; reorders `entries`.
  static StringMap FromScratch(std::vector<Entry>& entries);
  StringMap(const StringMap& other);
  StringMap(StringMap&&) noexcept = default;
  StringMap& operator=(const StringMap& other);
  StringMap& operator=(StringMap&&) noexcept = default;

  std::size_t size() const { return block_ ? block_[0] : 0; }
  bool empty() const { return size() == 0; }
  Entry operator[](std::size_t index) const;  // in the order of the keys
  Iterator begin() const;
  Iterator end() const;

  std::optional<std::string_view> Find(std::string_view key) const;
  bool Contains(std::string_view key) const { return Find(key).has_value(); }
  // The value, or `fallback` where there is none.
  std::string_view Get(std::string_view key, std::string_view fallback = {}) const {
    return Find(key).value_or(fallback);
  }

  // Both rebuild the map.
  void Set(std::string_view key, std::string_view value);
  void Erase(std::string_view key);

  bool operator==(const StringMap& other) const;

 private:
  void Assign(const std::vector<Entry>& sorted);
  std::size_t BlockBytes() const;
  const char* Text() const { return reinterpret_cast<const char*>(&block_[1 + 2 * size()]); }

  // The number of entries n, then for each the end of its key and of its value in the text, then
  // the text: all keys and values one after the other.
  std::unique_ptr<std::uint32_t[]> block_;
};

// Goes through the entries in the order of their keys. A plain value, valid until the map changes.
class StringMap::Iterator {
 public:
  using value_type = Entry;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::input_iterator_tag;
  using pointer = const Entry*;
  using reference = Entry;

  Iterator() = default;
  Iterator(const StringMap* map, std::size_t index) : map_(map), index_(index) {}
  Entry operator*() const { return (*map_)[index_]; }
  Iterator& operator++() {
    ++index_;
    return *this;
  }
  Iterator operator++(int) {
    Iterator before = *this;
    ++index_;
    return before;
  }
  bool operator==(const Iterator& other) const { return index_ == other.index_; }

 private:
  const StringMap* map_ = nullptr;
  std::size_t index_ = 0;
};

inline StringMap::Iterator StringMap::begin() const { return Iterator(this, 0); }
inline StringMap::Iterator StringMap::end() const { return Iterator(this, size()); }

}  // namespace basalt::kube
