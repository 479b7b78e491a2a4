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

void LoopThread::RunThere(Task task) {
  if (!thread_.joinable()) return task();
  std::promise<void> done;
  loop_.Post([&task, &done] {
    task();
    done.set_value();
  });
  done.get_future().wait();
}

}  // namespace basalt
