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
    "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
constexpr std::string_view kSubdomainMessage =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
constexpr std::string_view kUnderscoreMessage =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' "
    "or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex "
    "used for validation is "
    "'_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')";
constexpr std::string_view kDns1035Message =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "
    "alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or "
    "'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
constexpr std::string_view kNameRule =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr std::string_view kLabelValueMessage =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  "
    "or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

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

Complaints Dns1123SubdomainWithUnderscore(std::string_view text) {
  return Check(text, 253, "characters", LooksLikeSubdomainWithUnderscore(text), kUnderscoreMessage);
}

Complaints Dns1035Label(std::string_view text) {
  return Check(text, 63, "characters", LooksLikeLabel(text) && IsLower(text.front()),
               kDns1035Message);
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
        "'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is "
        "'[-._a-zA-Z0-9]+')");
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

Complaints NameIsDns1035Label(std::string_view name, bool prefix) {
  return Dns1035Label(WithoutTrailingDash(name, prefix));
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

bool IsIpAddress(std::string_view text) {
  const std::string terminated(text);
  unsigned char buffer[sizeof(in6_addr)];
  return inet_pton(AF_INET, terminated.c_str(), buffer) == 1 ||
         inet_pton(AF_INET6, terminated.c_str(), buffer) == 1;
}

bool IsFullyQualified(std::string_view resource_name) {
  return resource_name.find('/') != resource_name.npos;
}

}  // namespace basalt::apiserver::syntax
