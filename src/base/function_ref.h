#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace basalt {

// A callable that is only borrowed: for parameters of functions that call it before they return.
template <class Signature>
class FunctionRef;

// A plain value of two pointers: where the callable is, and how to call it. The callable must
// outlive it.
template <class R, class... Args>
class FunctionRef<R(Args...)> {
 public:
  template <class Fn>
  requires(!std::is_same_v<std::remove_cvref_t<Fn>, FunctionRef> &&
           std::is_invocable_r_v<R, Fn&, Args...>)
      FunctionRef(Fn&& fn)  // NOLINT: a lambda converts
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(fn)))),
        call_([](void* object, Args... args) -> R {
          return (*static_cast<std::remove_reference_t<Fn>*>(object))(std::forward<Args>(args)...);
        }) {}

  R operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

 private:
  void* object_;
  R (*call_)(void*, Args...);
};

}  // namespace basalt
