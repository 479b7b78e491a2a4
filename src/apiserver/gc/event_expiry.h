#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "apiserver/core/core.h"
#include "apiserver/storage/store.h"

namespace basalt::apiserver {

// Takes Events away when nobody has written them for ServerOptions::event_ttl, as kube-apiserver
// does: they tell what happened, nobody deletes them, and they come without end. Owned by the
// server.
class EventExpiry final : public EventSink {
 public:
  explicit EventExpiry(Core& core);

  void OnEvent(const StoreEvent& event) override;

 private:
  // A write, and when it is old. An event that was written again since is in the list once more.
  struct Write {
    Duration old_at;
    std::string key;
    std::uint64_t version;
  };
  void WakeForNext();
  void RemoveOld();

  Core& core_;
  Collection& events_;
  std::deque<Write> writes_;  // oldest first
  Timer timer_;
};

}  // namespace basalt::apiserver
