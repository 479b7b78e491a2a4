#pragma once

#include <functional>
#include <memory>
#include <utility>

namespace basalt {

// Waits for several asynchronous steps: calls `done` once, with false if any of them failed, when
// the last holder of the join has let go. Each step holds a copy while it is under way. Loop thread
// only.
class AsyncJoin {
 public:
  using Done = std::move_only_function<void(bool ok)>;

  explicit AsyncJoin(Done done) : state_(std::make_shared<State>(std::move(done))) {}

  void Fail() const { state_->ok = false; }

 private:
  struct State {
    explicit State(Done then) : done(std::move(then)) {}
    ~State() { done(ok); }
    Done done;
    bool ok = true;
  };
  std::shared_ptr<State> state_;
};

}  // namespace basalt
