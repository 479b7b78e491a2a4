#pragma once

#include <string>
#include <string_view>

#include "apiserver/kind_registry.h"

// OpenAPI, as little of it as clients need: which kinds take fieldValidation, so that kubectl
// leaves the checking of fields to the server. Types are not described.
namespace basalt::apiserver {

// /openapi/v3: where each version's document is.
std::string OpenApiV3Root(const KindRegistry& kinds);
// /openapi/v3/apis/GROUP/VERSION: `version` as in the root; empty: no such version.
std::string OpenApiV3Document(const KindRegistry& kinds, std::string_view version);
// /openapi/v2, which kubectl before 1.33 reads: a document without definitions, as JSON or as the
// protobuf of gnostic's Document.
std::string OpenApiV2Json();
std::string OpenApiV2Protobuf();

}  // namespace basalt::apiserver
