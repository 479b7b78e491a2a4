#include "kube/informer/informer_core.h"

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "kube/types/item_identity.h"

namespace basalt::kube {
namespace {
constexpr std::size_t kMostReported = 1000;
}

InformerCore::InformerCore(Client& client, const Resource& resource, ObjectCodec codec,
                           ReflectorOptions options, Consumer consumer)
    : resource_(resource),
      codec_(codec),
      consumer_(std::make_shared<Consumer>(std::move(consumer))),
      store_(codec.meta_of),
      reflector_(client, resource, std::move(options), *this) {}

void InformerCore::Stop() {
  scope_.Reset();
  reflector_.Stop();
}

bool InformerCore::Deliver(InformerEventKind kind, const AnyObject& old, const AnyObject& object) {
  bool alive = false;
  auto look = scope_.Guard([&alive] { alive = true; });
  const auto consumer = consumer_;  // outlives an informer that it destroys
  (*consumer)(kind, old, object);
  look();
  return alive;
}

bool InformerCore::Upsert(AnyObject object) {
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

bool InformerCore::Remove(std::string_view ns, std::string_view name) {
  const AnyObject old = store_.Erase(ns, name);
  return old == nullptr || Deliver(InformerEventKind::kDeleted, old, nullptr);
}

void InformerCore::BeginList() { store_.UnmarkAll(); }

Result<void> InformerCore::ApplyPage(std::string body) {
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

void InformerCore::ApplyLeftOut(std::string metadata, const Error& error) {
  for (const ItemIdentity& item : IdentifyItems(metadata)) {
    store_.Mark(item.ns, item.name);  // it exists, so what we knew of it before stays
    ReportBadItem(item, error.Wrap(ObjectKey(item.ns, item.name)));
  }
}

void InformerCore::EndList() {
  for (const AnyObject& gone : store_.SortedUnmarked()) {
    const ObjectMeta& meta = store_.Meta(gone);
    if (!Remove(meta.ns, meta.name)) return;
  }
  if (synced_) return;
  synced_ = true;
  Deliver(InformerEventKind::kSynced, nullptr, nullptr);
}

Result<Reflector::FrameResult> InformerCore::ApplyFrame(std::string_view frame) {
  Result<ObjectCodec::Frame> decoded = codec_.decode_frame(frame);
  if (!decoded) {
    if (decoded.error().code == ErrorCode::kInvalid) return ApplyBadFrame(frame, decoded.error());
    return std::unexpected(decoded.error());
  }
  const ObjectMeta& meta = store_.Meta(decoded->object);
  Reflector::FrameResult result{.resource_version = meta.resource_version};
  switch (decoded->type) {
    case WatchType::kAdded:
    case WatchType::kModified: Upsert(std::move(decoded->object)); break;
    case WatchType::kDeleted: Remove(meta.ns, meta.name); break;
    case WatchType::kBookmark: break;
  }
  return result;
}

Result<Reflector::FrameResult> InformerCore::ApplyBadFrame(std::string_view frame,
                                                           const Error& error) {
  const Result<FrameIdentity> identity = IdentifyFrame(frame);
  if (!identity) return std::unexpected(identity.error());
  const bool about_an_object =
      identity->type == "ADDED" || identity->type == "MODIFIED" || identity->type == "DELETED";
  if (!about_an_object || identity->object.name.empty()) return std::unexpected(error);
  ReportBadItem(identity->object, error);
  Reflector::FrameResult result{.resource_version = identity->object.resource_version};
  if (identity->type == "DELETED") Remove(identity->object.ns, identity->object.name);
  return result;
}

void InformerCore::ReportBadItem(const ItemIdentity& item, const Error& error) {
  ++bad_items_;
  if (on_bad_item_ && !item.name.empty()) on_bad_item_(item, error);
  if (reported_.size() >= kMostReported || !reported_.insert(error.message).second) return;
  log::Error("an object cannot be read and is left out",
             {{"resource", resource_.plural}, {"error", error.message}});
}

}  // namespace basalt::kube
