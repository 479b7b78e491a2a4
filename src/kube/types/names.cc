#include "kube/types/names.h"

#include <fmt/core.h>

#include <algorithm>

namespace basalt::kube {
namespace {

constexpr std::string_view kNamePattern = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
constexpr std::string_view kNameRule =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character";
constexpr std::string_view kDnsLabelPattern = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";

bool IsLower(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool IsAlphanumeric(char c) { return IsLower(c) || (c >= 'A' && c <= 'Z'); }

// Whether `text` is of the given characters, with `is_end` ones at both ends.
template <class IsEnd>
bool Consists(std::string_view text, IsEnd is_end, std::string_view inner) {
  return !text.empty() && is_end(text.front()) && is_end(text.back()) &&
         std::ranges::all_of(text, [&](char c) { return is_end(c) || inner.contains(c); });
}

bool IsDnsLabel(std::string_view text) { return Consists(text, IsLower, "-"); }

bool IsDnsSubdomain(std::string_view text) {
  while (true) {
    const std::size_t dot = text.find('.');
    if (!IsDnsLabel(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

// Kubernetes counts in bytes, and says so for labels alone.
std::string TooLong(int most, std::string_view unit) {
  return fmt::format("must be no more than {} {}", most, unit);
}

std::string NameRule() {
  return fmt::format(
      "{} (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '{}')",
      kNameRule, kNamePattern);
}

std::vector<std::string> SubdomainProblems(std::string_view name, std::string_view unit) {
  std::vector<std::string> problems;
  if (name.size() > 253) problems.push_back(TooLong(253, unit));
  if (!IsDnsSubdomain(name)) {
    problems.push_back(fmt::format(
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
        "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex "
        "used "
        "for validation is '{}(\\.{})*')",
        kDnsLabelPattern, kDnsLabelPattern));
  }
  return problems;
}

}  // namespace

std::vector<std::string> LabelKeyProblems(std::string_view key) {
  std::vector<std::string> problems;
  std::string_view name = key;
  if (const std::size_t slash = key.find('/'); slash != std::string_view::npos) {
    const std::string_view prefix = key.substr(0, slash);
    name = key.substr(slash + 1);
    if (name.contains('/')) {
      return {
          fmt::format("a valid label key {} with an optional DNS subdomain prefix and '/' (e.g. "
                      "'example.com/MyName')",
                      NameRule())};
    }
    if (prefix.empty()) {
      problems.push_back("prefix part must be non-empty");
    } else {
      for (const std::string& problem : SubdomainProblems(prefix, "bytes")) {
        problems.push_back("prefix part " + problem);
      }
    }
  }
  if (name.empty()) {
    problems.push_back("name part must be non-empty");
  } else if (name.size() > 63) {
    problems.push_back("name part " + TooLong(63, "bytes"));
  }
  if (!Consists(name, IsAlphanumeric, "-_.")) problems.push_back("name part " + NameRule());
  return problems;
}

std::vector<std::string> LabelValueProblems(std::string_view value) {
  std::vector<std::string> problems;
  if (value.size() > 63) problems.push_back(TooLong(63, "bytes"));
  if (!value.empty() && !Consists(value, IsAlphanumeric, "-_.")) {
    problems.push_back(fmt::format(
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "
        "'.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or "
        "'my_value',  or '12345', regex used for validation is '({})?')",
        kNamePattern));
  }
  return problems;
}

std::vector<std::string> Dns1123SubdomainProblems(std::string_view name) {
  return SubdomainProblems(name, "characters");
}

std::vector<std::string> Dns1123LabelProblems(std::string_view name) {
  std::vector<std::string> problems;
  if (name.size() > 63) problems.push_back(TooLong(63, "characters"));
  if (!IsDnsLabel(name)) {
    problems.push_back(fmt::format(
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
        "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex "
        "used for validation is '{}')",
        kDnsLabelPattern));
  }
  return problems;
}

}  // namespace basalt::kube
