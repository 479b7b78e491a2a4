#include "apiserver/rest/watch.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "apiserver/json_text.h"
#include "apiserver/object.h"
#include "apiserver/rest/handlers.h"
#include "apiserver/rest/list_options.h"
#include "apiserver/rest/render.h"
#include "apiserver/rest/selection.h"

namespace basalt::apiserver {
namespace {

constexpr std::size_t kPieceBytes = 64 * 1024;
constexpr Duration kLongest = 3600s;  // where the client does not say

}  // namespace

// One open watch: turns the store's events into frames. Owned by OpenWatches.
class Watch final : public EventSink {
 public:
  Watch(std::uint64_t id, CallPtr call, Selection selection, bool bookmarks)
      : id_(id),
        call_(std::move(call)),
        selection_(std::move(selection)),
        bookmarks_(bookmarks),
        bookmark_timer_(call_->core.loop),
        end_timer_(call_->core.loop) {}
  ~Watch() override { call_->core.store.Unsubscribe(collection(), *this); }

  std::uint64_t id() const { return id_; }
  Collection& collection() const { return *call_->kind->collection; }

  // Shows the present state, then `marker` where there is one, then follows.
  void StartWithState(bool mark_end) {
    Core& core = call_->core;
    core.store.Scan(collection(), core.store.version(), selection_.key_prefix(),
                    [this](const StoredPtr& object) {
                      if (!object->key.starts_with(selection_.key_prefix())) return false;
                      if (selection_.Matches(*object)) AppendFrame("ADDED", *object);
                      if (pending_.size() >= kPieceBytes) Flush();
                      return true;
                    });
    if (mark_end) AppendBookmark(true);
    Flush();
    core.store.Subscribe(collection(), *this);
  }
  // Shows what happened after `version`, then follows.
  void StartAfter(std::uint64_t version) {
    Core& core = call_->core;
    core.store.Replay(collection(), version, [this](const StoreEvent& event) {
      AppendEvent(event);
      if (pending_.size() >= kPieceBytes) Flush();
    });
    Flush();
    core.store.Subscribe(collection(), *this);
  }
  void RunTimers(Duration longest) {
    end_timer_.Start(longest, [this] { Close(); });
    if (bookmarks_) ScheduleBookmark();
  }
  // Ends the stream. The watch is gone afterwards.
  void Close() {
    const std::shared_ptr<net::HttpExchange> exchange = call_->exchange;
    call_->core.watches->Remove(*this);
    exchange->End();
  }

  void OnEvent(const StoreEvent& event) override {
    AppendEvent(event);
    Flush();
  }

 private:
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
    const std::string version = std::to_string(call_->core.store.version());
    json::object metadata{{"resourceVersion", version}};
    if (initial_events_end) {
      metadata["annotations"] = json::object{{"k8s.io/initial-events-end", "true"}};
    }
    json::object object;
    switch (call_->format.shape) {
      case OutputFormat::Shape::kObject:
        object["kind"] = call_->info().kind;
        object["apiVersion"] = call_->info().ApiVersion();
        break;
      case OutputFormat::Shape::kTable:
        object["kind"] = "Table";
        object["apiVersion"] = "meta.k8s.io/v1";
        object["columnDefinitions"] =
            std::exchange(columns_sent_, true) ? json::value() : TableColumns(*call_->kind);
        object["rows"] = json::array();
        break;
      case OutputFormat::Shape::kPartialMetadata:
        object["kind"] = "PartialObjectMetadata";
        object["apiVersion"] = "meta.k8s.io/v1";
        break;
    }
    object["metadata"] = std::move(metadata);
    pending_ += "{\"type\":\"BOOKMARK\",\"object\":";
    AppendJson(pending_, object);
    pending_ += "}\n";
  }

  void ScheduleBookmark() {
    bookmark_timer_.Start(call_->core.options.bookmark_interval, [this] {
      ScheduleBookmark();
      AppendBookmark(false);
      Flush();
    });
  }

  // The peer may go while it is written to, and this watch with it: nothing after Write.
  void Flush() {
    if (pending_.empty()) return;
    const std::shared_ptr<net::HttpExchange> exchange = call_->exchange;
    exchange->Write(std::exchange(pending_, {}));
  }

  const std::uint64_t id_;
  const CallPtr call_;
  const Selection selection_;
  const bool bookmarks_;
  bool columns_sent_ = false;
  std::string pending_;
  Timer bookmark_timer_;
  Timer end_timer_;
};

OpenWatches::OpenWatches() = default;
OpenWatches::~OpenWatches() = default;

void OpenWatches::Add(std::shared_ptr<Watch> watch) {
  const std::uint64_t id = watch->id();
  watches_.emplace(id, std::move(watch));
}

void OpenWatches::Remove(const Watch& watch) { watches_.erase(watch.id()); }

void OpenWatches::Close(const Collection* collection) {
  std::vector<std::shared_ptr<Watch>> closing;
  for (const auto& [id, watch] : watches_) {
    if (collection == nullptr || &watch->collection() == collection) closing.push_back(watch);
  }
  for (const std::shared_ptr<Watch>& watch : closing) watch->Close();
}

namespace {

// A watch that cannot begin still begins, and says why in its only frame.
void RespondWithErrorFrame(Call& call, const ApiStatus& status) {
  call.exchange->StartStream(200, "application/json");
  call.exchange->Write(
      fmt::format("{{\"type\":\"ERROR\",\"object\":{}}}\n", ToText(status.ToJson())));
  call.exchange->End();
}

}  // namespace

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
      return call->Refuse({.code = 500,
                           .message = fmt::format("resourceVersion: Invalid value: \"{}\": {}",
                                                  options->resource_version,
                                                  VersionError(options->resource_version))});
    }
  }
  const bool initial = options->send_initial_events.value_or(!after.has_value());
  // A version from before the history, or (after a restart) from another server's.
  if (after && !initial &&
      (*after < core.store.oldest_version() || *after > core.store.version())) {
    return RespondWithErrorFrame(
        *call, refusal::Expired(fmt::format("too old resource version: {} ({})", *after,
                                            core.store.oldest_version() + 1)));
  }

  auto watch = std::make_shared<Watch>(core.NextWatchId(), call, std::move(*selection),
                                       options->allow_bookmarks);
  core.watches->Add(watch);
  call->exchange->StartStream(200, "application/json");
  call->exchange->OnPeerGone([&core, gone = std::weak_ptr<Watch>(watch)] {
    if (const std::shared_ptr<Watch> open = gone.lock()) core.watches->Remove(*open);
  });
  if (initial) {
    watch->StartWithState(options->send_initial_events.value_or(false));
  } else {
    watch->StartAfter(after.value_or(core.store.version()));
  }
  const std::int64_t seconds = options->timeout_seconds.value_or(0);
  watch->RunTimers(seconds > 0 ? std::chrono::seconds(seconds) : kLongest);
}

}  // namespace basalt::apiserver
