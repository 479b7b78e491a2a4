#include <algorithm>
#include <map>

#include "apiserver/gc/controllers.h"
#include "apiserver/object/barrier.h"

namespace basalt::apiserver {
namespace {

constexpr int kRemovedPerTurn = 1000;
// Many grow old together: one timer takes those of a second.
constexpr Duration kLeastWait = 1s;

class EventExpiry final : public EventSink {
 public:
  explicit EventExpiry(Core& core)
      : core_(core), events_(core.store.Of("", "events")), timer_(core.loop) {
    core.store.Subscribe(events_, *this);
  }

  void OnEvent(const StoreEvent& event) override {
    if (event.previous != nullptr) writes_.erase(event.previous->version);
    if (event.type == StoreEvent::Type::kDeleted) {
      if (writes_.empty()) timer_.Stop();
      return;
    }
    writes_.emplace(event.version,
                    Write{core_.loop.Monotonic() + core_.options.event_ttl, event.object});
    if (!timer_.running()) WakeForNext();
  }

 private:
  // The last write of an event, and when it is old.
  struct Write {
    Duration old_at;
    StoredPtr object;
  };

  void WakeForNext() {
    if (writes_.empty()) return;
    const Duration left = writes_.begin()->second.old_at - core_.loop.Monotonic();
    timer_.Start(std::max(left, kLeastWait), [this] { RemoveOld(); });
  }
  bool FirstIsOld(Duration now) const {
    return !writes_.empty() && writes_.begin()->second.old_at <= now;
  }

  void RemoveOld() {
    const Duration now = core_.loop.Monotonic();
    for (int i = 0; i < kRemovedPerTurn && FirstIsOld(now); ++i) {
      const StoredPtr object = std::move(writes_.begin()->second.object);
      writes_.erase(writes_.begin());
      Survives("removing an old event",
               [&] { core_.store.Delete(events_, object->key, object->Parse()); });
    }
    FirstIsOld(now) ? timer_.Start(Duration::zero(), [this] { RemoveOld(); }) : WakeForNext();
  }

  Core& core_;
  Collection& events_;
  // By version, so oldest first. Only of events that exist: clients delete or write again many
  // within the time that one may live.
  std::map<std::uint64_t, Write> writes_;
  Timer timer_;
};

}  // namespace

std::unique_ptr<EventSink> MakeEventExpiry(Core& core) {
  return std::make_unique<EventExpiry>(core);
}

}  // namespace basalt::apiserver
