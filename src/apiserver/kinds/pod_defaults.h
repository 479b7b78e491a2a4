#pragma once

#include "apiserver/object/kind.h"

namespace basalt::apiserver {

// What Kubernetes fills into every pod spec, a template's too.
void DefaultPodSpec(json::object& spec);
// What it fills in of pods only: requests from limits, enableServiceLinks.
void DefaultPod(json::object& pod);
// Of a claim: volumeMode, and nothing else. Templates of claims get the same.
void DefaultClaimSpec(json::object& claim_spec);

// Puts `value` under `key` unless there is something: decoding has dropped what Go cannot tell from
// absent, so that a zero or an empty string here is one that somebody wrote.
void SetDefault(json::object& object, std::string_view key, json::value value);

}  // namespace basalt::apiserver
