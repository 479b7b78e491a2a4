#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/check.h"

namespace basalt::model {

// Objects under dense ids, at addresses that never change. A removed slot is used again, last freed
// first. Walking goes by id. Owned by the Cluster, on its thread.
template <class T, class IdType>
class SlotTable {
 public:
  SlotTable() = default;
  SlotTable(const SlotTable&) = delete;
  SlotTable& operator=(const SlotTable&) = delete;

  template <class... Args>
  std::pair<IdType, T*> Emplace(Args&&... args) {
    std::uint32_t index;
    if (free_.empty()) {
      index = size_++;
      if ((index >> kShift) == chunks_.size()) {
        chunks_.push_back(std::make_unique<Chunk>());
      }
    } else {
      index = free_.back();
      free_.pop_back();
    }
    std::unique_ptr<T>& slot = SlotToChange(index);
    slot = std::make_unique<T>(std::forward<Args>(args)...);
    ++live_;
    return {IdType{index}, slot.get()};
  }
  void Erase(IdType id) {
    std::unique_ptr<T>& slot = SlotToChange(id.value);
    BASALT_CHECK(slot != nullptr);
    slot.reset();
    free_.push_back(id.value);
    --live_;
  }

  T* Find(IdType id) { return id.value < size_ ? SlotToChange(id.value).get() : nullptr; }
  const T* Find(IdType id) const {
    return id.value < size_ ? const_cast<SlotTable*>(this)->Slot(id.value).get() : nullptr;
  }
  T& operator[](IdType id) { return *SlotToChange(id.value); }
  const T& operator[](IdType id) const { return *const_cast<SlotTable*>(this)->Slot(id.value); }

  // From now on the table notes which slots are made, freed, or handed out to be changed. A copy
  // that is taken a part at a time needs that list.
  void NoteChanges() {
    noted_ = std::make_unique<Noted>(Noted{.is_listed = std::vector<bool>(size_)});
  }
  // Those slots, in their order; noting is over.
  std::vector<std::uint32_t> TakeNoted() {
    if (!noted_) return {};
    const auto noted = std::exchange(noted_, nullptr);
    std::ranges::sort(noted->slots);
    return std::move(noted->slots);
  }

  std::size_t live() const { return live_; }
  // One more than the largest id ever given.
  std::uint32_t bound() const { return size_; }

  template <class Fn>
  void ForEach(Fn fn) const {
    for (std::uint32_t i = 0; i < size_; ++i) {
      if (const T* item = Find(IdType{i})) fn(*item);
    }
  }
  template <class Fn>
  void ForEach(Fn fn) {
    for (std::uint32_t i = 0; i < size_; ++i) {
      if (T* item = Find(IdType{i})) fn(*item);
    }
  }

 private:
  static constexpr int kShift = 10;
  struct Chunk {
    std::unique_ptr<T> slots[1u << kShift];
  };
  std::unique_ptr<T>& Slot(std::uint32_t index) {
    return chunks_[index >> kShift]->slots[index & ((1u << kShift) - 1)];
  }

  // A list, so that taking it costs what changed and not what there is.
  struct Noted {
    std::vector<bool> is_listed;  // by slot
    std::vector<std::uint32_t> slots;

    void Add(std::uint32_t index, std::uint32_t size) {
      if (index >= is_listed.size()) is_listed.resize(size);
      if (is_listed[index]) return;
      is_listed[index] = true;
      slots.push_back(index);
    }
  };
  std::unique_ptr<T>& SlotToChange(std::uint32_t index) {
    if (noted_) [[unlikely]]
      noted_->Add(index, size_);
    return Slot(index);
  }

  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::vector<std::uint32_t> free_;
  std::uint32_t size_ = 0;
  std::size_t live_ = 0;
  std::unique_ptr<Noted> noted_;  // nullptr: changes are not noted
};

}  // namespace basalt::model
