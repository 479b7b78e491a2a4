#include "apiserver/object/field_errors.h"

#include <fmt/format.h>

#include <algorithm>

#include "apiserver/object/json_text.h"

namespace basalt::apiserver {
namespace {

std::string AtMost(std::size_t most, std::string_view unit) {
  return fmt::format("{} {}{}", most, unit, most == 1 ? "" : "s");
}

}  // namespace

void FieldErrors::Say(std::string type, std::string field, std::string head,
                      std::string_view detail) {
  if (!detail.empty()) head.append(": ").append(detail);
  Add({std::move(type), std::move(field), std::move(head)});
}

void FieldErrors::Invalid(std::string field, const QuotedValue& value, std::string_view detail) {
  Say("FieldValueInvalid", std::move(field), "Invalid value: " + ToText(value.value), detail);
}

void FieldErrors::NotSupported(std::string field, const QuotedValue& value,
                               const std::vector<std::string>& supported) {
  std::vector<std::string> quoted;
  for (const std::string& text : supported) quoted.push_back(Quoted(text));
  Say("FieldValueNotSupported", std::move(field), "Unsupported value: " + ToText(value.value),
      quoted.empty() ? "" : fmt::format("supported values: {}", fmt::join(quoted, ", ")));
}

void FieldErrors::Duplicate(std::string field, const QuotedValue& value) {
  Say("FieldValueDuplicate", std::move(field), "Duplicate value: " + ToText(value.value));
}

void FieldErrors::NotFound(std::string field, const QuotedValue& value) {
  Say("FieldValueNotFound", std::move(field), "Not found: " + ToText(value.value));
}

void FieldErrors::TooMany(std::string field, std::size_t actual, std::size_t most) {
  Say("FieldValueTooMany", std::move(field),
      fmt::format("Too many: {}: must have at most {}", actual, AtMost(most, "item")));
}

void FieldErrors::TooLong(std::string field, std::size_t most) {
  Say("FieldValueTooLong", std::move(field),
      "Too long: may not be more than " + AtMost(most, "byte"));
}

std::string FieldErrors::Message() const {
  // Kubernetes says the same thing only once here, and again for each cause.
  std::vector<std::string> said;
  for (const FieldError& error : errors_) {
    std::string text = error.field + ": " + error.detail;
    if (std::find(said.begin(), said.end(), text) == said.end()) said.push_back(std::move(text));
  }
  if (said.size() == 1) return said.front();
  return fmt::format("[{}]", fmt::join(said, ", "));
}

}  // namespace basalt::apiserver
