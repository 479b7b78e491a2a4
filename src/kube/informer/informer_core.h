#pragma once

#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/loop.h"
#include "kube/informer/object_store.h"
#include "kube/informer/reflector.h"
#include "kube/types/codec.h"
#include "kube/types/item_identity.h"

namespace basalt::kube {

enum class InformerEventKind { kAdded, kUpdated, kDeleted, kSynced };

// How objects of one type are read.
struct ObjectCodec {
  struct Frame {
    WatchType type;
    AnyObject object;  // of a bookmark: only its version
  };
  ObjectStore::MetaOf meta_of;
  Result<void> (*decode_page)(std::string_view body, std::vector<Result<AnyObject>>& items);
  Result<Frame> (*decode_frame)(std::string_view frame);
};

// The part of an Informer that does not depend on the type: turns pages and frames into changes of
// the store and into events, each event delivered when the store has just that change, so that the
// consumer's view is always the sum of the events so far. Loop thread only.
class InformerCore final : private Reflector::Target {
 public:
  // Updated has both objects, Added the new one, Deleted the last that was delivered.
  using Consumer =
      std::function<void(InformerEventKind kind, const AnyObject& old, const AnyObject& object)>;

  InformerCore(Client& client, const Resource& resource, ObjectCodec codec,
               ReflectorOptions options, Consumer consumer);

  void Start() { reflector_.Start(); }
  void Stop();
  bool HasSynced() const { return synced_; }
  // Objects and versions of them that could not be decoded.
  std::uint64_t bad_items() const { return bad_items_; }
  // Told of each of them.
  using BadItemHandler = std::function<void(const ItemIdentity& item, const Error& error)>;
  void OnBadItem(BadItemHandler handler) { on_bad_item_ = std::move(handler); }

  ObjectStore& store() { return store_; }
  const ObjectStore& store() const { return store_; }
  const Reflector& reflector() const { return reflector_; }

 private:
  void BeginList() override;
  Result<void> ApplyPage(std::string body) override;
  void ApplyLeftOut(std::string metadata, const Error& error) override;
  void EndList() override;
  Result<Reflector::FrameResult> ApplyFrame(std::string_view frame) override;

  // False: the consumer has stopped or destroyed us.
  bool Deliver(InformerEventKind kind, const AnyObject& old, const AnyObject& object);
  bool Upsert(AnyObject object);
  bool Remove(std::string_view ns, std::string_view name);
  Result<Reflector::FrameResult> ApplyBadFrame(std::string_view frame, const Error& error);
  void ReportBadItem(const ItemIdentity& item, const Error& error);

  const Resource& resource_;
  const ObjectCodec codec_;
  std::shared_ptr<Consumer> consumer_;
  ObjectStore store_;
  bool synced_ = false;
  std::uint64_t bad_items_ = 0;
  BadItemHandler on_bad_item_;
  boost::unordered_flat_set<std::string> reported_;  // messages about bad items, bounded
  Reflector reflector_;
  Scope scope_;
};

}  // namespace basalt::kube
