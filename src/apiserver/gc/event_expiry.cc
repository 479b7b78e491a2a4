#include "apiserver/gc/event_expiry.h"

#include <algorithm>
#include <utility>

#include "apiserver/object/barrier.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

constexpr int kRemovedPerTurn = 1000;
// Many grow old together: one timer takes those of a second.
constexpr Duration kLeastWait = 1s;

}  // namespace

EventExpiry::EventExpiry(Core& core)
    : core_(core), events_(core.store.Of("", "events")), timer_(core.loop) {
  core.store.Subscribe(events_, *this);
}

void EventExpiry::OnEvent(const StoreEvent& event) {
  if (event.type == StoreEvent::Type::kDeleted) return;
  writes_.push_back(
      {core_.loop.Monotonic() + core_.options.event_ttl, event.object->key, event.version});
  if (!timer_.running()) WakeForNext();
}

void EventExpiry::WakeForNext() {
  if (writes_.empty()) return;
  const Duration left = writes_.front().old_at - core_.loop.Monotonic();
  timer_.Start(std::max(left, kLeastWait), [this] { RemoveOld(); });
}

void EventExpiry::RemoveOld() {
  const Duration now = core_.loop.Monotonic();
  for (int i = 0; i < kRemovedPerTurn && !writes_.empty() && writes_.front().old_at <= now; ++i) {
    const Write write = std::move(writes_.front());
    writes_.pop_front();
    const StoredPtr stored = Store::Get(events_, write.key);
    if (stored == nullptr || stored->version != write.version) continue;
    Survives("removing an old event",
             [&] { core_.store.Delete(events_, write.key, stored->Parse()); });
  }
  const bool more = !writes_.empty() && writes_.front().old_at <= now;
  more ? timer_.Start(Duration::zero(), [this] { RemoveOld(); }) : WakeForNext();
}

}  // namespace basalt::apiserver
