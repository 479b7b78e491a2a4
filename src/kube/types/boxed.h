#pragma once

#include <memory>
#include <utility>

namespace basalt::kube {

// An optional part of an object that most objects lack, kept on the heap. Copies share it until one
// of them changes it; copies may be read on other threads. A const Boxed gives a const part.
template <class T>
class Boxed {
 public:
  Boxed() = default;
  Boxed(T value) : part_(std::make_shared<T>(std::move(value))) {}  // NOLINT: as optional does

  explicit operator bool() const { return part_ != nullptr; }
  bool has_value() const { return part_ != nullptr; }
  T& emplace() {
    part_ = std::make_shared<T>();
    return *part_;
  }
  void reset() { part_.reset(); }

  const T& operator*() const { return *part_; }
  const T* operator->() const { return part_.get(); }
  T& operator*() { return Own(); }
  T* operator->() { return &Own(); }

  bool operator==(const Boxed& other) const {
    return part_ == other.part_ || (part_ && other.part_ && *part_ == *other.part_);
  }

 private:
  T& Own() {
    if (part_.use_count() > 1) part_ = std::make_shared<T>(*part_);
    return *part_;
  }

  std::shared_ptr<T> part_;
};

}  // namespace basalt::kube
