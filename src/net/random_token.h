#pragma once

#include <string>

namespace basalt::net {

// Unguessable: 256 bits from the system, in hex. For bearer tokens.
std::string RandomToken();

}  // namespace basalt::net
