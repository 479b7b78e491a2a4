#pragma once

#include <functional>

#include "apiserver/admission/admission.h"
#include "apiserver/object/object.h"
#include "base/clock.h"
#include "base/error.h"

namespace basalt::apiserver {

// A matchCondition's expression: the part of CEL that such conditions use. Names `object`,
// `oldObject` and `request` (operation, namespace, name, dryRun, userInfo.username, subResource);
// fields by `.name` and `["name"]`, `has()`, `in`, `==`, `!=`, `!`, `&&`, `||`, parentheses,
// strings, integers, booleans, null and lists of these. As in CEL a field that is not there is an
// error, which && and || pass over where the other side decides. A plain value, immutable.
class MatchCondition {
 public:
  // Nothing: the expression uses more of CEL than this knows.
  static std::optional<MatchCondition> Parse(std::string_view expression);

  enum class Outcome { kTrue, kFalse, kError };
  Outcome Evaluate(const AdmissionRequest& request) const;

  struct Value;
  using Expression = std::function<Value(const AdmissionRequest& request)>;

 private:
  explicit MatchCondition(Expression root)
      : root_(std::make_shared<const Expression>(std::move(root))) {}

  std::shared_ptr<const Expression> root_;  // shared by copies
};

// Where a webhook listens: its clientConfig.
struct WebhookTarget {
  std::string url;
  std::string ca_bundle;  // PEM; empty: the system's authorities
};

// Calls an admission webhook; HttpsWebhookCaller in production, a fake in tests. Outlives the
// server; loop thread only.
class WebhookCaller {
 public:
  virtual ~WebhookCaller() = default;

  // Posts an AdmissionReview. `done` gets the response body of a 200, or the error to apply the
  // failurePolicy to: once, on the loop, never from within Call.
  virtual void Call(WebhookTarget target, std::string body, Duration timeout,
                    std::move_only_function<void(Result<std::string>)> done) = 0;
};

// One webhook of a configuration, ready to match and to call.
struct Webhook {
  std::string name;
  json::object configuration;  // the webhook as it was written
  WebhookTarget target;        // url empty: it names a service, which cannot be reached here
  Duration timeout = 10s;
  bool fail_open = false;                  // failurePolicy: Ignore
  bool reinvoke = false;                   // reinvocationPolicy: IfNeeded
  std::vector<MatchCondition> conditions;  // those that can be evaluated here
};

// The webhooks of all configurations (a list of Mutating- or ValidatingWebhookConfigurations), in
// the order of their calling.
std::vector<Webhook> ReadWebhooks(const std::vector<json::object>& configurations);

// Whether the webhook wants to see the request: rules, namespaceSelector, objectSelector,
// matchConditions. One that uses more of CEL than MatchCondition knows counts as true.
bool Wants(const Webhook& webhook, const AdmissionRequest& request, const ObjectReader& objects);

// The AdmissionReview protocol (admission.k8s.io/v1), both ways.

// "CREATE", …
std::string_view OperationName(Operation operation);

std::string WriteReview(const AdmissionRequest& request, std::string_view uid);

struct ReviewAnswer {
  bool allowed = false;
  ApiStatus refusal;                 // where it is not allowed
  std::optional<json::array> patch;  // RFC 6902
  std::vector<std::string> warnings;
};
// The error is for failurePolicy: the answer is no answer.
Result<ReviewAnswer> ReadReview(std::string_view body, std::string_view uid,
                                std::string_view webhook_name);

}  // namespace basalt::apiserver
