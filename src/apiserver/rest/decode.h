#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apiserver/rest/call.h"
#include "base/error.h"

namespace basalt::apiserver {

// The body of a create or update as an object of the call's kind: parsed (JSON or protobuf), its
// kind and apiVersion checked and filled in, its fields checked against the schema, unknown ones
// dropped or, as fieldValidation says, warned about or refused.
ApiResult<json::object> DecodeBody(Call& call);

// The same for a body of another type ("core.Binding", "policy.Eviction", …).
ApiResult<json::object> DecodeBodyAs(Call& call, std::string_view type_id, const KindInfo& kind);

// Brings an object that a patch has made back into the form of its kind.
Result<void> ConformToKind(const ServedKind& kind, json::object& object,
                           std::vector<std::string>* unknown);

// Applies fieldValidation to what ConformToKind did not know. The message lacks the kind's head.
Result<void> JudgeUnknownFields(Call& call, const std::vector<std::string>& unknown);

// What Kubernetes says of an object of another type where one of the call's kind (or `wanted`)
// should be.
std::string OtherTypeError(const Call& call, std::string_view version, std::string_view kind,
                           const KindInfo* wanted = nullptr);

bool IsJson(const net::HttpRequest& http);
// Without parameters, lower case.
std::string ContentType(const net::HttpRequest& http);

}  // namespace basalt::apiserver
