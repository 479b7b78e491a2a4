#pragma once

#include <functional>
#include <optional>
#include <string>

#include "net/http.h"
#include "scheduler/explain/explainer.h"

namespace basalt::scheduler::query {

// Answers questions about the scheduler's state (contract C10), each in one go on the scheduling
// thread. GET only, JSON:
//
//   /v1/explain/pod/NAMESPACE/NAME, /v1/explain/podgroup/NAMESPACE/NAME, /v1/explain/queue/NAME
//   /v1/explain/scale, /v1/explain/scale/NAMESPACE, either with ?queue=NAME
//   /v1/podgroups, /v1/podgroups/NAMESPACE, /v1/queues, /v1/queues/NAME
//
// Whoever has the token may ask. An answer that is not there is a 404 with a sentence in "message".
class QueryHandler {
 public:
  // `explainer` says nothing while this scheduler does not lead: it does not know all.
  QueryHandler(std::string token, std::function<std::optional<explain::Explainer>()> explainer)
      : token_(std::move(token)), explainer_(std::move(explainer)) {}

  net::HttpResponse Answer(const net::HttpRequest& request) const;

 private:
  bool MayAsk(const net::HttpRequest& request) const;

  std::string token_;
  std::function<std::optional<explain::Explainer>()> explainer_;
};

}  // namespace basalt::scheduler::query
