#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace basalt::net {

// The parts of an http or https URL that a client needs to reach a server.
struct Url {
  bool tls = false;
  std::string host;  // a name or an address, without the brackets of IPv6
  std::uint16_t port = 0;
  std::string path;  // with the query, as it was written; empty: none

  // "host:port" or "[address]:port"; the port is left out where the scheme implies it.
  std::string Authority() const;
};

// Refuses other schemes, and user names and fragments, which no server that we talk to has.
Result<Url> ParseUrl(std::string_view text);

bool IsIpAddress(std::string_view host);

// Escapes all but letters, digits and "-._~": for a key or a value of a query.
std::string PercentEncode(std::string_view text);
void AppendPercentEncoded(std::string& out, std::string_view text);
// Nothing: an escape is broken.
std::optional<std::string> PercentDecode(std::string_view text);

}  // namespace basalt::net
