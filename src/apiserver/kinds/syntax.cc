#include "apiserver/kinds/syntax.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.h"

namespace basalt::apiserver::syntax {
namespace {

bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsLowerAlnum(char c) { return IsLower(c) || IsDigit(c); }
bool IsAlnum(char c) { return IsLowerAlnum(c) || IsUpper(c); }

// Lower case letters, digits and dashes, no dash at the ends.
bool LooksLikeLabel(std::string_view text) {
  return !text.empty() && IsLowerAlnum(text.front()) && IsLowerAlnum(text.back()) &&
         std::ranges::all_of(text, [](char c) { return IsLowerAlnum(c) || c == '-'; });
}

template <class LooksRight>
bool EveryPart(std::string_view text, LooksRight looks_right) {
  for (;;) {
    const std::size_t dot = text.find('.');
    if (!looks_right(text.substr(0, dot))) return false;
    if (dot == text.npos) return true;
    text.remove_prefix(dot + 1);
  }
}

bool LooksLikeSubdomain(std::string_view text) { return EveryPart(text, LooksLikeLabel); }

bool LooksLikeSubdomainWithUnderscore(std::string_view text) {
  return EveryPart(text, [](std::string_view part) {
    if (part.starts_with('_')) part.remove_prefix(1);
    return !part.empty() && IsLowerAlnum(part.front()) && IsLowerAlnum(part.back()) &&
           std::ranges::all_of(part,
                               [](char c) { return IsLowerAlnum(c) || c == '-' || c == '_'; });
  });
}

bool LooksLikeName(std::string_view text) {
  return !text.empty() && IsAlnum(text.front()) && IsAlnum(text.back()) &&
         std::ranges::all_of(text,
                             [](char c) { return IsAlnum(c) || c == '-' || c == '_' || c == '.'; });
}

constexpr std::string_view kLabelMessage =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
    "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc')";
constexpr std::string_view kSubdomainMessage =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com')";
constexpr std::string_view kUnderscoreMessage =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' "
    "or '.', and must start and end with an alphanumeric character (e.g. 'example.com')";
constexpr std::string_view kNameRule =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc')";
constexpr std::string_view kLabelValueMessage =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  "
    "or '12345')";

Complaints Check(std::string_view text, std::size_t most, std::string_view unit, bool looks_right,
                 std::string_view message) {
  Complaints complaints;
  if (text.size() > most) {
    complaints.push_back(fmt::format("must be no more than {} {}", most, unit));
  }
  if (!looks_right) complaints.emplace_back(message);
  return complaints;
}

Complaints Qualified(std::string_view text, std::string_view what, std::string_view length_unit) {
  Complaints complaints;
  std::string_view name = text;
  const std::size_t slash = text.find('/');
  if (slash != text.npos) {
    const std::string_view prefix = text.substr(0, slash);
    name = text.substr(slash + 1);
    if (name.find('/') != name.npos) {
      return {
          fmt::format("a {} {} with an optional DNS subdomain prefix and '/' (e.g. "
                      "'example.com/MyName')",
                      what, kNameRule)};
    }
    if (prefix.empty()) {
      complaints.emplace_back("prefix part must be non-empty");
    } else {
      for (const std::string& complaint :
           Check(prefix, 253, length_unit, LooksLikeSubdomain(prefix), kSubdomainMessage)) {
        complaints.push_back("prefix part " + complaint);
      }
    }
  }
  if (name.empty()) {
    complaints.emplace_back("name part must be non-empty");
  } else if (name.size() > 63) {
    complaints.push_back(fmt::format("name part must be no more than 63 {}", length_unit));
  }
  if (!LooksLikeName(name)) complaints.push_back(fmt::format("name part {}", kNameRule));
  return complaints;
}

// A generated name's prefix may end in a dash: the suffix follows.
std::string WithoutTrailingDash(std::string_view name, bool prefix) {
  std::string text(name);
  if (prefix && text.size() > 1 && text.back() == '-') text.back() = 'a';
  return text;
}

}  // namespace

Complaints Dns1123Label(std::string_view text) {
  return Check(text, 63, "characters", LooksLikeLabel(text), kLabelMessage);
}

Complaints Dns1123Subdomain(std::string_view text) {
  return Check(text, 253, "characters", LooksLikeSubdomain(text), kSubdomainMessage);
}

Complaints QualifiedName(std::string_view text) {
  return Qualified(text, "qualified name", "characters");
}

Complaints LabelKey(std::string_view text) { return Qualified(text, "valid label key", "bytes"); }

Complaints LabelValue(std::string_view text) {
  return Check(text, 63, "bytes", text.empty() || LooksLikeName(text), kLabelValueMessage);
}

Complaints EnvVarName(std::string_view text) {
  if (!text.empty() &&
      std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~' && c != '='; })) {
    return {};
  }
  return {
      "a valid environment variable name must consist only of printable ASCII characters other "
      "than '='"};
}

Complaints ConfigMapKey(std::string_view text) {
  Complaints complaints;
  if (text.size() > 253) complaints.emplace_back("must be no more than 253 characters");
  const bool looks_right = !text.empty() && std::ranges::all_of(text, [](char c) {
    return IsAlnum(c) || c == '-' || c == '_' || c == '.';
  });
  if (!looks_right) {
    complaints.emplace_back(
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. "
        "'key.name',  or 'KEY_NAME',  or 'key-name')");
  }
  if (text == ".") {
    complaints.emplace_back("must not be '.'");
  } else if (text == "..") {
    complaints.emplace_back("must not be '..'");
  } else if (text.starts_with("..")) {
    complaints.emplace_back("must not start with '..'");
  }
  return complaints;
}

Complaints PortName(std::string_view text) {
  Complaints complaints;
  if (text.size() > 15) complaints.emplace_back("must be no more than 15 characters");
  if (!std::ranges::all_of(text, [](char c) { return IsLowerAlnum(c) || c == '-'; }) ||
      text.empty()) {
    complaints.emplace_back(
        "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  }
  if (std::ranges::none_of(text, IsLower)) {
    complaints.emplace_back("must contain at least one letter (a-z)");
  }
  if (text.find("--") != text.npos) {
    complaints.emplace_back("must not contain consecutive hyphens");
  }
  if (!text.empty() && (text.front() == '-' || text.back() == '-')) {
    complaints.emplace_back("must not begin or end with a hyphen");
  }
  return complaints;
}

Complaints PortNumber(std::int64_t port) {
  if (port >= 1 && port <= 65535) return {};
  return {"must be between 1 and 65535, inclusive"};
}

Complaints NameIsDnsSubdomain(std::string_view name, bool prefix) {
  return Dns1123Subdomain(WithoutTrailingDash(name, prefix));
}

Complaints NameIsDnsLabel(std::string_view name, bool prefix) {
  return Dns1123Label(WithoutTrailingDash(name, prefix));
}

Complaints NameIsDnsLabelWithoutDots(std::string_view name, bool prefix) {
  if (name.find('.') != name.npos && NameIsDnsSubdomain(name, prefix).empty()) {
    return {"must not contain dots"};
  }
  return NameIsDnsLabel(name, prefix);
}

Complaints NameIsPathSegment(std::string_view name, bool prefix) {
  if (!prefix && name == ".") return {"may not be '.'"};
  if (!prefix && name == "..") return {"may not be '..'"};
  Complaints complaints;
  for (const std::string_view illegal : {"/", "%"}) {
    if (name.find(illegal) != name.npos) {
      complaints.push_back(fmt::format("may not contain '{}'", illegal));
    }
  }
  return complaints;
}

Complaints IpAddress(std::string_view text) {
  const std::string terminated(text);
  unsigned char buffer[sizeof(in6_addr)];
  if (inet_pton(AF_INET, terminated.c_str(), buffer) == 1 ||
      inet_pton(AF_INET6, terminated.c_str(), buffer) == 1) {
    return {};
  }
  return {"must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"};
}

Complaints IpAddressOrNone(std::string_view text) {
  return text == "None" ? Complaints() : IpAddress(text);
}

Complaints Cidr(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash != text.npos && IpAddress(text.substr(0, slash)).empty()) return {};
  return {"must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"};
}

Complaints SearchPath(std::string_view text) {
  if (text == ".") return {};
  if (text.ends_with('.')) text.remove_suffix(1);
  return Check(text, 253, "characters", LooksLikeSubdomainWithUnderscore(text), kUnderscoreMessage);
}

Complaints Trimmed(std::string_view text) {
  const auto is_blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  if (text.empty() || !(is_blank(text.front()) || is_blank(text.back()))) return {};
  return {"must not have leading or trailing whitespace"};
}

Complaints PathWithoutBacksteps(std::string_view text) {
  const std::string framed = fmt::format("/{}/", text);
  if (framed.find("/../") == framed.npos) return {};
  return {"must not contain '..'"};
}

Complaints RelativePath(std::string_view text) {
  Complaints complaints = PathWithoutBacksteps(text);
  if (text.starts_with('/')) complaints.emplace_back("must be a relative path");
  if (text.starts_with("..") && text != ".." && !text.starts_with("../")) {
    complaints.emplace_back("must not start with '..'");
  }
  return complaints;
}

Complaints DomainOfThreeSegments(std::string_view text) {
  Complaints complaints = Dns1123Subdomain(text);
  if (complaints.empty() && std::ranges::count(text, '.') < 2) {
    complaints.emplace_back("should be a domain with at least three segments separated by dots");
  }
  return complaints;
}

}  // namespace basalt::apiserver::syntax
