#include "apiserver/rest/call.h"

#include <fmt/format.h>

#include <utility>

#include "apiserver/go_text.h"
#include "apiserver/json_text.h"
#include "apiserver/rest/render.h"

namespace basalt::apiserver {

net::HttpResponse ResponseOf(const ApiStatus& status) {
  net::HttpResponse response{.status = status.code, .body = ToText(status.ToJson()) + "\n"};
  if (status.details && status.details->retry_after_seconds > 0) {
    response.headers.push_back(
        {"Retry-After", std::to_string(status.details->retry_after_seconds)});
  }
  return response;
}

void Call::Refuse(const ApiStatus& status) { exchange->Respond(ResponseOf(status)); }

void Call::Reply(int code, const StoredObject& object) {
  if (format.shape == OutputFormat::Shape::kObject) {
    ReplyJson(code, kind->Text(object));
  } else {
    Reply(code, kind->Load(object));
  }
}

void Call::Reply(int code, const json::object& object) {
  ReplyJson(code, RenderOne(*kind, format, object, core.loop.Now()));
}

void Call::ReplyJson(int code, std::string text) {
  text += '\n';
  net::HttpResponse response{.status = code, .body = std::move(text)};
  for (const std::string& warning : warnings) {
    response.headers.push_back({"Warning", fmt::format("299 - {}", GoQuote(warning))});
  }
  exchange->Respond(std::move(response));
}

}  // namespace basalt::apiserver
