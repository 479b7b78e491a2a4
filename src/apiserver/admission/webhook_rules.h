#pragma once

#include <string>
#include <vector>

#include "apiserver/admission/admission.h"
#include "apiserver/admission/match_condition.h"
#include "apiserver/admission/webhook_caller.h"

namespace basalt::apiserver {

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

}  // namespace basalt::apiserver
