#include "kube/client/event_recorder.h"

#include <fmt/core.h>

#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <utility>

#include "base/log.h"
#include "kube/types/time.h"

namespace basalt::kube {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostMessageBytes = 1024;
constexpr std::size_t kMostObjectNameBytes = 236;  // an event's name adds 17, of 253
constexpr std::string_view kCombined = "(combined from similar events): ";

std::string_view TypeName(EventType type) {
  return type == EventType::kNormal ? "Normal" : "Warning";
}

// Not in the middle of a UTF-8 character.
std::string Shorten(std::string text) {
  if (text.size() <= kMostMessageBytes) return text;
  std::size_t end = kMostMessageBytes - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

std::uint64_t Hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const unsigned char c : text) hash = (hash ^ c) * 0x100000001b3u;
  return hash;
}

void AddIfSet(json::object& object, std::string_view key, const std::string& value) {
  if (!value.empty()) object[key] = value;
}

json::object Involved(const ObjectReference& about) {
  json::object object;
  AddIfSet(object, "apiVersion", about.api_version);
  AddIfSet(object, "kind", about.kind);
  AddIfSet(object, "namespace", about.ns);
  AddIfSet(object, "name", about.name);
  AddIfSet(object, "uid", about.uid);
  AddIfSet(object, "resourceVersion", about.resource_version);
  AddIfSet(object, "fieldPath", about.field_path);
  return object;
}

// Nothing is gained by trying again.
bool IsFinal(const Error& error) {
  switch (error.code) {
    case ErrorCode::kUnavailable:
    case ErrorCode::kTimeout:
    case ErrorCode::kTooManyRequests:
    case ErrorCode::kConflict: return false;
    default: return true;
  }
}

}  // namespace

struct EventRecorder::Entry {
  ObjectReference about;
  EventType type = EventType::kNormal;
  std::string reason;
  std::string message;
  std::string name;
  std::int32_t count = 0;
  Time first{};
  Time last{};
  bool exists = false;   // on the server
  bool waiting = false;  // in the queue or for a retry
  bool sending = false;
  bool changed = false;  // while it was sent
  int failures = 0;
  Duration queued_at{0};

  const std::string& ns() const {
    static const std::string kDefault = "default";
    return about.ns.empty() ? kDefault : about.ns;
  }
};

EventRecorder::EventRecorder(Client& client, EventRecorderOptions options)
    : client_(client),
      loop_(client.loop()),
      options_(std::move(options)),
      limits_(options_.most_remembered),
      similar_(options_.most_remembered),
      entries_(options_.most_remembered),
      overdue_(loop_) {}

bool EventRecorder::Combine(const std::string& group, std::string_view message, Duration now) {
  Similar& similar = similar_.FindOrMake(group, [] { return Similar{}; });
  if (now - similar.last > options_.similar_window) similar.messages.clear();
  similar.last = now;
  if (similar.messages.size() >= options_.most_similar) {
    return !similar.messages.contains(std::string(message));
  }
  similar.messages.emplace(message);
  return false;
}

std::string EventRecorder::NewName(std::string_view object) {
  // By time, as client-go names them, but different for every reporter and every event of one.
  const auto now = static_cast<std::uint64_t>(loop_.Now().time_since_epoch().count());
  last_stamp_ = std::max(now, last_stamp_ + 1);
  const std::uint64_t reporter = Hash(options_.component + "/" + options_.instance);
  return fmt::format("{}.{:016x}", object.substr(0, kMostObjectNameBytes), last_stamp_ ^ reporter);
}

void EventRecorder::Record(const ObjectReference& about, EventType type, std::string_view reason,
                           std::string_view message) {
  const Duration now = loop_.Monotonic();
  ++stats_.recorded;
  const std::string object =
      fmt::format("{}/{}/{}/{}/{}", about.kind, about.ns, about.name, about.uid, about.field_path);
  const std::string group = fmt::format("{}/{}/{}", object, TypeName(type), reason);
  const bool combine = Combine(group, message, now);
  RateLimiter& limit =
      limits_.FindOrMake(object, [this] { return RateLimiter(options_.qps, options_.burst); });
  if (!limit.TryTake(now)) {
    ++stats_.limited;
    return;
  }

  const auto make = [&] {
    auto entry = std::make_shared<Entry>();
    entry->about = about;
    entry->type = type;
    entry->reason = reason;
    entry->name = NewName(about.name);
    entry->first = loop_.Now();
    return entry;
  };
  const std::string key = combine ? group : fmt::format("{}\n{}", group, message);
  const EntryPtr entry = entries_.FindOrMake(key, make);
  if (!entry->waiting && !entry->sending && queue_.size() >= options_.most_queued) {
    ++stats_.overflowed;
    return;
  }
  entry->message = Shorten(fmt::format("{}{}", combine ? kCombined : "", message));
  entry->last = loop_.Now();
  ++entry->count;
  if (entry->sending) {
    entry->changed = true;
  } else if (!entry->waiting) {
    Enqueue(entry);
  }
}

void EventRecorder::Enqueue(EntryPtr entry) {
  entry->waiting = true;
  entry->queued_at = loop_.Monotonic();
  queue_.push_back(std::move(entry));
  // Posted: the caller of Record is in the middle of something.
  loop_.Post(scope_.Guard([this] { Pump(); }));
}

void EventRecorder::SetBusy(bool busy) {
  if (std::exchange(busy_, busy) && !busy) loop_.Post(scope_.Guard([this] { Pump(); }));
}

void EventRecorder::Pump() {
  while (!queue_.empty() && sending_ < options_.parallel) {
    const Duration due =
        queue_.front()->queued_at + (busy_ ? options_.most_delay : options_.least_delay);
    if (loop_.Monotonic() < due) {
      overdue_.Start(due - loop_.Monotonic(), [this] { Pump(); });
      return;
    }
    EntryPtr entry = std::move(queue_.front());
    queue_.pop_front();
    Send(std::move(entry));
  }
}

void EventRecorder::Send(EntryPtr entry) {
  entry->waiting = false;
  entry->sending = true;
  entry->changed = false;
  ++sending_;
  const bool create = !entry->exists;
  json::object body{{"message", entry->message},
                    {"count", entry->count},
                    {"lastTimestamp", FormatTime(entry->last)}};
  const std::string ns = entry->ns();
  const std::string name = entry->name;
  auto done = scope_.Guard([this, entry, create](Result<ApiResponse> result) {
    OnSent(entry, create, std::move(result));
  });
  if (!create) {
    client_.Patch({resources::kEvents, ns, name}, PatchKind::kMerge, json::serialize(body),
                  std::move(done));
    return;
  }
  body["apiVersion"] = resources::kEvents.ApiVersion();
  body["kind"] = resources::kEvents.kind;
  body["metadata"] = {{"namespace", ns}, {"name", name}};
  body["involvedObject"] = Involved(entry->about);
  body["type"] = TypeName(entry->type);
  body["reason"] = entry->reason;
  body["firstTimestamp"] = FormatTime(entry->first);
  body["source"] = {{"component", options_.component}};
  body["reportingComponent"] = options_.component;
  body["reportingInstance"] = options_.instance;
  client_.Create({resources::kEvents, ns}, json::serialize(body), std::move(done));
}

void EventRecorder::OnSent(const EntryPtr& entry, bool created, Result<ApiResponse> result) {
  --sending_;
  entry->sending = false;
  if (result) {
    ++(created ? stats_.created : stats_.patched);
    entry->exists = true;
    entry->failures = 0;
    if (entry->changed) Enqueue(entry);
  } else if (created && result.error().code == ErrorCode::kAlreadyExists && entry->failures > 0) {
    // An earlier attempt arrived, with a count that may be old.
    entry->exists = true;
    Enqueue(entry);
  } else if (!created && result.error().code == ErrorCode::kNotFound) {
    // Events do not live long on the server. This one starts anew.
    entry->exists = false;
    entry->name = NewName(entry->about.name);
    Enqueue(entry);
  } else if (!IsFinal(result.error()) && ++entry->failures < options_.attempts) {
    entry->waiting = true;
    ++retrying_;
    loop_.Schedule(options_.retry, scope_.Guard([this, entry] {
      --retrying_;
      Enqueue(entry);
    }));
  } else {
    ++stats_.failed;
    entry->failures = 0;
    log::Debug("an event was lost",
               {{"about", entry->about.name}, {"error", result.error().message}});
  }
  Pump();
}

}  // namespace basalt::kube
