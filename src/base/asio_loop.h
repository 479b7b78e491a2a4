#pragma once

#include <memory>

#include "base/loop.h"

namespace boost::asio {
class io_context;
}

namespace basalt {

// The real loop: one Asio io_context, run by one thread. Outlives everything that is on it.
class AsioLoop final : public Loop {
 public:
  AsioLoop();
  ~AsioLoop() override;

  // Runs until Stop. The calling thread becomes the loop's thread.
  void Run();
  // Any thread. Callbacks already posted may be dropped.
  void Stop();
  // For net/, which puts sockets on it.
  boost::asio::io_context& context();

  Time Now() const override;
  Duration Monotonic() const override;
  void Post(Callback callback) override;
  TimerId Schedule(Duration delay, Callback callback) override;
  void Cancel(TimerId id) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace basalt
