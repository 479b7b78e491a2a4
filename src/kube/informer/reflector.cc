#include "kube/informer/reflector.h"

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "kube/types/item_identity.h"

namespace basalt::kube {
namespace {

// A watch that lasted so long worked: if it ended in order it is resumed at once.
constexpr Duration kLongEnough = 5s;
// So many watches that the server refused in a row, and the version itself may be the trouble: a
// server that lost its state knows no version as new as ours.
constexpr int kRefusalsUntilList = 3;

constexpr std::size_t kMostReported = 1000;  // messages about objects that cannot be read

// So often a server says that there is no such kind before it is believed.
constexpr int kNotServedMeansNone = 3;

// Errors that trying again from the same version will not cure.
bool NeedsList(const Error& error) {
  // The frame that is too large would come again; a list has room for what is in it.
  if (error.code == ErrorCode::kGone || error.code == ErrorCode::kTooLarge) return true;
  return error.http_status >= 400 && error.http_status < 500 && error.http_status != 429;
}

}  // namespace

Reflector::Reflector(Client& client, const Resource& resource, ObjectCodec codec,
                     ReflectorOptions options, Consumer consumer)
    : client_(client),
      resource_(resource),
      codec_(codec),
      options_(std::move(options)),
      consumer_(std::make_shared<Consumer>(std::move(consumer))),
      store_(codec.meta_of),
      random_(options_.seed),
      backoff_(options_.first_retry, options_.most_retry),
      retry_(client.loop()),
      silence_(client.loop()) {}

Reflector::~Reflector() = default;

void Reflector::Start() {
  client_.loop().Post(scope_.Guard([this] { List(); }));
}

void Reflector::Stop() {
  scope_.Reset();
  retry_.Stop();
  EndWatch();
}

void Reflector::List() {
  list_failed_ = false;
  store_.UnmarkAll();
  ListOptions list{.label_selector = options_.label_selector,
                   .field_selector = options_.field_selector,
                   .limit = list_whole_ ? 0 : options_.page_size};
  list.left_out = scope_.Guard([this](std::string metadata, const Error& error) {
    if (!list_failed_) ApplyLeftOut(std::move(metadata), error);
  });
  auto page = scope_.Guard([this](std::string body) {
    if (list_failed_) return;
    auto note = scope_.Guard([this](const Result<void>& applied) {
      if (applied) return;
      list_failed_ = true;
      list_error_ = applied.error();
    });
    note(ApplyPage(std::move(body)));
  });
  client_.List(resource_, options_.ns, std::move(list), std::move(page),
               scope_.Guard([this](Result<std::string> resource_version) {
                 OnListed(std::move(resource_version));
               }));
}

void Reflector::OnListed(Result<std::string> resource_version) {
  if (!resource_version) {
    // The pages took longer than the server remembers: all at once, then, for once.
    list_whole_ = resource_version.error().code == ErrorCode::kGone;
    const bool not_served = resource_version.error().code == ErrorCode::kNotFound;
    not_served_ = not_served ? not_served_ + 1 : 0;
    RetryList(resource_version.error());
    if (options_.may_be_missing && not_served_ >= kNotServedMeansNone) EndList();
    return;
  }
  if (list_failed_) {
    RetryList(list_error_);
    return;
  }
  ++stats_.lists;
  list_whole_ = false;
  resource_version_ = std::move(*resource_version);
  last_complaint_.clear();
  client_.loop().Post(scope_.Guard([this] { Watch(); }));
  EndList();
}

void Reflector::Watch() {
  ++stats_.watches;
  watch_began_ = client_.loop().Monotonic();
  const auto jitter = random_.Below(static_cast<std::uint64_t>(options_.watch_timeout.count()) + 1);
  const WatchOptions watch{.label_selector = options_.label_selector,
                           .field_selector = options_.field_selector,
                           .resource_version = resource_version_,
                           .bookmarks = true,
                           .timeout = options_.watch_timeout + std::chrono::seconds(jitter)};
  watch_ = client_.Watch(resource_, options_.ns, watch, *this);
  RestartSilenceTimer();
}

void Reflector::EndWatch() {
  silence_.Stop();
  watch_.reset();
}

void Reflector::RestartSilenceTimer() {
  silence_.Start(options_.most_silence, [this] {
    ++stats_.silences;
    EndWatch();
    RetryWatch({.code = ErrorCode::kTimeout, .message = "the watch fell silent"});
  });
}

void Reflector::OnFrame(std::string_view frame) {
  RestartSilenceTimer();
  // Where the watch is now. The consumer may have stopped or destroyed us: then it does nothing.
  auto applied = scope_.Guard([this](const Result<std::string>& version) {
    if (!version) {
      EndWatch();
      RetryList(version.error());
      return;
    }
    ++stats_.frames;
    refused_watches_ = 0;
    backoff_.Reset();
    last_complaint_.clear();
    if (!version->empty()) resource_version_ = *version;
  });
  const Result<WatchFrame> decoded = codec_.decode_frame(frame);
  if (!decoded) return applied(ApplyBadFrame(frame, decoded.error()));
  const ObjectMeta& meta = store_.Meta(decoded->object);
  switch (decoded->type) {
    case WatchType::kAdded:
    case WatchType::kModified: Upsert(decoded->object); break;
    case WatchType::kDeleted: Remove(meta.ns, meta.name); break;
    case WatchType::kBookmark: break;
  }
  applied(meta.resource_version);
}

void Reflector::OnEnd(const Error& error) {
  const Error reason = error;  // it may live in what ends now
  EndWatch();
  const Duration lasted = client_.loop().Monotonic() - watch_began_;
  if (lasted >= kLongEnough) backoff_.Reset();
  if (NeedsList(reason)) {
    RetryList(reason);
    return;
  }
  if (reason.code == ErrorCode::kCancelled && lasted >= kLongEnough) {
    // Timed out as we asked for.
    client_.loop().Post(scope_.Guard([this] { Watch(); }));
    return;
  }
  if (reason.http_status != 0 && reason.http_status != 429 &&
      ++refused_watches_ >= kRefusalsUntilList) {
    refused_watches_ = 0;
    RetryList(reason);
    return;
  }
  RetryWatch(reason);
}

void Reflector::RetryList(const Error& error) {
  if (error.code == ErrorCode::kGone) {
    ++stats_.gone;
  } else {
    Complain("list again", error);
  }
  retry_.Start(RetryDelay(error), [this] { List(); });
}

void Reflector::RetryWatch(const Error& error) {
  if (error.code != ErrorCode::kCancelled) Complain("watch again", error);
  retry_.Start(RetryDelay(error), [this] { Watch(); });
}

Duration Reflector::RetryDelay(const Error& error) {
  const Duration delay = backoff_.Next(random_);
  if (!error.retry_after) return delay;
  return std::max<Duration>(delay, *error.retry_after);
}

void Reflector::Complain(std::string_view what, const Error& error) {
  ++stats_.failures;
  // An outage is one line, not one for each attempt.
  if (error.message == last_complaint_) return;
  last_complaint_ = error.message;
  log::Warning("lost touch with the API server",
               {{"resource", resource_.plural}, {"then", what}, {"error", error.message}});
}

// ---- the store

bool Reflector::Deliver(InformerEventKind kind, const AnyObject& old, const AnyObject& object) {
  bool alive = false;
  auto look = scope_.Guard([&alive] { alive = true; });
  const auto consumer = consumer_;  // outlives an informer that it destroys
  (*consumer)(kind, old, object);
  look();
  return alive;
}

bool Reflector::Upsert(AnyObject object) {
  const ObjectMeta& meta = store_.Meta(object);
  const AnyObject old = store_.Find(meta.ns, meta.name);
  if (old == nullptr) {
    store_.Put(object);
    return Deliver(InformerEventKind::kAdded, nullptr, object);
  }
  const ObjectMeta& old_meta = store_.Meta(old);
  if (old_meta.uid != meta.uid) {
    // Another object of the same name: we missed the end of the old one.
    if (!Remove(old_meta.ns, old_meta.name)) return false;
    store_.Put(object);
    return Deliver(InformerEventKind::kAdded, nullptr, object);
  }
  if (old_meta.resource_version == meta.resource_version) {
    store_.Mark(meta.ns, meta.name);
    return true;
  }
  store_.Put(object);
  return Deliver(InformerEventKind::kUpdated, old, object);
}

bool Reflector::Remove(std::string_view ns, std::string_view name) {
  const AnyObject old = store_.Erase(ns, name);
  return old == nullptr || Deliver(InformerEventKind::kDeleted, old, nullptr);
}

Result<void> Reflector::ApplyPage(std::string body) {
  // First all of the page, then the events: what the consumer does must not disturb the decoder.
  std::vector<Result<AnyObject>> items;
  if (auto decoded = codec_.decode_page(body, items); !decoded) return decoded;
  const bool all_good =
      std::ranges::all_of(items, [](const Result<AnyObject>& item) { return item.has_value(); });
  if (!all_good) {
    // They exist, so what we knew of them before stays.
    std::vector<ItemIdentity> identities = IdentifyItems(body);
    identities.resize(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (items[i]) continue;
      store_.Mark(identities[i].ns, identities[i].name);
      ReportBadItem(identities[i], items[i].error());
    }
  }
  body = std::string();
  for (Result<AnyObject>& item : items) {
    if (item && !Upsert(std::move(*item))) return {};
  }
  return {};
}

void Reflector::ApplyLeftOut(std::string metadata, const Error& error) {
  for (const ItemIdentity& item : IdentifyItems(metadata)) {
    store_.Mark(item.ns, item.name);  // it exists, so what we knew of it before stays
    ReportBadItem(item, error.Wrap(ObjectKey(item.ns, item.name)));
  }
}

void Reflector::EndList() {
  for (const AnyObject& gone : store_.SortedUnmarked()) {
    const ObjectMeta& meta = store_.Meta(gone);
    if (!Remove(meta.ns, meta.name)) return;
  }
  if (synced_) return;
  synced_ = true;
  Deliver(InformerEventKind::kSynced, nullptr, nullptr);
}

Result<std::string> Reflector::ApplyBadFrame(std::string_view frame, const Error& error) {
  if (error.code != ErrorCode::kInvalid) return std::unexpected(error);
  const Result<FrameIdentity> identity = IdentifyFrame(frame);
  if (!identity) return std::unexpected(identity.error());
  const bool about_an_object =
      identity->type == "ADDED" || identity->type == "MODIFIED" || identity->type == "DELETED";
  if (!about_an_object || identity->object.name.empty()) return std::unexpected(error);
  ReportBadItem(identity->object, error);
  if (identity->type == "DELETED") Remove(identity->object.ns, identity->object.name);
  return identity->object.resource_version;
}

void Reflector::ReportBadItem(const ItemIdentity& item, const Error& error) {
  ++bad_items_;
  if (on_bad_item_ && !item.name.empty()) on_bad_item_(item, error);
  if (reported_.size() >= kMostReported || !reported_.insert(error.message).second) return;
  log::Error("an object cannot be read and is left out",
             {{"resource", resource_.plural}, {"error", error.message}});
}

}  // namespace basalt::kube
