#include "kube/types/string_map.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"

namespace basalt::kube {
namespace {

constexpr std::size_t kWord = sizeof(std::uint32_t);

bool ByKey(const StringMap::Entry& a, const StringMap::Entry& b) { return a.key < b.key; }

}  // namespace

StringMap::StringMap(std::initializer_list<std::pair<std::string_view, std::string_view>> entries) {
  std::vector<Entry> list;
  list.reserve(entries.size());
  for (const auto& [key, value] : entries) list.push_back({key, value});
  *this = StringMap(std::move(list));
}

StringMap StringMap::FromScratch(std::vector<Entry>& entries) {
  const auto disorder = [](const Entry& a, const Entry& b) { return a.key >= b.key; };
  if (std::adjacent_find(entries.begin(), entries.end(), disorder) != entries.end()) {
    std::reverse(entries.begin(), entries.end());  // so that the last of equal keys comes first
    std::stable_sort(entries.begin(), entries.end(), ByKey);
    const auto same = [](const Entry& a, const Entry& b) { return a.key == b.key; };
    entries.erase(std::unique(entries.begin(), entries.end(), same), entries.end());
  }
  StringMap map;
  map.Assign(entries);
  return map;
}

StringMap::StringMap(const StringMap& other) {
  if (!other.block_) return;
  const std::size_t bytes = other.BlockBytes();
  block_ = std::make_unique_for_overwrite<std::uint32_t[]>((bytes + kWord - 1) / kWord);
  std::memcpy(block_.get(), other.block_.get(), bytes);
}

StringMap& StringMap::operator=(const StringMap& other) {
  if (this != &other) *this = StringMap(other);
  return *this;
}

void StringMap::Assign(const std::vector<Entry>& sorted) {
  block_.reset();
  if (sorted.empty()) return;
  std::size_t text = 0;
  for (const Entry& entry : sorted) text += entry.key.size() + entry.value.size();
  BASALT_CHECK(text <= UINT32_MAX);
  const std::size_t header = 1 + 2 * sorted.size();
  auto block = std::make_unique_for_overwrite<std::uint32_t[]>(header + (text + kWord - 1) / kWord);
  block[0] = static_cast<std::uint32_t>(sorted.size());
  char* const start = reinterpret_cast<char*>(&block[header]);
  char* to = start;
  std::size_t slot = 1;
  for (const Entry& entry : sorted) {
    for (const std::string_view part : {entry.key, entry.value}) {
      to = std::copy(part.begin(), part.end(), to);
      block[slot++] = static_cast<std::uint32_t>(to - start);
    }
  }
  block_ = std::move(block);
}

std::size_t StringMap::BlockBytes() const {
  const std::size_t slots = 2 * size();
  return kWord * (1 + slots) + block_[slots];
}

StringMap::Entry StringMap::operator[](std::size_t index) const {
  const std::uint32_t* ends = &block_[1 + 2 * index];
  const std::uint32_t start = index == 0 ? 0 : ends[-1];
  const char* text = Text();
  return {std::string_view(text + start, ends[0] - start),
          std::string_view(text + ends[0], ends[1] - ends[0])};
}

std::optional<std::string_view> StringMap::Find(std::string_view key) const {
  std::size_t low = 0;
  std::size_t high = size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    const Entry entry = (*this)[middle];
    const int order = entry.key.compare(key);
    if (order == 0) return entry.value;
    if (order < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return std::nullopt;
}

void StringMap::Set(std::string_view key, std::string_view value) {
  std::vector<Entry> entries(begin(), end());
  const Entry entry{key, value};
  const auto at = std::lower_bound(entries.begin(), entries.end(), entry, ByKey);
  if (at != entries.end() && at->key == key) {
    at->value = value;
  } else {
    entries.insert(at, entry);
  }
  StringMap next;  // the entries point into this map
  next.Assign(entries);
  *this = std::move(next);
}

void StringMap::Erase(std::string_view key) {
  if (!Contains(key)) return;
  std::vector<Entry> entries(begin(), end());
  std::erase_if(entries, [&](const Entry& entry) { return entry.key == key; });
  StringMap next;
  next.Assign(entries);
  *this = std::move(next);
}

bool StringMap::operator==(const StringMap& other) const {
  return size() == other.size() && std::equal(begin(), end(), other.begin());
}

}  // namespace basalt::kube
