#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/loop.h"

namespace basalt::kube {

struct ApiRequest {
  std::string method = "GET";
  std::string path;                                        // "/api/v1/namespaces/default/pods"
  std::vector<std::pair<std::string, std::string>> query;  // not yet percent-encoded
  std::string body;
  std::string content_type;  // of the body; empty: application/json
  std::string accept;        // of the response; empty: application/json
  Duration timeout = 30s;    // of one attempt; for a watch: until the response starts
};

struct ApiResponse {
  int status = 0;
  std::string body;
};

// What a watch tells its owner. Called on the loop, never from within Watch itself. Outlives the
// watch.
class WatchObserver {
 public:
  virtual ~WatchObserver() = default;
  // One frame: {"type":…,"object":…}, without the line end. Only complete frames arrive.
  virtual void OnFrame(std::string_view frame) = 0;
  // The watch is over: refused (with the server's error), cut off (kUnavailable) or ended by the
  // server (kCancelled with an empty message). Nothing follows. The stream may be destroyed here.
  virtual void OnEnd(const Error& error) = 0;
};

// A watch that is open. Owned by the caller of Watch; loop thread only. Destroying it ends the
// watch; the observer is not called any more.
class WatchStream {
 public:
  virtual ~WatchStream() = default;
};

using ApiHandler = std::move_only_function<void(Result<ApiResponse>)>;

// The way to an API server: one attempt of one request, no retry, no limit (Client adds those). Two
// implementations: HttpApiClient, and testing/direct_api_client.h, which calls the embedded
// server's core without a socket. Outlives the Clients that use it. Loop thread only.
class ApiClient {
 public:
  virtual ~ApiClient() = default;

  // Calls `handler` exactly once, on the loop, never from within Send. A response with a status of
  // 300 or more is an Error with the code of its reason and the server's message; one that could
  // not be had is kUnavailable or kTimeout, one that is larger than allowed is kTooLarge.
  virtual void Send(ApiRequest request, ApiHandler handler) = 0;
  // `request` carries the query of the watch (watch=1, resourceVersion, …).
  virtual std::unique_ptr<WatchStream> Watch(ApiRequest request, WatchObserver& observer) = 0;
  virtual Loop& loop() = 0;
};

}  // namespace basalt::kube
