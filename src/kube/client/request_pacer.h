#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/backoff.h"
#include "base/loop.h"
#include "base/random.h"
#include "base/rate_limiter.h"
#include "kube/client/api_client.h"

namespace basalt::kube {

// One attempt that was answered or failed, for metrics.
struct RequestOutcome {
  std::string_view verb;      // "GET", "POST", …
  std::string_view resource;  // "pods", "pods/binding"
  int code = 0;               // HTTP status; 0: there was no response
  Duration took{0};
};
using RequestHook = std::function<void(const RequestOutcome&)>;

struct PacerOptions {
  double qps = 0;  // 0: no limit
  double burst = 0;
  Duration first_retry = 100ms;
  Duration most_retry = 10s;
  std::uint64_t seed = 1;  // of the jitter
  RequestHook on_outcome;
};

// Sends requests at most at the allowed rate, first come first served, and sends again what may be
// sent again (retry_policy.h) until it is answered or its deadline is near. A retry queues like a
// new request. Owned by a Client; loop thread only. Destroyed, it drops what is pending: those
// handlers are never called.
class RequestPacer {
 public:
  RequestPacer(ApiClient& api, PacerOptions options);

  // `deadline` counts from now and covers waiting and every attempt. `resource` is for the hook.
  void Send(ApiRequest request, std::string resource, Duration deadline, bool retry,
            ApiHandler handler);

  // Requests not yet answered.
  std::size_t pending() const { return pending_; }

 private:
  struct Call;
  using CallPtr = std::shared_ptr<Call>;

  void Enqueue(CallPtr call);
  void Pump();
  void Dispatch(CallPtr call);
  void Finish(const CallPtr& call, Result<ApiResponse> result);
  void RetryLater(CallPtr call, const Error& error);
  void WatchDeadline(const CallPtr& call);

  ApiClient& api_;
  PacerOptions options_;
  RateLimiter limiter_;
  Random random_;
  std::deque<CallPtr> queue_;
  bool token_paid_ =
      false;  // the token of the queue's next is taken; it is good when the timer ends
  std::size_t pending_ = 0;
  Timer next_token_;
  Scope scope_;
};

}  // namespace basalt::kube
