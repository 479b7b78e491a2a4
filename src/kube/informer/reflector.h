#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/backoff.h"
#include "base/error.h"
#include "base/loop.h"
#include "base/random.h"
#include "kube/client/client.h"
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

// Keeps a target in step with a collection on the server: lists it in pages, then watches it from
// the list's version. A watch that ends is resumed from the last version seen; if that is too old,
// or the server refuses it for good, everything is listed again. Never gives up; delays grow with
// jitter. Knows nothing of the objects' type. Owned by an informer; loop thread only.
class Reflector final : private WatchObserver {
 public:
  // What a frame did.
  struct FrameResult {
    std::string resource_version;  // where the watch is now; empty: where it was
  };
  // Called on the loop. Any of these calls may stop or destroy the reflector.
  class Target {
   public:
    virtual ~Target() = default;
    // A list begins, possibly after one that was not finished.
    virtual void BeginList() = 0;
    // One page. An error: it cannot be read at all, the list is not to be trusted.
    virtual Result<void> ApplyPage(std::string body) = 0;
    // Objects of the list that cannot be had; `metadata` is a list of what they are called.
    virtual void ApplyLeftOut(std::string metadata, const Error& error) = 0;
    // All pages were applied.
    virtual void EndList() = 0;
    // One frame of the watch. An error ends the watch: everything is listed again.
    virtual Result<FrameResult> ApplyFrame(std::string_view frame) = 0;
  };

  Reflector(Client& client, const Resource& resource, ReflectorOptions options, Target& target);
  ~Reflector() override;

  void Start();
  // Nothing is called any more. May be started again, with a list.
  void Stop();

  // Of the last list or frame.
  const std::string& resource_version() const { return resource_version_; }
  const ReflectorStats& stats() const { return stats_; }

 private:
  void List();
  void OnPage(std::string body);
  void OnLeftOut(std::string metadata, const Error& error);
  void OnListed(Result<std::string> resource_version);
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

  Client& client_;
  const Resource& resource_;
  const ReflectorOptions options_;
  Target& target_;
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
