#pragma once

#include <thread>

#include "base/asio_loop.h"

namespace basalt {

// A loop on a thread of its own. What lives on the loop is made before Start or by RunThere, and
// destroyed after Stop or by RunThere. Made, started and stopped by one thread.
class LoopThread {
 public:
  LoopThread() = default;
  ~LoopThread() { Stop(); }
  LoopThread(const LoopThread&) = delete;
  LoopThread& operator=(const LoopThread&) = delete;

  AsioLoop& loop() { return loop_; }
  void Start();
  // Ends the thread after the callback that it runs. What was posted and did not run never will.
  void Stop();
  // Runs the callback on the thread and waits for its end; where the thread does not run, at once.
  // Not from the thread itself.
  void RunThere(Callback callback);

 private:
  AsioLoop loop_;
  std::thread thread_;
};

}  // namespace basalt
