#pragma once

#include <functional>
#include <string>

#include "base/clock.h"
#include "base/error.h"

namespace basalt::apiserver {

// Where a webhook listens: its clientConfig.
struct WebhookTarget {
  std::string url;
  std::string ca_bundle;  // PEM; empty: the system's authorities
};

// Calls an admission webhook; HttpsWebhookCaller in production, a fake in tests.
class WebhookCaller {
 public:
  virtual ~WebhookCaller() = default;

  // Posts an AdmissionReview. `done` gets the response body of a 200, or the error to apply the
  // failurePolicy to: once, on the loop, never from within Call.
  virtual void Call(WebhookTarget target, std::string body, Duration timeout,
                    std::move_only_function<void(Result<std::string>)> done) = 0;
};

}  // namespace basalt::apiserver
