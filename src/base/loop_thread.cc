#include "base/loop_thread.h"

#include <future>
#include <utility>

namespace basalt {

void LoopThread::Start() {
  thread_ = std::thread([this] { loop_.Run(); });
}

void LoopThread::Stop() {
  if (!thread_.joinable()) return;
  loop_.Stop();
  thread_.join();
}

void LoopThread::RunThere(Callback callback) {
  if (!thread_.joinable()) return callback();
  std::promise<void> done;
  loop_.Post([&callback, &done] {
    callback();
    done.set_value();
  });
  done.get_future().wait();
}

}  // namespace basalt
