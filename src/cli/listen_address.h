#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace basalt::cli {

struct ListenAddress {
  std::string host;
  std::uint16_t port = 0;

  bool loopback() const;
  std::string Url(std::uint16_t actual_port) const;  // "https://127.0.0.1:6443"
};

// "127.0.0.1:6443", "[::1]:0", ":8443" (on `default_host`), "localhost:0". The host is an IP
// address or localhost.
Result<ListenAddress> ParseListenAddress(std::string_view text,
                                         std::string_view default_host = "127.0.0.1");

// Where clients find a server that listens at `host`. Where that is every address: $POD_IP, else
// this host's name.
std::string ReachableHost(const std::string& host);

}  // namespace basalt::cli
