#include "cli/listen_address.h"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>

namespace basalt::cli {
namespace {

bool IsIpv4(const std::string& host) {
  in_addr address;
  return inet_pton(AF_INET, host.c_str(), &address) == 1;
}

bool IsIpv6(const std::string& host) {
  in6_addr address;
  return inet_pton(AF_INET6, host.c_str(), &address) == 1;
}

}  // namespace

std::string ReachableHost(const std::string& host) {
  if (host != "0.0.0.0" && host != "::") return host;
  if (const char* pod_ip = std::getenv("POD_IP"); pod_ip && *pod_ip) return pod_ip;
  char name[256] = {};
  return gethostname(name, sizeof(name) - 1) == 0 && name[0] ? name : "localhost";
}

bool ListenAddress::loopback() const { return host == "::1" || host.starts_with("127."); }

std::string ListenAddress::Url(std::uint16_t actual_port) const {
  return IsIpv6(host) ? fmt::format("https://[{}]:{}", host, actual_port)
                      : fmt::format("https://{}:{}", host, actual_port);
}

Result<ListenAddress> ParseListenAddress(std::string_view text, std::string_view default_host) {
  const auto refuse = [&](std::string_view why) {
    return Fail(ErrorCode::kInvalidArgument, fmt::format("\"{}\": {}", text, why));
  };
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return refuse("want ADDRESS:PORT");
  ListenAddress address;
  std::string_view host = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);
  if (host.starts_with('[') && host.ends_with(']')) {
    address.host = host.substr(1, host.size() - 2);
    if (!IsIpv6(address.host)) return refuse("not an IPv6 address in brackets");
  } else {
    address.host = host.empty() ? default_host : host == "localhost" ? "127.0.0.1" : host;
    if (!IsIpv4(address.host)) return refuse("the host is no IP address");
  }
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (error != std::errc() || end != port.data() + port.size()) {
    return refuse("the port is no number from 0 to 65535");
  }
  return address;
}

}  // namespace basalt::cli
