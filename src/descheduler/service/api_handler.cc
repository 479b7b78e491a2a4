#include "descheduler/service/api_handler.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <utility>

#include "net/token_server.h"

namespace basalt::descheduler {
namespace {

namespace json = boost::json;

constexpr std::string_view kRuns = "/v1/defragmentation";

net::HttpResponse JsonAnswer(int status, const json::object& body) {
  return {.status = status, .headers = {}, .body = json::serialize(body)};
}

net::HttpResponse Refusal(int status, std::string_view message) {
  return JsonAnswer(status, {{"message", message}});
}

net::HttpResponse WrongMethod(std::string_view allowed) {
  net::HttpResponse answer = Refusal(405, fmt::format("{} only", allowed));
  answer.headers.push_back({"Allow", std::string(allowed)});
  return answer;
}

std::unexpected<Error> BadBody(std::string message) {
  return Fail(ErrorCode::kInvalidArgument, std::move(message));
}

bool IsBlank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

}  // namespace

Result<RunRequest> ParseRunRequest(std::string_view body) {
  RunRequest request;
  if (IsBlank(body)) return request;
  boost::system::error_code broken;
  const json::value value = json::parse(body, broken);
  if (broken || !value.is_object()) {
    return BadBody(
        "the body must be a JSON object, for example {\"dryRun\": true}, or nothing at all");
  }
  const std::pair<std::string_view, std::string*> texts[] = {
      {"resourceType", &request.resource_type},
      {"nodeSelector", &request.node_selector},
      {"profile", &request.profile}};
  for (const auto& [key, field] : value.get_object()) {
    if (key == "dryRun") {
      if (!field.is_bool()) return BadBody("dryRun: must be true or false");
      request.dry_run = field.get_bool();
      continue;
    }
    std::string* text = nullptr;
    for (const auto& [name, where] : texts) {
      if (key == name) text = where;
    }
    if (!text) {
      return BadBody(
          fmt::format("{}: unknown field; known are dryRun, resourceType, nodeSelector, profile",
                      std::string_view(key)));
    }
    if (!field.is_string()) {
      return BadBody(fmt::format("{}: must be a string", std::string_view(key)));
    }
    *text = std::string(field.get_string());
    if (text == &request.resource_type && text->empty()) {
      return BadBody("resourceType: must be one of the policy's thresholds, or left out");
    }
  }
  return request;
}

net::HttpResponse ApiHandler::Answer(const net::HttpRequest& request) const {
  if (!runs_.leads()) return Refusal(503, "this descheduler does not lead: another one does");
  if (!net::BearsToken(request, token_)) {
    return Refusal(401, "the token of Secret basalt-descheduler is needed");
  }
  const std::string_view target = request.target;
  const std::string_view path = target.substr(0, target.find('?'));
  if (path == kRuns) {
    if (request.method == "GET") return List();
    if (request.method == "POST") return Begin(request.body);
    return WrongMethod("GET, POST");
  }
  if (path.size() > kRuns.size() + 1 && path.starts_with(kRuns) && path[kRuns.size()] == '/') {
    if (request.method != "GET") return WrongMethod("GET");
    return Show(path.substr(kRuns.size() + 1));
  }
  return Refusal(404, fmt::format("there is only {}, and {}/ID", kRuns, kRuns));
}

net::HttpResponse ApiHandler::Begin(const std::string& body) const {
  const Result<RunRequest> request = ParseRunRequest(body);
  if (!request) return Refusal(400, request.error().message);
  const bool dry = runs_.IsDry(*request);
  if (const std::string id = runs_.under_way(); !dry && !id.empty()) {
    return JsonAnswer(409, {{"message", fmt::format("run {} is under way", id)}, {"id", id}});
  }
  const Result<Plan> plan = runs_.Begin(*request);
  if (!plan) {
    const bool bad = plan.error().code == ErrorCode::kInvalidArgument;
    return Refusal(bad ? 400 : 503, plan.error().message);
  }
  net::HttpResponse answer = JsonAnswer(dry ? 200 : 202, ToJson(*plan));
  if (!dry) answer.headers.push_back({"Location", fmt::format("{}/{}", kRuns, plan->id)});
  return answer;
}

net::HttpResponse ApiHandler::List() const {
  json::array items;
  for (const Plan& plan : runs_.All()) items.push_back(ToJson(plan));
  return JsonAnswer(200, {{"items", std::move(items)}});
}

net::HttpResponse ApiHandler::Show(std::string_view id) const {
  const std::optional<Plan> plan = runs_.Find(id);
  if (!plan) return Refusal(404, fmt::format("there is no plan {}", id));
  return JsonAnswer(200, ToJson(*plan));
}

}  // namespace basalt::descheduler
