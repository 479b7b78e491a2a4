// What names, keys and values must look like.
#include <arpa/inet.h>

#include <algorithm>
#include <cctype>

#include "apiserver/kinds/checks.h"
#include "apiserver/object/text.h"
#include "base/ascii.h"
#include "base/check.h"

namespace basalt::apiserver {
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
bool IsDomain(std::string_view text, bool (*is_part)(std::string_view part) = IsLabel) {
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

bool IsQualifiedName(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == text.npos) return IsName(text);
  return IsName(text.substr(slash + 1)) && IsDomain(text.substr(0, slash));
}

bool IsAddress(std::string_view text) {
  const std::string terminated(text);
  unsigned char buffer[sizeof(in6_addr)];
  return inet_pton(AF_INET, terminated.c_str(), buffer) == 1 ||
         inet_pton(AF_INET6, terminated.c_str(), buffer) == 1;
}

bool HasBacksteps(std::string_view text) {
  return ("/" + std::string(text) + "/").find("/../") != std::string::npos;
}

bool IsHttpsUrl(std::string_view text) {
  constexpr std::string_view kScheme = "https://";
  return text.starts_with(kScheme) && text.size() > kScheme.size() && text[kScheme.size()] != '/' &&
         text.find('?') == text.npos;
}

struct Format {
  std::string_view name;
  bool (*fits)(std::string_view text);
  std::string_view complaint;
};
constexpr Format kFormats[] = {
    {"qualifiedName", IsQualifiedName,
     "must be a name of at most 63 letters, digits, '-', '_' and '.', with a letter or digit at "
     "both ends, and may have a domain and '/' before it (e.g. 'example.com/MyName')"},
    {"labelValue", [](std::string_view text) { return text.empty() || IsName(text); },
     "must be empty or at most 63 letters, digits, '-', '_' and '.', with a letter or digit at "
     "both ends"},
    {"dnsLabel", [](std::string_view text) { return text.size() <= 63 && IsLabel(text); },
     "must be at most 63 lower case letters, digits and '-', with a letter or digit at both ends"},
    {"dnsSubdomain", [](std::string_view text) { return IsDomain(text); },
     "must be at most 253 lower case letters, digits, '-' and '.', with a letter or digit at the "
     "ends of each part (e.g. 'example.com')"},
    {"envVarName",
     [](std::string_view text) {
       const auto is_printable = [](char c) { return c >= ' ' && c <= '~' && c != '='; };
       return !text.empty() && std::ranges::all_of(text, is_printable);
     },
     "must consist of printable ASCII characters other than '='"},
    {"configKey",
     [](std::string_view text) {
       return text.size() <= 253 && text != "." && !text.starts_with("..") &&
              IsMadeOf(text, IsNameCharacter, IsNameCharacter);
     },
     "must be at most 253 letters, digits, '-', '_' and '.', and not begin with '..'"},
    {"portName",
     [](std::string_view text) {
       return text.size() <= 15 && IsLabel(text) && std::ranges::any_of(text, IsLower) &&
              text.find("--") == text.npos;
     },
     "must be at most 15 lower case letters, digits and single '-', with a letter among them and "
     "no '-' at the ends"},
    // Of a URL: names in RBAC.
    {"pathSegment",
     [](std::string_view text) {
       return text != "." && text != ".." && text.find_first_of("/%") == text.npos;
     },
     "may not be '.' or '..' and not contain '/' or '%'"},
    {"finalizer",
     [](std::string_view text) {
       return text.find('/') != text.npos || text == "kubernetes" || text == "orphan" ||
              text == "foregroundDeletion" || text == "customresourcecleanup.apiextensions.k8s.io";
     },
     "name is neither a standard finalizer name nor is it fully qualified"},
    {"domainPath", [](std::string_view text) { return text.find('/') != text.npos; },
     "must have a domain before it (e.g. 'acme.io/foo')"},
    {"ip", IsAddress, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"},
    {"ipOrNone", [](std::string_view text) { return text == "None" || IsAddress(text); },
     "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"},
    {"cidr",
     [](std::string_view text) {
       return text.find('/') != text.npos && IsAddress(Cut(text, '/').first);
     },
     "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"},
    // Of DNS: may end with a dot.
    {"searchPath",
     [](std::string_view text) {
       if (text != "." && text.ends_with('.')) text.remove_suffix(1);
       return text == "." || IsDomain(text, IsPartWithUnderscores);
     },
     "must be a domain (e.g. 'example.com')"},
    {"trimmed",
     [](std::string_view text) {
       return text.empty() || !(IsBlank(text.front()) || IsBlank(text.back()));
     },
     "must not have leading or trailing whitespace"},
    {"noBacksteps", [](std::string_view text) { return !HasBacksteps(text); },
     "must not contain '..'"},
    {"relativePath",
     [](std::string_view text) {
       return !text.starts_with('/') && !text.starts_with("..") && !HasBacksteps(text);
     },
     "must be a relative path without '..'"},
    {"threeSegments",
     [](std::string_view text) { return IsDomain(text) && std::ranges::count(text, '.') >= 2; },
     "must be a domain with at least three segments separated by dots"},
    {"httpsUrl", IsHttpsUrl, "must be a URL of the form https://host[/path]"},
};

}  // namespace

bool IsFormat(std::string_view name) {
  return std::ranges::find(kFormats, name, &Format::name) != std::end(kFormats);
}

std::string_view Misfit(std::string_view format, std::string_view text) {
  const auto* const found = std::ranges::find(kFormats, format, &Format::name);
  BASALT_CHECK(found != std::end(kFormats));
  return found->fits(text) ? std::string_view() : found->complaint;
}

}  // namespace basalt::apiserver
