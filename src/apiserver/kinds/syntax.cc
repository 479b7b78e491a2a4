#include "apiserver/kinds/syntax.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "base/ascii.h"

namespace basalt::apiserver::syntax {
namespace {

bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsLowerAlnum(char c) { return IsLower(c) || IsDigit(c); }
bool IsLowerAlnumOrDash(char c) { return IsLowerAlnum(c) || c == '-'; }
bool IsAlnum(char c) { return IsLowerAlnum(ToLower(c)); }
bool IsNameCharacter(char c) { return IsAlnum(c) || c == '-' || c == '_' || c == '.'; }
bool IsBlank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

using Character = bool (*)(char c);

bool IsMadeOf(std::string_view text, Character inside, Character at_its_ends) {
  return !text.empty() && at_its_ends(text.front()) && at_its_ends(text.back()) &&
         std::ranges::all_of(text, inside);
}

bool IsLabel(std::string_view text) { return IsMadeOf(text, IsLowerAlnumOrDash, IsLowerAlnum); }
bool IsName(std::string_view text) {
  return text.size() <= 63 && IsMadeOf(text, IsNameCharacter, IsAlnum);
}

// Labels of DNS with dots between them, each as `is_part` says.
bool IsDomain(std::string_view text, bool (*is_part)(std::string_view part)) {
  if (text.size() > 253) return false;
  for (;;) {
    const std::size_t dot = text.find('.');
    if (!is_part(text.substr(0, dot))) return false;
    if (dot == text.npos) return true;
    text.remove_prefix(dot + 1);
  }
}

bool IsPartWithUnderscores(std::string_view part) {
  std::string plain(part.starts_with('_') ? part.substr(1) : part);
  std::ranges::replace(plain, '_', '-');
  return IsLabel(plain);
}

Complaint Unless(bool fine, Complaint complaint) { return fine ? Complaint() : complaint; }

}  // namespace

Complaint Dns1123Label(std::string_view text) {
  return Unless(text.size() <= 63 && IsLabel(text),
                "must be at most 63 lower case letters, digits and '-', with a letter or digit at "
                "both ends");
}

Complaint Dns1123Subdomain(std::string_view text) {
  return Unless(IsDomain(text, IsLabel),
                "must be at most 253 lower case letters, digits, '-' and '.', with a letter or "
                "digit at the ends of each part (e.g. 'example.com')");
}

Complaint QualifiedName(std::string_view text) {
  const std::size_t slash = text.find('/');
  const bool plain = slash == text.npos;
  return Unless(
      IsName(plain ? text : text.substr(slash + 1)) &&
          (plain || IsDomain(text.substr(0, slash), IsLabel)),
      "must be a name of at most 63 letters, digits, '-', '_' and '.', with a letter or digit at "
      "both ends, and may have a domain and '/' before it (e.g. 'example.com/MyName')");
}

Complaint LabelValue(std::string_view text) {
  return Unless(text.empty() || IsName(text),
                "must be empty or at most 63 letters, digits, '-', '_' and '.', with a letter or "
                "digit at both ends");
}

Complaint EnvVarName(std::string_view text) {
  const auto is_printable = [](char c) { return c >= ' ' && c <= '~' && c != '='; };
  return Unless(!text.empty() && std::ranges::all_of(text, is_printable),
                "must consist of printable ASCII characters other than '='");
}

Complaint ConfigMapKey(std::string_view text) {
  return Unless(text.size() <= 253 && text != "." && !text.starts_with("..") &&
                    IsMadeOf(text, IsNameCharacter, IsNameCharacter),
                "must be at most 253 letters, digits, '-', '_' and '.', and not begin with '..'");
}

Complaint PortName(std::string_view text) {
  return Unless(text.size() <= 15 && IsLabel(text) && std::ranges::any_of(text, IsLower) &&
                    text.find("--") == text.npos,
                "must be at most 15 lower case letters, digits and single '-', with a letter among "
                "them and no '-' at the ends");
}

Complaint PathSegment(std::string_view text) {
  return Unless(text != "." && text != ".." && text.find_first_of("/%") == text.npos,
                "may not be '.' or '..' and not contain '/' or '%'");
}

Complaint FinalizerName(std::string_view text) {
  return Unless(text.find('/') != text.npos || text == "kubernetes" || text == "orphan" ||
                    text == "foregroundDeletion" ||
                    text == "customresourcecleanup.apiextensions.k8s.io",
                "name is neither a standard finalizer name nor is it fully qualified");
}

Complaint DomainPath(std::string_view text) {
  return Unless(text.find('/') != text.npos, "must have a domain before it (e.g. 'acme.io/foo')");
}

Complaint IpAddress(std::string_view text) {
  const std::string terminated(text);
  unsigned char buffer[sizeof(in6_addr)];
  return Unless(inet_pton(AF_INET, terminated.c_str(), buffer) == 1 ||
                    inet_pton(AF_INET6, terminated.c_str(), buffer) == 1,
                "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
}

Complaint IpAddressOrNone(std::string_view text) {
  return text == "None" ? Complaint() : IpAddress(text);
}

Complaint Cidr(std::string_view text) {
  const std::size_t slash = text.find('/');
  return Unless(slash != text.npos && IpAddress(text.substr(0, slash)).empty(),
                "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
}

Complaint SearchPath(std::string_view text) {
  if (text == ".") return {};
  if (text.ends_with('.')) text.remove_suffix(1);
  return Unless(IsDomain(text, IsPartWithUnderscores), "must be a domain (e.g. 'example.com')");
}

Complaint Trimmed(std::string_view text) {
  return Unless(text.empty() || !(IsBlank(text.front()) || IsBlank(text.back())),
                "must not have leading or trailing whitespace");
}

Complaint PathWithoutBacksteps(std::string_view text) {
  const std::string framed = "/" + std::string(text) + "/";
  return Unless(framed.find("/../") == framed.npos, "must not contain '..'");
}

Complaint RelativePath(std::string_view text) {
  return Unless(
      !text.starts_with('/') && !text.starts_with("..") && PathWithoutBacksteps(text).empty(),
      "must be a relative path without '..'");
}

Complaint DomainOfThreeSegments(std::string_view text) {
  return Unless(IsDomain(text, IsLabel) && std::ranges::count(text, '.') >= 2,
                "must be a domain with at least three segments separated by dots");
}

Complaint HttpsUrl(std::string_view text) {
  constexpr std::string_view kScheme = "https://";
  return Unless(text.starts_with(kScheme) && text.size() > kScheme.size() &&
                    text[kScheme.size()] != '/' && text.find('?') == text.npos,
                "must be a URL of the form https://host[/path]");
}

}  // namespace basalt::apiserver::syntax
