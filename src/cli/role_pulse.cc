#include "cli/role_pulse.h"

#include "base/log.h"

namespace basalt::cli {

void RolePulse::Start() { Beat(); }

void RolePulse::Beat() {
  const bool ready = role_.ready();
  if (ready && !said_ready_) log::Info("ready", {{"role", role_.name()}});
  said_ready_ = said_ready_ || ready;
  {
    const std::scoped_lock lock(mutex_);
    last_ran_ = loop_.Monotonic();
    ready_ = ready;
  }
  timer_.Start(kInterval, [this] { Beat(); });
}

Duration RolePulse::last_ran() const {
  const std::scoped_lock lock(mutex_);
  return last_ran_;
}

bool RolePulse::ready() const {
  const std::scoped_lock lock(mutex_);
  return ready_;
}

}  // namespace basalt::cli
