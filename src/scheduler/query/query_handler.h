#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "net/http.h"
#include "scheduler/explain/explainer.h"

namespace basalt::scheduler::query {

// Whom a QueryHandler asks. Each is called on the scheduling thread, between cycles.
struct QuerySources {
  // Says nothing while this scheduler does not lead: it does not know all.
  std::function<std::optional<explain::Explainer>()> explainer;
  // A pod that is there and that the scheduler leaves to others: whose it is, in a sentence. ""
  // where there is no such pod. May be missing.
  std::function<std::string(std::string_view ns, std::string_view name)> pod_of_others = {};
};

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
  QueryHandler(std::string token, QuerySources sources)
      : token_(std::move(token)), sources_(std::move(sources)) {}

  net::HttpResponse Answer(const net::HttpRequest& request) const;

 private:
  std::string token_;
  QuerySources sources_;
};

}  // namespace basalt::scheduler::query
