#include <algorithm>
#include <deque>

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
    if (event.type == StoreEvent::Type::kDeleted) return;
    writes_.push_back(
        {core_.loop.Monotonic() + core_.options.event_ttl, event.object->key, event.version});
    if (!timer_.running()) WakeForNext();
  }

 private:
  // A write, and when it is old. An event that was written again since is in the list once more.
  struct Write {
    Duration old_at;
    std::string key;
    std::uint64_t version;
  };
  void WakeForNext() {
    if (writes_.empty()) return;
    const Duration left = writes_.front().old_at - core_.loop.Monotonic();
    timer_.Start(std::max(left, kLeastWait), [this] { RemoveOld(); });
  }

  void RemoveOld() {
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

  Core& core_;
  Collection& events_;
  std::deque<Write> writes_;  // oldest first
  Timer timer_;
};

}  // namespace

std::unique_ptr<EventSink> MakeEventExpiry(Core& core) {
  return std::make_unique<EventExpiry>(core);
}

}  // namespace basalt::apiserver
