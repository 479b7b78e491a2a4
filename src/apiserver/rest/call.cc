#include "apiserver/rest/call.h"

#include <algorithm>
#include <set>

#include "apiserver/object/barrier.h"
#include "apiserver/object/json_text.h"
#include "apiserver/rest/read.h"

namespace basalt::apiserver {
namespace {

constexpr std::size_t kMostWarningBytes = 4096;  // all together, as kube-apiserver has it

// RFC 7234: 299 - "text". Each is said once, and on one line.
void AddWarnings(const std::vector<std::string>& warnings, net::Headers& headers) {
  std::set<std::string_view> said;
  std::size_t bytes = 0;
  for (const std::string& warning : warnings) {
    if (!said.insert(warning).second) continue;
    std::string line = warning;
    std::ranges::replace_if(
        line, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
    bytes += line.size();
    if (bytes > kMostWarningBytes) return;
    headers.push_back({"Warning", "299 - " + Quoted(line)});
  }
}

}  // namespace

Call::~Call() {
  if (answered_) return;
  Survives("answering for a request that failed", [this] {
    Refuse(refusal::Internal("the request failed in the server, whose log says why"));
  });
}

StoredPtr Call::FindOrRefuse() {
  StoredPtr stored = Store::Get(*kind->collection, Key());
  if (stored == nullptr) Refuse(refusal::NotFound(info(), path.name));
  return stored;
}

AdmissionRequest Call::ForAdmission(Operation operation, std::string_view options) {
  AdmissionRequest request;
  request.kind = &info();
  request.subresource = path.subresource;
  request.operation = operation;
  request.ns = info().namespaced ? path.ns : "";
  request.name = path.name;
  request.dry_run = dry_run;
  request.warnings = &warnings;
  request.options = {{"kind", options}, {"apiVersion", "meta.k8s.io/v1"}};
  return request;
}

void Call::Respond(net::HttpResponse response) {
  if (answered_) return;
  AddWarnings(warnings, response.headers);
  answered_ = true;
  exchange->Respond(std::move(response));
}

void Call::StartStream() {
  if (std::exchange(answered_, true)) return;
  exchange->StartStream(200, "application/json");
}

net::HttpResponse ResponseOf(const ApiStatus& status) {
  net::HttpResponse response{.status = status.code, .body = ToText(status.ToJson()) + "\n"};
  if (status.details && status.details->retry_after_seconds > 0) {
    response.headers.push_back(
        {"Retry-After", std::to_string(status.details->retry_after_seconds)});
  }
  return response;
}

void Call::Reply(int code, const StoredObject& object) {
  if (format.shape == OutputFormat::Shape::kObject) {
    ReplyText(code, kind->Text(object));
  } else {
    Reply(code, kind->Load(object));
  }
}

void Call::Reply(int code, const json::object& object) {
  ReplyText(code, RenderOne(*kind, format, object, core.loop.Now()));
}

void Call::ReplyJson(int code, const json::object& object) { ReplyText(code, ToText(object)); }

void Call::ReplySuccess(int code, std::string_view field, json::value value) {
  ReplyJson(code, {{"kind", "Status"},
                   {"apiVersion", "v1"},
                   {"metadata", json::object()},
                   {"status", "Success"},
                   {field, std::move(value)}});
}

void Call::ReplyText(int code, std::string text) {
  text += '\n';
  Respond({.status = code, .body = std::move(text)});
}

}  // namespace basalt::apiserver
