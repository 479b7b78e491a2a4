#include "descheduler/service/triggers.h"

#include <algorithm>
#include <utility>

namespace basalt::descheduler {
namespace {

// A wall clock may be set: it is looked at again so often.
constexpr Duration kLookAtClock = 1min;

}  // namespace

Triggers::Triggers(Loop& loop, TriggerOptions options, std::function<bool(Trigger)> begin)
    : loop_(loop), options_(std::move(options)), begin_(std::move(begin)), timer_(loop) {}

void Triggers::Start() {
  put_off_.reset();
  if (options_.interval) return Due(Trigger::kInterval);
  if (options_.cron) PlanCron();
}

void Triggers::Stop() {
  timer_.Stop();
  put_off_.reset();
}

void Triggers::Due(Trigger trigger) {
  if (trigger == Trigger::kInterval) {
    timer_.Start(*options_.interval, [this] { Due(Trigger::kInterval); });
  }
  put_off_.reset();
  if (!begin_(trigger)) put_off_ = trigger;
}

void Triggers::Ended() {
  if (const std::optional<Trigger> trigger = std::exchange(put_off_, std::nullopt)) Due(*trigger);
}

void Triggers::WaitForCron() {
  const Duration wait = *next_ - loop_.Now();
  if (wait > kLookAtClock) {
    timer_.Start(kLookAtClock, [this] { WaitForCron(); });
    return;
  }
  timer_.Start(std::max(Duration::zero(), wait), [this] {
    PlanCron();
    Due(Trigger::kCron);
  });
}

void Triggers::PlanCron() {
  next_ = options_.cron->Next(loop_.Now(), kube::TimeZone());
  if (next_) WaitForCron();
}

}  // namespace basalt::descheduler
