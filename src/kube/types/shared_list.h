#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace basalt::kube {

// A list that copies share until one of them changes it. Pods of one template have the same
// containers, tolerations and so on, and decoding gives equal lists the same memory. Reading it is
// like reading a vector; changing it makes it its owner's own first. Copies may be read on other
// threads.
template <class T>
class SharedList {
 public:
  using value_type = T;
  using const_iterator = typename std::vector<T>::const_iterator;

  SharedList() = default;
  SharedList(std::vector<T> items)  // NOLINT: a vector is a list
      : items_(items.empty() ? nullptr : std::make_shared<std::vector<T>>(std::move(items))) {}
  SharedList(std::initializer_list<T> items) : SharedList(std::vector<T>(items)) {}

  const std::vector<T>& items() const {
    static const std::vector<T> kNone;
    return items_ ? *items_ : kNone;
  }
  std::size_t size() const { return items().size(); }
  bool empty() const { return items().empty(); }
  const_iterator begin() const { return items().begin(); }
  const_iterator end() const { return items().end(); }
  const T& operator[](std::size_t index) const { return (*items_)[index]; }
  const T& front() const { return items_->front(); }
  const T& back() const { return items_->back(); }

  // The list to change; what it held before stays as it is for others.
  std::vector<T>& Mutable() {
    if (!items_) {
      items_ = std::make_shared<std::vector<T>>();
    } else if (items_.use_count() > 1) {
      items_ = std::make_shared<std::vector<T>>(*items_);
    }
    return *items_;
  }
  T& operator[](std::size_t index) { return Mutable()[index]; }
  void push_back(T item) { Mutable().push_back(std::move(item)); }
  template <class... Args>
  T& emplace_back(Args&&... args) {
    return Mutable().emplace_back(std::forward<Args>(args)...);
  }
  void clear() { items_.reset(); }

  bool operator==(const SharedList& other) const {
    return items_ == other.items_ || items() == other.items();
  }

 private:
  std::shared_ptr<std::vector<T>> items_;
};

}  // namespace basalt::kube
