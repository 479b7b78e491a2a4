#pragma once

#include <boost/unordered/unordered_flat_set.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/loop.h"
#include "base/rate_limiter.h"
#include "kube/client/client.h"
#include "kube/client/lru_map.h"
#include "kube/types/kind_traits.h"
#include "kube/types/meta.h"

namespace basalt::kube {

enum class EventType { kNormal, kWarning };

struct EventRecorderOptions {
  std::string component;  // that reports: "volcano"
  std::string instance;   // which of them, for example the host
  std::size_t most_queued = 1000;
  int parallel = 2;  // requests at once
  // An event waits so long, so that what others do about the same thing comes first; and while the
  // owner is busy, so long at most.
  Duration least_delay{0};
  Duration most_delay = 30s;
  // Per object, as client-go has them: 25 at once, then one in five minutes.
  double burst = 25;
  double qps = 1.0 / 300;
  // More than so many messages that differ only in their text, within the window, become one event.
  std::size_t most_similar = 10;
  Duration similar_window = 10min;
  std::size_t most_remembered = 4096;  // objects, groups of similar events, events
  int attempts = 3;                    // to write an event that fails for a passing reason
  Duration retry = 5s;
};

struct EventRecorderStats {
  std::uint64_t recorded = 0;
  std::uint64_t limited = 0;     // dropped: too many of one object
  std::uint64_t overflowed = 0;  // dropped: the queue was full
  std::uint64_t failed = 0;      // dropped: the server did not take it
  std::uint64_t created = 0;
  std::uint64_t patched = 0;
};

// A reference to `object` for an event about it.
template <class T>
ObjectReference ReferenceTo(const T& object) {
  const Resource& resource = KindTraits<T>::resource;
  return {.api_version = resource.ApiVersion(),
          .kind = std::string(resource.kind),
          .ns = object.meta.ns,
          .name = object.meta.name,
          .uid = object.meta.uid,
          .resource_version = object.meta.resource_version};
}

// Writes core/v1 Events, the least important writes there are: it never blocks, drops rather than
// grows, and waits with sending while its owner is busy. What is said again about the same object
// is counted on the event that is there; what is said in ever new words is combined. Owned by a
// role; the client must outlive it. Loop thread only.
class EventRecorder {
 public:
  EventRecorder(Client& client, EventRecorderOptions options);

  void Record(const ObjectReference& about, EventType type, std::string_view reason,
              std::string_view message);

  // Busy: events wait, up to most_delay. Not busy, as it is in the beginning: they are sent.
  void SetBusy(bool busy);
  // Nothing waits and nothing is under way.
  bool idle() const { return queue_.empty() && sending_ == 0 && retrying_ == 0; }
  const EventRecorderStats& stats() const { return stats_; }

 private:
  struct Entry;  // one Event object on the server, or soon
  using EntryPtr = std::shared_ptr<Entry>;
  struct Similar {
    boost::unordered_flat_set<std::string> messages;
    Duration last{0};
  };

  // Whether this message is one too many of its group.
  bool Combine(const std::string& group, std::string_view message, Duration now);
  std::string NewName(std::string_view object);
  void Enqueue(EntryPtr entry);
  void Pump();
  void Send(EntryPtr entry);
  void OnSent(const EntryPtr& entry, bool created, Result<ApiResponse> result);

  Client& client_;
  Loop& loop_;
  const EventRecorderOptions options_;
  EventRecorderStats stats_;
  LruMap<RateLimiter> limits_;  // by object
  LruMap<Similar> similar_;     // by object, type and reason
  LruMap<EntryPtr> entries_;    // by object, type, reason and message
  std::deque<EntryPtr> queue_;
  int sending_ = 0;
  int retrying_ = 0;
  bool busy_ = false;
  std::uint64_t last_stamp_ = 0;
  Timer overdue_;
  Scope scope_;
};

}  // namespace basalt::kube
