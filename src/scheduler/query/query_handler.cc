#include "scheduler/query/query_handler.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <ranges>
#include <string_view>
#include <vector>

#include "net/token_server.h"
#include "net/url.h"
#include "scheduler/explain/overview.h"
#include "scheduler/explain/scale.h"

namespace basalt::scheduler::query {
namespace {

namespace json = boost::json;

constexpr std::size_t kLongestTarget = 1024;

net::HttpResponse Json(int status, const json::value& body) {
  return {.status = status, .headers = {}, .body = json::serialize(body)};
}

net::HttpResponse Refuse(int status, std::string_view message) {
  return Json(status, json::object{{"message", message}});
}

// "/v1/queues/a" to "v1", "queues", "a". Names of Kubernetes objects need no escapes.
std::vector<std::string_view> Parts(std::string_view path) {
  std::vector<std::string_view> parts;
  for (const auto part : std::views::split(path, '/')) {
    if (!part.empty()) parts.emplace_back(part.begin(), part.end());
  }
  return parts;
}

net::HttpResponse NotThere(std::string_view what) {
  return Refuse(404, fmt::format("{} is not known to the scheduler", what));
}

net::HttpResponse ExplainQueue(explain::Explainer& explainer, std::string_view name) {
  const auto found = explainer.Queue(name);
  if (!found) return NotThere(fmt::format("queue {}", name));
  json::object out = ToJson(found->next);
  json::array waiting;
  for (const explain::Explanation& one : found->waiting) waiting.push_back(ToJson(one));
  out["waiting"] = std::move(waiting);
  out["waitingTotal"] = found->waiting_total;
  return Json(200, out);
}

// The value of the key in "a=b&c=d"; "" where it is missing or cannot be read.
std::string ValueOf(std::string_view query, std::string_view key) {
  for (const auto part : std::views::split(query, '&')) {
    const std::string_view pair(part.begin(), part.end());
    if (pair.size() > key.size() && pair.starts_with(key) && pair[key.size()] == '=') {
      return net::PercentDecode(pair.substr(key.size() + 1)).value_or("");
    }
  }
  return "";
}

net::HttpResponse ExplainScale(explain::Explainer& explainer, std::string_view ns,
                               std::string_view query) {
  const std::string queue = ValueOf(query, "queue");
  if (!queue.empty() && !explainer.cluster().FindQueue(queue)) {
    return NotThere(fmt::format("queue {}", queue));
  }
  return {.status = 200,
          .headers = {},
          .body = ToJsonText(explainer.Scale({.ns = ns, .queue = queue}))};
}

// Nothing of it is in the state. A pod that others schedule is no mistake in its name.
net::HttpResponse NotThere(const QuerySources& sources, std::string_view kind, std::string_view ns,
                           std::string_view name) {
  if (kind == "pod" && sources.pod_of_others) {
    const std::string whose = sources.pod_of_others(ns, name);
    if (!whose.empty()) return Refuse(404, whose);
  }
  return NotThere(fmt::format("{} {}/{}", kind, ns, name));
}

net::HttpResponse Explain(const QuerySources& sources, explain::Explainer& explainer,
                          const std::vector<std::string_view>& parts, std::string_view query) {
  if ((parts.size() == 3 || parts.size() == 4) && parts[2] == "scale") {
    return ExplainScale(explainer, parts.size() == 4 ? parts[3] : std::string_view(), query);
  }
  if (parts.size() == 4 && parts[2] == "queue") return ExplainQueue(explainer, parts[3]);
  if (parts.size() == 5 &&
      (parts[2] == "pod" || parts[2] == "podgroup" || parts[2] == "reservation")) {
    const auto found = parts[2] == "pod"        ? explainer.Pod(parts[3], parts[4])
                       : parts[2] == "podgroup" ? explainer.PodGroup(parts[3], parts[4])
                                                : explainer.Reservation(parts[3], parts[4]);
    if (!found) return NotThere(sources, parts[2], parts[3], parts[4]);
    return Json(200, ToJson(*found));
  }
  return Refuse(404, "there is no such question");
}

net::HttpResponse AnswerTo(const QuerySources& sources, explain::Explainer& explainer,
                           const std::vector<std::string_view>& parts, std::string_view query) {
  const model::Cluster& cluster = explainer.cluster();
  const std::size_t count = parts.size();
  if (count >= 2 && parts[1] == "explain") return Explain(sources, explainer, parts, query);
  if ((count == 2 || count == 3) && parts[1] == "podgroups") {
    const std::string_view ns = count == 3 ? parts[2] : std::string_view();
    return Json(200, json::object{{"items", explain::ListPodGroups(cluster, ns)}});
  }
  if (count == 2 && parts[1] == "queues") {
    return Json(200, json::object{{"items", explain::ListQueues(cluster)}});
  }
  if (count == 2 && parts[1] == "status") {
    json::object status = explain::Overview(cluster);
    if (sources.activity) status["activity"] = sources.activity();
    return Json(200, status);
  }
  if (count == 3 && parts[1] == "queues") {
    json::object queue = explain::DescribeQueue(cluster, parts[2]);
    if (queue.empty()) return NotThere(fmt::format("queue {}", parts[2]));
    return Json(200, queue);
  }
  return Refuse(404, "there is no such question");
}

int StatusOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument: return 400;
    case ErrorCode::kNotFound: return 404;
    case ErrorCode::kTooManyRequests: return 429;
    case ErrorCode::kTimeout: return 504;
    default: return 503;
  }
}

}  // namespace

std::optional<net::HttpResponse> QueryHandler::Judge(const net::HttpRequest& head) const {
  if (net::BearsToken(head, token_)) return std::nullopt;
  return Refuse(401, "the token of Secret basalt-query is needed");
}

void QueryHandler::Handle(const net::HttpRequest& request, Respond respond) const {
  const bool simulate = request.target == "/v1/simulate" && sources_.simulate;
  const bool overview = request.target == "/v1/overview" && sources_.overview;
  constexpr std::string_view kNodes = "/v1/nodes/";
  const bool node = request.target.starts_with(kNodes) && sources_.node;
  if ((!simulate && !overview && !node) || Judge(request)) return respond(Answer(request));
  if (request.method != (simulate ? "POST" : "GET")) {
    return respond(Refuse(405, simulate ? "simulate is asked with POST" : "it is asked with GET"));
  }
  auto later = [respond](Result<std::string> answer) {
    if (answer) {
      return respond({.status = 200, .headers = {}, .body = *std::move(answer)});
    }
    respond(Refuse(StatusOf(answer.error().code), answer.error().message));
  };
  if (overview) return sources_.overview(std::move(later));
  if (node) return sources_.node(request.target.substr(kNodes.size()), std::move(later));
  const std::string* asker = net::FindHeader(request.headers, "X-Basalt-Asker");
  sources_.simulate(request.body, asker ? *asker : "", std::move(later));
}

net::HttpResponse QueryHandler::Answer(const net::HttpRequest& request) const {
  if (auto refused = Judge(request)) return *std::move(refused);
  if (request.method != "GET") return Refuse(405, "questions are asked with GET");
  if (request.target.size() > kLongestTarget) return Refuse(414, "the question is too long");
  const std::string_view target = request.target;
  const std::string_view path = target.substr(0, target.find('?'));
  const std::string_view query = target.substr(std::min(path.size() + 1, target.size()));
  const std::vector<std::string_view> parts = Parts(path);
  if (parts.empty() || parts[0] != "v1") return Refuse(404, "there is no such question");
  std::optional<explain::Explainer> explainer = sources_.explainer();
  if (!explainer) return Refuse(503, "this scheduler does not lead: ask again in a moment");
  return AnswerTo(sources_, *explainer, parts, query);
}

}  // namespace basalt::scheduler::query
