#include "kube/client/request_pacer.h"

#include <algorithm>
#include <utility>

#include "kube/client/retry_policy.h"

namespace basalt::kube {

struct RequestPacer::Call {
  Call(Loop& loop, Backoff pauses) : backoff(pauses), deadline_timer(loop) {}

  ApiRequest request;
  std::string resource;
  ApiHandler handler;
  Duration deadline{0};  // Clock::Monotonic
  Duration sent{0};
  bool retry = true;
  bool finished = false;
  Backoff backoff;
  Timer deadline_timer;  // while it waits; an attempt has its own timeout
};

RequestPacer::RequestPacer(ApiClient& api, PacerOptions options)
    : api_(api),
      options_(std::move(options)),
      limiter_(options_.qps, std::max(1.0, options_.burst)),
      random_(options_.seed),
      next_token_(api.loop()) {}

void RequestPacer::Send(ApiRequest request, std::string resource, Duration deadline, bool retry,
                        ApiHandler handler) {
  auto call =
      std::make_shared<Call>(api_.loop(), Backoff(options_.first_retry, options_.most_retry));
  call->request = std::move(request);
  call->resource = std::move(resource);
  call->handler = std::move(handler);
  call->deadline = api_.loop().Monotonic() + deadline;
  call->retry = retry;
  ++pending_;
  Enqueue(std::move(call));
}

void RequestPacer::Enqueue(CallPtr call) {
  if (queue_.empty() && !token_paid_ && limiter_.TryTake(api_.loop().Monotonic())) {
    return Dispatch(std::move(call));
  }
  WatchDeadline(call);
  queue_.push_back(std::move(call));
  if (!next_token_.running()) Pump();
}

void RequestPacer::Pump() {
  while (!queue_.empty()) {
    if (queue_.front()->finished) {  // its deadline passed while it waited
      queue_.pop_front();
      continue;
    }
    if (!token_paid_) {
      const Duration wait = limiter_.Take(api_.loop().Monotonic());
      token_paid_ = true;
      if (wait > Duration::zero()) return next_token_.Start(wait, [this] { Pump(); });
    }
    token_paid_ = false;
    CallPtr call = std::move(queue_.front());
    queue_.pop_front();
    Dispatch(std::move(call));
  }
}

void RequestPacer::Dispatch(CallPtr call) {
  call->deadline_timer.Stop();
  call->sent = api_.loop().Monotonic();
  ApiRequest attempt;
  if (call->retry) {
    attempt = call->request;
  } else {
    attempt = std::move(call->request);
    call->request.method = attempt.method;
  }
  // Never zero: an attempt without time left still has to fail by itself.
  attempt.timeout = std::max<Duration>(1ms, std::min(attempt.timeout, call->deadline - call->sent));
  api_.Send(std::move(attempt), scope_.Guard([this, call](Result<ApiResponse> result) {
    if (options_.on_outcome) {
      options_.on_outcome({.verb = call->request.method,
                           .resource = call->resource,
                           .code = result ? result->status : result.error().http_status,
                           .took = api_.loop().Monotonic() - call->sent});
    }
    if (!result && call->retry && MayRetry(call->request, result.error())) {
      return RetryLater(call, result.error());
    }
    Finish(call, std::move(result));
  }));
}

// When the deadline leaves no time for another attempt, the answer is the error of the last one.
void RequestPacer::RetryLater(CallPtr call, const Error& error) {
  Duration delay = call->backoff.Next(random_);
  if (error.retry_after) delay += *error.retry_after;
  if (api_.loop().Monotonic() + delay >= call->deadline) {
    return Finish(call, std::unexpected(error));
  }
  api_.loop().Schedule(delay, scope_.Guard([this, call] { Enqueue(call); }));
}

void RequestPacer::WatchDeadline(const CallPtr& call) {
  const Duration left = call->deadline - api_.loop().Monotonic();
  // The timer belongs to the call: it must not keep it alive.
  call->deadline_timer.Start(
      std::max(left, Duration::zero()), scope_.Guard([this, weak = std::weak_ptr<Call>(call)] {
        const CallPtr waiting = weak.lock();
        if (waiting == nullptr) return;
        Finish(waiting, Fail(ErrorCode::kTimeout,
                             "the deadline passed while the request waited for the client-side "
                             "rate limit (qps, burst)"));
      }));
}

void RequestPacer::Finish(const CallPtr& call, Result<ApiResponse> result) {
  call->finished = true;
  call->deadline_timer.Stop();
  --pending_;
  ApiHandler handler = std::move(call->handler);
  handler(std::move(result));  // may destroy this
}

}  // namespace basalt::kube
