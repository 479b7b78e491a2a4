#include <fmt/core.h>

#include <algorithm>

#include "kube/types/selector.h"

namespace basalt::kube {
namespace {

// Splits at commas that no backslash escapes.
std::vector<std::string_view> SplitTerms(std::string_view text) {
  std::vector<std::string_view> terms;
  std::size_t start = 0;
  bool escaped = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (escaped) {
      escaped = false;
    } else if (text[at] == '\\') {
      escaped = true;
    } else if (text[at] == ',') {
      terms.push_back(text.substr(start, at - start));
      start = at + 1;
    }
  }
  terms.push_back(text.substr(start));
  return terms;
}

// Splits "field!=value" at its first operator.
bool SplitTerm(std::string_view term, FieldSelector::Requirement& requirement,
               std::string_view& value) {
  for (std::size_t at = 0; at < term.size(); ++at) {
    const std::string_view rest = term.substr(at);
    std::size_t length = 0;
    if (rest.starts_with("!=") || rest.starts_with("==")) {
      length = 2;
    } else if (rest.starts_with("=")) {
      length = 1;
    } else {
      continue;
    }
    requirement.field = term.substr(0, at);
    requirement.equal = rest[0] == '=';
    value = rest.substr(length);
    return true;
  }
  return false;
}

Result<std::string> Unescape(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (c == '\\') {
      // The whole character after the backslash, for the message.
      std::size_t end = std::min(at + 2, text.size());
      while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
      const std::string_view sequence = text.substr(at, end - at);
      if (sequence != "\\\\" && sequence != "\\," && sequence != "\\=") {
        return Fail(ErrorCode::kInvalidArgument,
                    fmt::format("invalid field selector: invalid escape sequence: {}", sequence));
      }
      c = text[++at];
    } else if (c == ',' || c == '=') {  // which Kubernetes shows by its number
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("invalid field selector: unescaped character in value: {}",
                              static_cast<int>(c)));
    }
    out += c;
  }
  return out;
}

std::string Escape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == ',' || c == '=') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

Result<FieldSelector> FieldSelector::Parse(std::string_view text) {
  FieldSelector selector;
  std::vector<std::string_view> terms = SplitTerms(text);
  std::sort(terms.begin(), terms.end());
  for (const std::string_view term : terms) {
    if (term.empty()) continue;
    Requirement requirement;
    std::string_view value;
    if (!SplitTerm(term, requirement, value)) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("invalid selector: '{}'; can't understand '{}'", text, term));
    }
    Result<std::string> unescaped = Unescape(value);
    if (!unescaped) return std::unexpected(unescaped.error());
    requirement.value = *std::move(unescaped);
    if (requirement.field.empty() && requirement.value.empty()) continue;  // as Kubernetes does
    selector.requirements_.push_back(std::move(requirement));
  }
  return selector;
}

bool FieldSelector::Matches(
    const std::function<std::string(std::string_view field)>& field_value) const {
  return std::ranges::all_of(requirements_, [&](const Requirement& requirement) {
    return (field_value(requirement.field) == requirement.value) == requirement.equal;
  });
}

std::optional<std::string_view> FieldSelector::ExactValue(std::string_view field) const {
  for (const Requirement& requirement : requirements_) {
    if (requirement.equal && requirement.field == field) return requirement.value;
  }
  return std::nullopt;
}

std::string FieldSelector::ToString() const {
  std::string text;
  for (const Requirement& requirement : requirements_) {
    if (!text.empty()) text += ',';
    text += fmt::format("{}{}{}", requirement.field,
                        requirement.equal ? "=" : "!=", Escape(requirement.value));
  }
  return text;
}

}  // namespace basalt::kube
