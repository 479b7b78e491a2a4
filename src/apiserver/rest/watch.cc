#include "apiserver/rest/watch.h"

#include <fmt/format.h>

#include <algorithm>

#include "apiserver/object/barrier.h"
#include "apiserver/object/json_text.h"
#include "apiserver/object/object.h"
#include "apiserver/rest/handlers.h"
#include "apiserver/rest/read.h"
#include "apiserver/rest/request.h"

namespace basalt::apiserver {
namespace {

constexpr std::size_t kPieceBytes = 64 * 1024;
constexpr Duration kLongest = 3600s;              // where the client does not say
constexpr std::int64_t kMostSeconds = 24 * 3600;  // whatever it says

constexpr std::size_t kMostUnsent = 256 * 1024 * 1024;  // by all watches
constexpr std::size_t kMostUnsentEach = 1024 * 1024;
constexpr std::size_t kLeastUnsentEach = 64 * 1024;

ApiStatus TooOld(std::uint64_t version, const Store& store) {
  return refusal::Expired(
      fmt::format("too old resource version: {} ({})", version, store.oldest_version() + 1));
}

std::string ErrorFrame(const ApiStatus& status) {
  return fmt::format("{{\"type\":\"ERROR\",\"object\":{}}}\n", ToText(status.ToJson()));
}

// A watch that cannot begin still begins, and says why in its only frame.
void RespondWithErrorFrame(Call& call, const ApiStatus& status) {
  call.StartStream();
  call.exchange->Write(ErrorFrame(status));
  call.exchange->End();
}

}  // namespace

// One open watch: turns the store's events into frames. Owned by OpenWatches.
//
// What it has shown is one version: the state at `shown_` and every event up to it. While its
// client has enough to read it is behind and lets events pass; then it takes them from the history.
class Watch final : public EventSink, public std::enable_shared_from_this<Watch> {
 public:
  Watch(CallPtr call, Selection selection, bool bookmarks)
      : call_(std::move(call)),
        selection_(std::move(selection)),
        bookmarks_(bookmarks),
        bookmark_timer_(call_->core.loop),
        end_timer_(call_->core.loop) {}
  ~Watch() override { call_->core.store.Unsubscribe(collection(), *this); }

  std::uint64_t id = 0;  // OpenWatches gives it
  Collection& collection() const { return *call_->kind->collection; }

  // Shows the present state, marks its end where that is asked for, then follows.
  void StartWithState(bool mark_end) {
    state_.emplace(State{selection_.key_prefix(), mark_end});
    StartAfter(call_->core.store.version());
  }
  // Shows what happened after `version`, then follows.
  void StartAfter(std::uint64_t version) {
    shown_ = version;
    call_->core.store.Subscribe(collection(), *this);
    Advance();
  }
  void RunTimers(Duration longest) {
    end_timer_.Start(longest, [this] { Close(); });
    if (bookmarks_) ScheduleBookmark();
  }
  // Ends the stream. The watch is gone afterwards.
  void Close() {
    const std::shared_ptr<net::HttpExchange> exchange = call_->exchange;
    gone_ = true;
    call_->core.watches->Remove(*this);
    exchange->End();
  }
  // The peer has left.
  void OnGone() {
    gone_ = true;
    call_->core.watches->Remove(*this);
  }

  void OnEvent(const StoreEvent& event) override {
    if (behind_) return;
    const std::shared_ptr<Watch> self = shared_from_this();
    // A watch that left an event out would be wrong for ever: better that its client comes again.
    if (!Survives("a watch's frame", [&] { AppendEvent(event); })) return Close();
    shown_ = event.version;
    Flush();
    if (!gone_ && Full()) Wait();
  }

 private:
  // The state that is being shown, that of `shown_`.
  struct State {
    std::string next;  // from this key on it has not been
    bool mark_end = false;
  };

  // Shows what is due until the client has enough to read.
  void Advance() {
    const std::shared_ptr<Watch> self = shared_from_this();
    behind_ = true;  // what happens meanwhile is in the history
    const bool fine = Survives("a watch", [this] {
      if (shown_ < call_->core.store.oldest_version()) return Expire();
      if (state_ && !ShowState()) return Wait();
      if (!ShowHistory()) return Wait();
      behind_ = false;
    });
    if (!fine && !gone_) Close();
  }

  // False: there is more, and enough for now; so too below.
  bool ShowState() {
    Core& core = call_->core;
    bool all = true;
    core.store.Scan(collection(), shown_, state_->next, [this, &all](const StoredPtr& object) {
      if (!object->key.starts_with(selection_.key_prefix())) return false;
      if (pending_.size() >= kPieceBytes) Flush();
      if (gone_ || Full()) {
        state_->next = object->key;
        return all = false;
      }
      if (selection_.Matches(*object)) AppendFrame("ADDED", *object);
      return true;
    });
    if (!all) return false;
    if (state_->mark_end) AppendBookmark(true);
    state_.reset();
    Flush();
    return !gone_;
  }

  bool ShowHistory() {
    Core& core = call_->core;
    bool all = true;
    core.store.Replay(collection(), shown_, [this, &all](const StoreEvent& event) {
      if (pending_.size() >= kPieceBytes) Flush();
      if (gone_ || Full()) return all = false;
      AppendEvent(event);
      shown_ = event.version;
      return true;
    });
    if (all) shown_ = core.store.version();
    Flush();
    return all && !gone_;
  }

  bool Full() const {
    return call_->exchange->Unsent() + pending_.size() > call_->core.watches->MostUnsent();
  }

  // Goes on when the client has read all that was written.
  void Wait() {
    Flush();
    if (gone_) return;
    behind_ = true;
    call_->exchange->OnSent([weak = weak_from_this()] {
      const std::shared_ptr<Watch> self = weak.lock();
      if (self != nullptr && !self->gone_) self->Advance();
    });
  }

  // It has fallen so far behind that the history no longer has what comes next.
  void Expire() {
    pending_ += ErrorFrame(TooOld(shown_, call_->core.store));
    Flush();
    if (!gone_) Close();
  }

  void AppendEvent(const StoreEvent& event) {
    const bool was = event.previous != nullptr && selection_.Matches(*event.previous);
    if (event.type == StoreEvent::Type::kDeleted) {
      if (was) AppendFrame("DELETED", *event.object);
      return;
    }
    const bool is = selection_.Matches(*event.object);
    if (is) {
      AppendFrame(was ? "MODIFIED" : "ADDED", *event.object);
    } else if (was) {
      // It left the selection: the last state inside it, with the version of the step out.
      json::object last = event.previous->Parse();
      Metadata(last)["resourceVersion"] = std::to_string(event.version);
      StoredObject shown;
      shown.text = ToText(last);
      AppendFrame("DELETED", shown);
    }
  }

  void AppendFrame(std::string_view type, const StoredObject& object) {
    pending_ += "{\"type\":\"";
    pending_ += type;
    pending_ += "\",\"object\":";
    const ServedKind& kind = *call_->kind;
    if (call_->format.shape == OutputFormat::Shape::kObject) {
      kind.AppendText(pending_, object);
    } else {
      pending_ += RenderOne(kind, call_->format, kind.Load(object), call_->core.loop.Now(),
                            !std::exchange(columns_sent_, true));
    }
    pending_ += "}\n";
  }

  void AppendBookmark(bool initial_events_end) {
    json::object metadata{{"resourceVersion", std::to_string(shown_)}};
    if (initial_events_end) metadata["annotations"] = {{"k8s.io/initial-events-end", "true"}};
    pending_ += "{\"type\":\"BOOKMARK\",\"object\":";
    AppendJson(pending_, RenderEmpty(*call_->kind, call_->format, std::move(metadata),
                                     !std::exchange(columns_sent_, true)));
    pending_ += "}\n";
  }

  void ScheduleBookmark() {
    bookmark_timer_.Start(call_->core.options.bookmark_interval, [this] {
      ScheduleBookmark();
      if (behind_) return;
      shown_ = call_->core.store.version();  // of the events since then none was of this kind
      AppendBookmark(false);
      Flush();
    });
  }

  // The peer may go while it is written to: a caller that goes on holds the watch, and asks gone_.
  void Flush() {
    if (pending_.empty()) return;
    const std::shared_ptr<net::HttpExchange> exchange = call_->exchange;
    exchange->Write(std::exchange(pending_, {}));
  }

  const CallPtr call_;
  const Selection selection_;
  const bool bookmarks_;
  bool columns_sent_ = false;
  std::uint64_t shown_ = 0;
  std::optional<State> state_;
  bool behind_ = true;
  bool gone_ = false;
  std::string pending_;
  Timer bookmark_timer_;
  Timer end_timer_;
};

OpenWatches::OpenWatches() = default;
OpenWatches::~OpenWatches() = default;

void OpenWatches::Add(const std::shared_ptr<Watch>& watch) {
  watch->id = ++last_id_;
  watches_.emplace(watch->id, watch);
}

void OpenWatches::Remove(const Watch& watch) { watches_.erase(watch.id); }

std::size_t OpenWatches::MostUnsent() const {
  const std::size_t share = kMostUnsent / std::max<std::size_t>(watches_.size(), 1);
  return std::clamp(share, kLeastUnsentEach, kMostUnsentEach);
}

void OpenWatches::Close(const Collection* collection) {
  std::vector<std::shared_ptr<Watch>> closing;
  for (const auto& [id, watch] : watches_) {
    if (collection == nullptr || &watch->collection() == collection) closing.push_back(watch);
  }
  for (const std::shared_ptr<Watch>& watch : closing) watch->Close();
}

void HandleWatch(const CallPtr& call) {
  Core& core = call->core;
  const ApiResult<ListOptions> options = ListOptions::Parse(call->query, true);
  if (!options) return call->Refuse(options.error());
  ApiResult<Selection> selection =
      Selection::Parse(call->kind, call->query, call->path.ns, call->path.name);
  if (!selection) return call->Refuse(selection.error());

  std::optional<std::uint64_t> after;
  if (!options->resource_version.empty() && options->resource_version != "0") {
    after = ParseVersion(options->resource_version);
    if (!after) {
      return call->Refuse(
          refusal::Plain("resourceVersion: " + VersionError(options->resource_version)));
    }
  }
  const bool initial = options->send_initial_events.value_or(!after.has_value());
  // A version from before the history, or (after a restart) from another server's.
  if (after && !initial &&
      (*after < core.store.oldest_version() || *after > core.store.version())) {
    return RespondWithErrorFrame(*call, TooOld(*after, core.store));
  }

  auto watch = std::make_shared<Watch>(call, std::move(*selection), options->allow_bookmarks);
  core.watches->Add(watch);
  call->StartStream();
  call->exchange->OnPeerGone([gone = std::weak_ptr<Watch>(watch)] {
    if (const std::shared_ptr<Watch> open = gone.lock()) open->OnGone();
  });
  if (initial) {
    watch->StartWithState(options->send_initial_events.value_or(false));
  } else {
    watch->StartAfter(after.value_or(core.store.version()));
  }
  const std::int64_t seconds = std::min(options->timeout_seconds.value_or(0), kMostSeconds);
  watch->RunTimers(seconds > 0 ? std::chrono::seconds(seconds) : kLongest);
}

}  // namespace basalt::apiserver
