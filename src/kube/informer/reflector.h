#pragma once

#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/backoff.h"
#include "base/error.h"
#include "base/loop.h"
#include "base/random.h"
#include "kube/client/client.h"
#include "kube/informer/object_store.h"
#include "kube/types/codec.h"
#include "kube/types/item_identity.h"
#include "kube/types/resource.h"

namespace basalt::kube {

struct ReflectorOptions {
  std::string ns;  // empty: all
  std::string label_selector;
  std::string field_selector;
  int page_size = 500;
  // The server ends a watch after this, and up to twice this, so that watches spread over servers.
  std::chrono::seconds watch_timeout = 300s;
  // A watch without frame or bookmark for this long is taken for dead. API servers send a bookmark
  // about every minute.
  Duration most_silence = 180s;
  Duration first_retry = 500ms;
  Duration most_retry = 30s;
  std::uint64_t seed = 1;  // of the jitter
  // A server that does not serve the kind at all has none of it, after a few attempts: it may be
  // starting. It is asked again and again all the same.
  bool may_be_missing = false;
};

struct ReflectorStats {
  std::uint64_t lists = 0;    // completed
  std::uint64_t watches = 0;  // started
  std::uint64_t frames = 0;   // bookmarks included
  std::uint64_t gone = 0;     // the version that the watch was at was too old
  std::uint64_t silences = 0;
  std::uint64_t failures = 0;  // of lists and watches, all reasons
};

enum class InformerEventKind { kAdded, kUpdated, kDeleted, kSynced };

// How objects of one type are read.
struct ObjectCodec {
  ObjectStore::MetaOf meta_of;
  Result<void> (*decode_page)(std::string_view body, std::vector<Result<AnyObject>>& items);
  Result<WatchFrame> (*decode_frame)(std::string_view frame);
};

// Keeps a store in step with a collection on the server: lists it in pages, then watches it from
// the list's version. A watch that ends is resumed from the last version seen; if that is too old,
// or the server refuses it for good, everything is listed again. Never gives up; delays grow with
// jitter.
//
// Pages and frames become changes of the store and events, each event delivered when the store has
// just that change, so that the consumer's view is always the sum of the events so far.
//
// The part of an Informer that does not depend on the type. Loop thread only; the consumer may stop
// or destroy it.
class Reflector final : private WatchObserver {
 public:
  // Updated has both objects, Added the new one, Deleted the last that was delivered.
  using Consumer =
      std::function<void(InformerEventKind kind, const AnyObject& old, const AnyObject& object)>;

  Reflector(Client& client, const Resource& resource, ObjectCodec codec, ReflectorOptions options,
            Consumer consumer);
  ~Reflector() override;

  void Start();
  // Nothing is called any more. May be started again, with a list.
  void Stop();
  bool HasSynced() const { return synced_; }

  ObjectStore& store() { return store_; }
  const ObjectStore& store() const { return store_; }
  // Of the last list or frame.
  const std::string& resource_version() const { return resource_version_; }
  const ReflectorStats& stats() const { return stats_; }
  // Objects and versions of them that could not be decoded.
  std::uint64_t bad_items() const { return bad_items_; }
  // Told of each of them.
  using BadItemHandler = std::function<void(const ItemIdentity& item, const Error& error)>;
  void OnBadItem(BadItemHandler handler) { on_bad_item_ = std::move(handler); }

 private:
  void List();
  // An error: it cannot be read at all, the list is not to be trusted.
  Result<void> ApplyPage(std::string body);
  // Objects of the list that cannot be had; `metadata` is a list of what they are called.
  void ApplyLeftOut(std::string metadata, const Error& error);
  void OnListed(Result<std::string> resource_version);
  // All pages were applied.
  void EndList();
  void Watch();
  void EndWatch();
  void RestartSilenceTimer();
  // Lists or watches again after a back-off.
  void RetryList(const Error& error);
  void RetryWatch(const Error& error);
  Duration RetryDelay(const Error& error);
  void Complain(std::string_view what, const Error& error);

  void OnFrame(std::string_view frame) override;
  void OnEnd(const Error& error) override;
  // Where the watch is then; "": where it was. An error ends the watch: everything is listed again.
  Result<std::string> ApplyBadFrame(std::string_view frame, const Error& error);

  // ---- the store; false: the consumer has stopped or destroyed us
  bool Upsert(AnyObject object);
  bool Remove(std::string_view ns, std::string_view name);
  bool Deliver(InformerEventKind kind, const AnyObject& old, const AnyObject& object);
  void ReportBadItem(const ItemIdentity& item, const Error& error);

  Client& client_;
  const Resource& resource_;
  const ObjectCodec codec_;
  const ReflectorOptions options_;
  std::shared_ptr<Consumer> consumer_;
  ObjectStore store_;
  bool synced_ = false;
  std::uint64_t bad_items_ = 0;
  BadItemHandler on_bad_item_;
  boost::unordered_flat_set<std::string> reported_;  // messages about bad items, bounded
  Random random_;
  Backoff backoff_;
  std::string resource_version_;
  ReflectorStats stats_;

  Error list_error_;  // of a page of the list under way
  bool list_failed_ = false;
  bool list_whole_ = false;  // the next one, without pages
  int not_served_ = 0;       // answers in a row that there is no such kind
  std::unique_ptr<WatchStream> watch_;
  Duration watch_began_{0};
  int refused_watches_ = 0;  // by the server, one after the other
  std::string last_complaint_;
  Timer retry_;
  Timer silence_;
  Scope scope_;
};

}  // namespace basalt::kube
