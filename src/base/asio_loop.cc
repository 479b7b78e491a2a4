#include "base/asio_loop.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

namespace basalt {

namespace asio = boost::asio;

struct AsioLoop::Impl {
  asio::io_context context{1};
  asio::executor_work_guard<asio::io_context::executor_type> work{context.get_executor()};
  boost::unordered_flat_map<TimerId, std::unique_ptr<asio::steady_timer>> timers;
  TimerId next_id = 1;
};

AsioLoop::AsioLoop() : impl_(std::make_unique<Impl>()) {}
AsioLoop::~AsioLoop() = default;

void AsioLoop::Run() {
  impl_->context.run();
  impl_->context.restart();  // it may be run again
}
void AsioLoop::Stop() { impl_->context.stop(); }
boost::asio::io_context& AsioLoop::context() { return impl_->context; }

Time AsioLoop::Now() const {
  return std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
}

Duration AsioLoop::Monotonic() const { return std::chrono::steady_clock::now().time_since_epoch(); }

void AsioLoop::Post(Callback callback) { asio::post(impl_->context, std::move(callback)); }

TimerId AsioLoop::Schedule(Duration delay, Callback callback) {
  const TimerId id = impl_->next_id++;
  auto timer = std::make_unique<asio::steady_timer>(impl_->context, delay);
  timer->async_wait([this, id, callback = std::move(callback)](boost::system::error_code) mutable {
    // Cancel erases the entry; a handler that was already queued then must not run.
    if (impl_->timers.erase(id) == 0) return;
    callback();
  });
  impl_->timers.emplace(id, std::move(timer));
  return id;
}

void AsioLoop::Cancel(TimerId id) { impl_->timers.erase(id); }

}  // namespace basalt
