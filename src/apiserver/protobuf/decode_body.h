#pragma once

#include "apiserver/object/object.h"
#include "base/error.h"

namespace basalt::apiserver {

// The media type in which kubectl and client-go send built-in kinds unless told otherwise.
inline constexpr std::string_view kProtobufMediaType = "application/vnd.kubernetes.protobuf";

// Turns such a body into the JSON that it stands for, with kind and apiVersion. Zero values that
// Go's encoder writes are still there: Conform drops them as Go's JSON would. kUnsupported: a kind
// without a protobuf form here; kInvalidArgument: not what it claims to be.
Result<json::object> DecodeProtobufBody(std::string_view body);

}  // namespace basalt::apiserver
