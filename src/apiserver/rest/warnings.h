#pragma once

#include <string>
#include <vector>

namespace basalt::apiserver {

// The values of the Warning headers (RFC 7234: 299 - "text") that say `warnings` to the client:
// each text once and on one line. All together they stay within 4 kB: where they would not, long
// ones are cut and the last ones left out, as kube-apiserver has it.
std::vector<std::string> WarningHeaders(const std::vector<std::string>& warnings);

}  // namespace basalt::apiserver
