#pragma once

#include <boost/json/object.hpp>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "net/http.h"
#include "scheduler/explain/explainer.h"

namespace basalt::scheduler::query {

// The functions that a QueryHandler asks. Each is called on the scheduling thread, between cycles.
struct QuerySources {
  // Says nothing while this scheduler does not lead: it does not know all.
  std::function<std::optional<explain::Explainer>()> explainer;
  // A pod that is there and that the scheduler leaves to others: whose it is, in a sentence. ""
  // where there is no such pod. May be missing.
  std::function<std::string(std::string_view ns, std::string_view name)> pod_of_others = {};
  // Questions whose answers are worked out elsewhere, of an image of the state: JSON, later, on the
  // same thread. Each may be missing.
  using Later = std::function<void(Result<std::string> answer)>;
  std::function<void(std::string body, std::string asker, Later later)> simulate = {};
  std::function<void(Later later)> overview = {};
  std::function<void(std::string name, Later later)> node = {};
  // What the scheduler has been doing, for /v1/status beside the state. May be missing.
  std::function<boost::json::object()> activity = {};
};

// Answers questions about the scheduler's state (contract C10), each in one go on the scheduling
// thread; but for the last three. JSON:
//
//   /v1/explain/pod/NAMESPACE/NAME, /v1/explain/podgroup/NAMESPACE/NAME, /v1/explain/queue/NAME
//   /v1/explain/scale, /v1/explain/scale/NAMESPACE, either with ?queue=NAME
//   /v1/podgroups, /v1/podgroups/NAMESPACE, /v1/queues, /v1/queues/NAME
//   /v1/nodes/NAME: its pods, and why those that wait do not fit there
//   /v1/overview: nodes, waiting pods, evictions, promises, reservations (docs/dashboard-api.md)
//   /v1/status: the state at a glance, and what the scheduler has been doing
//   POST /v1/simulate (docs/simulate.md); the header X-Basalt-Asker tells askers apart
//
// A caller that has the token may ask. An answer that is not there is a 404 with a sentence in
// "message".
class QueryHandler {
 public:
  QueryHandler(std::string token, QuerySources sources)
      : token_(std::move(token)), sources_(std::move(sources)) {}

  using Respond = std::function<void(net::HttpResponse)>;
  // Calls `respond` once, now or later.
  void Handle(const net::HttpRequest& request, Respond respond) const;
  // What can be said at once.
  net::HttpResponse Answer(const net::HttpRequest& request) const;
  // By the header alone, before a body is read: a caller without the token is told so.
  std::optional<net::HttpResponse> Judge(const net::HttpRequest& head) const;

 private:
  std::string token_;
  QuerySources sources_;
};

}  // namespace basalt::scheduler::query
