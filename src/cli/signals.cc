#include "cli/signals.h"

#include <unistd.h>

#include <boost/asio/signal_set.hpp>
#include <csignal>

#include "base/log.h"

namespace basalt::cli {

struct StopSignals::Impl {
  Impl(boost::asio::io_context& context, std::function<void()> callback)
      : signals(context, SIGINT, SIGTERM), on_stop(std::move(callback)) {}

  void Wait() {
    signals.async_wait([this](boost::system::error_code error, int signal) {
      if (error) return;
      if (stopping) _exit(128 + signal);
      stopping = true;
      log::Info("stopping", {{"signal", signal}});
      Wait();
      on_stop();
    });
  }

  boost::asio::signal_set signals;
  std::function<void()> on_stop;
  bool stopping = false;
};

StopSignals::StopSignals(AsioLoop& loop, std::function<void()> on_stop)
    : impl_(std::make_unique<Impl>(loop.context(), std::move(on_stop))) {
  impl_->Wait();
}

StopSignals::~StopSignals() = default;

}  // namespace basalt::cli
