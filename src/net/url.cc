#include "net/url.h"

#include <arpa/inet.h>
#include <fmt/core.h>

#include <array>
#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

namespace basalt::net {
namespace {

bool IsUnreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::uint16_t DefaultPort(bool tls) { return tls ? 443 : 80; }

}  // namespace

std::string Url::Authority() const {
  std::string text = host.find(':') == std::string::npos ? host : fmt::format("[{}]", host);
  if (port != DefaultPort(tls)) text += fmt::format(":{}", port);
  return text;
}

Result<Url> ParseUrl(std::string_view text) {
  const auto wrong = [&](std::string_view why) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("'{}' is not a URL like https://host:6443: {}", text, why));
  };
  const auto parsed = boost::urls::parse_uri(text);
  if (!parsed) return wrong(parsed.error().message());
  const boost::urls::url_view& view = *parsed;
  Url url;
  if (view.scheme() == "https") {
    url.tls = true;
  } else if (view.scheme() != "http") {
    return wrong("the scheme must be http or https");
  }
  if (view.has_userinfo()) return wrong("it must not have a user name");
  if (view.has_fragment()) return wrong("it must not have a fragment");
  url.host = view.host_address();
  if (url.host.empty()) return wrong("the host is missing");
  url.port = DefaultPort(url.tls);
  if (view.has_port() && !view.port().empty()) {
    url.port = view.port_number();
    if (url.port == 0) return wrong("the port is out of range");
  }
  url.path = view.encoded_target();
  // The parser takes "host:x" for an empty port and a path.
  if (!url.path.empty() && url.path[0] != '/' && url.path[0] != '?') {
    return wrong("the port is not a number");
  }
  return url;
}

bool IsIpAddress(std::string_view host) {
  std::array<unsigned char, 16> address;
  const std::string text(host);
  return inet_pton(AF_INET, text.c_str(), address.data()) == 1 ||
         inet_pton(AF_INET6, text.c_str(), address.data()) == 1;
}

void AppendPercentEncoded(std::string& out, std::string_view text) {
  static constexpr std::string_view kHex = "0123456789ABCDEF";
  for (const char c : text) {
    if (IsUnreserved(c)) {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += '%';
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    }
  }
}

std::string PercentEncode(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  AppendPercentEncoded(out, text);
  return out;
}

std::optional<std::string> PercentDecode(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = HexDigit(text[i + 1]);
    const int low = HexDigit(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

}  // namespace basalt::net
