#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace basalt::scheduler {

// A heap ordered by `before`, which is asked anew at each step: what it compares may change while
// an item is not in the queue.
template <class T>
class PriorityQueue {
 public:
  explicit PriorityQueue(std::function<bool(const T&, const T&)> before)
      : after_([before = std::move(before)](const T& a, const T& b) { return before(b, a); }) {}

  void Push(T item) {
    items_.push_back(std::move(item));
    std::push_heap(items_.begin(), items_.end(), after_);
  }
  T Pop() {
    std::pop_heap(items_.begin(), items_.end(), after_);
    T item = std::move(items_.back());
    items_.pop_back();
    return item;
  }
  bool empty() const { return items_.empty(); }
  std::size_t size() const { return items_.size(); }
  // In no order.
  const std::vector<T>& items() const { return items_; }

 private:
  std::function<bool(const T&, const T&)> after_;
  std::vector<T> items_;
};

}  // namespace basalt::scheduler
