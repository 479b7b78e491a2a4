#include "cli/signals.h"

#include <unistd.h>

#include <boost/asio/signal_set.hpp>
#include <csignal>

#include "base/log.h"

namespace basalt::cli {
namespace {

bool IsIgnored(int signal) {
  struct sigaction now {};
  return sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

}  // namespace

struct StopSignals::Impl {
  Impl(boost::asio::io_context& context, std::function<void()> callback)
      : signals(context, SIGINT, SIGTERM), on_stop(std::move(callback)) {
    if (!IsIgnored(SIGHUP)) signals.add(SIGHUP);
  }

  void Wait() {
    signals.async_wait([this](boost::system::error_code error, int signal) {
      if (error) return;
      // A terminal that is closed says so several times: itself, and by its shell.
      if (stopping && signal == SIGHUP) return Wait();
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
