#include "scheduler/service/drift_watch.h"

#include <utility>

#include "base/log.h"

namespace basalt::scheduler {

DriftWatch::DriftWatch(Loop& loop, DriftComparer::Sources sources,
                       std::function<const Scheduler*()> scheduler,
                       std::optional<metrics::Counter> counter, Options options)
    : loop_(loop),
      comparer_(std::move(sources)),
      scheduler_(std::move(scheduler)),
      counter_(counter),
      options_(options),
      timer_(loop) {}

void DriftWatch::Plan(Duration delay) {
  timer_.Start(delay, [this] { Step(); });
}

void DriftWatch::Step() {
  const Scheduler* scheduler = scheduler_();
  if (!scheduler) return Plan(options_.every);
  // It works: later, but not for ever, for it may always have something to do.
  const bool works = std::exchange(seen_cycles_, scheduler->cycles()) != scheduler->cycles();
  if (works && skips_++ < options_.most_skips) return Plan(options_.pause);
  skips_ = 0;
  const bool through =
      comparer_.Step(scheduler->state(), loop_.Now(), options_.objects,
                     [this](const std::string& difference) { Report(difference); });
  if (!through) return Plan(options_.pause);
  ++rounds_;
  lines_ = 0;
  Plan(options_.every);
}

void DriftWatch::Report(const std::string& difference) {
  ++differences_;
  if (counter_) counter_->Add();
  if (++lines_ > options_.most_lines) return;
  log::Error("the state differs from what the API server says", {{"difference", difference}});
}

}  // namespace basalt::scheduler
