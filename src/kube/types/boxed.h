#pragma once

#include <memory>
#include <utility>

namespace basalt::kube {

// An optional part of an object that most objects lack: one pointer in place, the part itself on
// the heap. Copies are deep. A const Boxed gives a const part.
template <class T>
class Boxed {
 public:
  Boxed() = default;
  Boxed(T value) : part_(std::make_unique<T>(std::move(value))) {}  // NOLINT: as optional does
  Boxed(const Boxed& other) : part_(other.part_ ? std::make_unique<T>(*other.part_) : nullptr) {}
  Boxed(Boxed&&) noexcept = default;
  Boxed& operator=(const Boxed& other) {
    if (this != &other) part_ = other.part_ ? std::make_unique<T>(*other.part_) : nullptr;
    return *this;
  }
  Boxed& operator=(Boxed&&) noexcept = default;

  explicit operator bool() const { return part_ != nullptr; }
  bool has_value() const { return part_ != nullptr; }
  T& emplace() {
    part_ = std::make_unique<T>();
    return *part_;
  }
  void reset() { part_.reset(); }

  T& operator*() { return *part_; }
  const T& operator*() const { return *part_; }
  T* operator->() { return part_.get(); }
  const T* operator->() const { return part_.get(); }

  bool operator==(const Boxed& other) const {
    return part_ ? other.part_ && *part_ == *other.part_ : !other.part_;
  }

 private:
  std::unique_ptr<T> part_;
};

}  // namespace basalt::kube
