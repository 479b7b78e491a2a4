#include "scheduler/simulate/recorded_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/log_muted.h"
#include "base/virtual_loop.h"

namespace basalt::scheduler::simulate {
namespace {

Time LastTimeIn(const Object& object) {
  Time last = std::visit([](const auto& one) { return one.meta.creation_timestamp; }, object);
  if (const auto* pod = std::get_if<kube::Pod>(&object)) {
    if (pod->status.start_time) last = std::max(last, *pod->status.start_time);
    for (const kube::Condition& condition : pod->status.conditions) {
      last = std::max(last, condition.last_transition_time);
    }
  }
  return last;
}

}  // namespace

Result<SchedulerImage> ImageOf(RecordedState state) {
  const log::Muted muted;
  Time last{};
  for (const Object& object : state.objects) last = std::max(last, LastTimeIn(object));
  VirtualLoop loop(last);
  Scheduler scheduler(loop, std::move(state.options), [](std::vector<model::Intent>) {});
  if (const Result<void> configured = scheduler.Configure(state.config); !configured) {
    return std::unexpected(configured.error());
  }
  std::size_t number = 0;
  for (Object& object : state.objects) {
    std::visit(
        [&]<class T>(T& one) {
          // One written by hand has none, and objects are told apart by it.
          if (one.meta.uid.empty()) one.meta.uid = fmt::format("recorded-{}", ++number);
          scheduler.Apply(
              kube::InformerEvent<T>{.kind = kube::InformerEventKind::kAdded,
                                     .old_object = nullptr,
                                     .object = std::make_shared<const T>(std::move(one))});
        },
        object);
  }
  scheduler.Start();
  return *scheduler.TakeImage();
}

}  // namespace basalt::scheduler::simulate
