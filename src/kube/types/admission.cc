#include "kube/types/admission.h"

#include <fmt/core.h>

#include "kube/types/codec_impl.h"
#include "kube/types/json_reader.h"

namespace basalt::kube {
namespace json {
namespace {

using Operation = AdmissionRequest::Operation;

bool ReadOperation(Reader& reader, Value& value, Operation& out) {
  std::string_view text;
  if (!ReadText(reader, value, text)) return false;
  for (const Operation operation :
       {Operation::kCreate, Operation::kUpdate, Operation::kDelete, Operation::kConnect}) {
    if (ToString(operation) != text) continue;
    out = operation;
    return true;
  }
  return reader.Fail(fmt::format("\"{}\": want CREATE, UPDATE, DELETE or CONNECT", text));
}

// The object's text as it stands there.
bool ReadRawObject(Reader& reader, Value& value, std::string& out) {
  Object object;
  if (value.get_object().get(object)) return reader.WrongType(value, "an object");
  std::string_view raw;
  if (const auto error = object.raw_json().get(raw)) return reader.Broken(error);
  out = raw;
  return true;
}

bool ReadRequest(Reader& reader, std::string_view key, Value& value, AdmissionRequest& out) {
  if (key == "uid") return Read(reader, value, out.uid);
  if (key == "operation") return ReadOperation(reader, value, out.operation);
  if (key == "namespace") return Read(reader, value, out.ns);
  if (key == "name") return Read(reader, value, out.name);
  if (key == "subResource") return Read(reader, value, out.subresource);
  if (key == "dryRun") return Read(reader, value, out.dry_run);
  if (key == "object") return ReadRawObject(reader, value, out.object);
  if (key == "oldObject") return ReadRawObject(reader, value, out.old_object);
  if (key == "resource") {
    return ReadObject(reader, value, [&](std::string_view part, Value& text) {
      if (part == "group") return Read(reader, text, out.group);
      if (part == "version") return Read(reader, text, out.version);
      if (part == "resource") return Read(reader, text, out.resource);
      return true;
    });
  }
  if (key == "userInfo") {
    return ReadObject(reader, value, [&](std::string_view part, Value& text) {
      return part == "username" ? Read(reader, text, out.user) : true;
    });
  }
  return true;
}

}  // namespace
}  // namespace json

std::string_view ToString(AdmissionRequest::Operation operation) {
  switch (operation) {
    case AdmissionRequest::Operation::kCreate: return "CREATE";
    case AdmissionRequest::Operation::kUpdate: return "UPDATE";
    case AdmissionRequest::Operation::kDelete: return "DELETE";
    case AdmissionRequest::Operation::kConnect: return "CONNECT";
  }
  return "";
}

Result<AdmissionRequest> DecodeAdmissionReview(std::string_view text) {
  AdmissionRequest request;
  std::string api_version;
  std::string kind;
  bool has_request = false;
  bool has_operation = false;
  const Result<void> done = json::DecodeObject(text, [&](json::Reader& reader,
                                                         json::Object& review) {
    return json::ReadFields(reader, review, [&](std::string_view key, json::Value& value) -> bool {
      if (key == "apiVersion") return json::Read(reader, value, api_version);
      if (key == "kind") return json::Read(reader, value, kind);
      if (key != "request") return true;
      has_request = true;
      return json::ReadObject(reader, value, [&](std::string_view field, json::Value& inner) {
        if (field == "operation") has_operation = true;
        return json::ReadRequest(reader, field, inner, request);
      });
    });
  });
  if (!done) return std::unexpected(done.error());
  const auto refuse = [](std::string message) {
    return Fail(ErrorCode::kInvalidArgument, std::move(message));
  };
  if (kind != "AdmissionReview") {
    return refuse(fmt::format("kind: \"{}\": want AdmissionReview", kind));
  }
  if (api_version != "admission.k8s.io/v1") {
    return refuse(fmt::format("apiVersion: \"{}\": want admission.k8s.io/v1", api_version));
  }
  if (!has_request) return refuse("request: missing");
  if (request.uid.empty()) return refuse("request.uid: missing");
  if (!has_operation) return refuse("request.operation: missing");
  if (request.resource.empty()) return refuse("request.resource.resource: missing");
  return request;
}

}  // namespace basalt::kube
