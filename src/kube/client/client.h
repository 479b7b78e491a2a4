#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "kube/client/api_client.h"
#include "kube/client/page_limits.h"
#include "kube/client/request_pacer.h"
#include "kube/types/resource.h"

namespace basalt::kube {

struct ClientOptions {
  PacerOptions pacing;      // rate, retries, the hook for metrics
  Duration deadline = 60s;  // of a call, waiting and retries included
  Duration timeout = 30s;   // of one attempt
};

// Per call; zero means the client's.
struct CallOptions {
  Duration deadline{0};
  Duration timeout{0};
  bool retry = true;
  bool dry_run = false;       // writes only
  std::string field_manager;  // writes only
};

// The object, its subresource, or (without a name) the collection that a call is about. Read during
// the call only.
//   client.Get({resources::kPods, "default", "web-0"}, …);
//   client.Create({resources::kPods, "default", "web-0", "binding"}, body, …);
struct Target {
  const Resource& resource;
  std::string_view ns = {};
  std::string_view name = {};
  std::string_view subresource = {};  // "status", "binding", "eviction", "scale"
};

enum class PatchKind { kJson, kMerge, kStrategic };

struct ListOptions {
  std::string label_selector;
  std::string field_selector;
  std::string resource_version;        // empty: the newest
  std::string resource_version_match;  // "", "NotOlderThan", "Exact"
  // Objects in a page; 0: all in one. A page that is larger than a response may be is asked for
  // again with fewer.
  int limit = 500;
  CallOptions call;  // of each page
  // Told of an object that alone is larger than a response may be and is left out. `metadata`: a
  // list object that has the object without its spec and status.
  std::function<void(std::string metadata, const Error& error)> left_out;
};

struct WatchOptions {
  std::string label_selector;
  std::string field_selector;
  std::string resource_version;
  bool bookmarks = true;
  std::optional<std::chrono::seconds> timeout;  // after which the server ends the watch
  Duration start_timeout = 30s;                 // until the response starts
};

struct DeleteOptions {
  std::optional<std::int64_t> grace_period_seconds;
  std::string propagation;  // "", "Background", "Foreground", "Orphan"
  std::string uid;          // preconditions
  std::string resource_version;
};

// One page: the whole response body, a list object.
using PageHandler = std::move_only_function<void(std::string body)>;
// After the last page: the list's resourceVersion, where a watch goes on. kGone: the list took
// longer than the server keeps its continue token; pages already given out are void, start again.
using ListHandler = std::move_only_function<void(Result<std::string> resource_version)>;

// The way components talk to a cluster: typed paths, pages, patches, at a limited rate and with
// retries, over any ApiClient. Bodies are JSON text in both directions. Handlers are called exactly
// once, on the loop, never from within the call, and not at all once the Client is destroyed.
// Several Clients may share an ApiClient; a component that must not queue behind the others (leader
// election) gets one of its own. Owned by a role or a command; loop thread only.
class Client {
 public:
  explicit Client(ApiClient& api, ClientOptions options = {});

  void Get(const Target& target, ApiHandler handler, const CallOptions& options = {});
  // A new object in the collection, or, with name and subresource, a binding or an eviction.
  void Create(const Target& target, std::string body, ApiHandler handler,
              const CallOptions& options = {});
  void Update(const Target& target, std::string body, ApiHandler handler,
              const CallOptions& options = {});
  void Patch(const Target& target, PatchKind kind, std::string body, ApiHandler handler,
             const CallOptions& options = {});
  void Delete(const Target& target, const DeleteOptions& how, ApiHandler handler,
              const CallOptions& options = {});
  // Without a namespace it would empty the whole cluster's: refused for namespaced kinds.
  void DeleteCollection(const Resource& resource, std::string_view ns, const DeleteOptions& how,
                        const ListOptions& which, ApiHandler handler);
  // An empty namespace means all.
  void List(const Resource& resource, std::string_view ns, ListOptions options, PageHandler page,
            ListHandler done);
  // As ApiClient::Watch: at once, no retry, outside the rate limit.
  std::unique_ptr<WatchStream> Watch(const Resource& resource, std::string_view ns,
                                     const WatchOptions& options, WatchObserver& observer);
  // Any other request, under the same limit and rules.
  void Send(ApiRequest request, ApiHandler handler, const CallOptions& options = {});

  Loop& loop() { return api_.loop(); }
  ApiClient& api() { return api_; }
  // Calls not yet answered.
  std::size_t pending() const { return pacer_.pending(); }

 private:
  struct Listing;

  void Write(const Target& target, ApiRequest request, ApiHandler handler,
             const CallOptions& options);
  void Submit(ApiRequest request, std::string resource, ApiHandler handler,
              const CallOptions& options);
  void Refuse(std::string message, ApiHandler handler);
  void NextPage(std::shared_ptr<Listing> listing);
  void OnPage(std::shared_ptr<Listing> listing, Result<ApiResponse> result);
  bool AskForLess(Listing& listing);

  ApiClient& api_;
  ClientOptions options_;
  RequestPacer pacer_;
  PageLimits page_limits_;
  Scope scope_;
};

}  // namespace basalt::kube
