#include "apiserver/object/field_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/serialize.hpp>

#include "apiserver/object/json_text.h"

namespace basalt::apiserver {
namespace {

// As Go prints the value in a message: strings quoted, everything else as JSON.
std::string Show(const boost::json::value& value) {
  if (value.is_string()) return Quoted(value.get_string());
  if (value.is_double()) return fmt::format("{}", value.get_double());
  return boost::json::serialize(value);
}

std::string WithDetail(std::string head, std::string_view detail) {
  if (!detail.empty()) {
    head += ": ";
    head += detail;
  }
  return head;
}

}  // namespace

void FieldErrors::Required(std::string field, std::string_view detail) {
  Add({"FieldValueRequired", std::move(field), WithDetail("Required value", detail)});
}

void FieldErrors::Invalid(std::string field, const QuotedValue& value, std::string_view detail) {
  Add({"FieldValueInvalid", std::move(field),
       WithDetail("Invalid value: " + Show(value.value), detail)});
}

void FieldErrors::NotSupported(std::string field, const QuotedValue& value,
                               const std::vector<std::string>& supported) {
  std::string detail;
  if (!supported.empty()) {
    detail = "supported values: ";
    for (std::size_t i = 0; i < supported.size(); ++i) {
      if (i > 0) detail += ", ";
      detail += Quoted(supported[i]);
    }
  }
  Add({"FieldValueNotSupported", std::move(field),
       WithDetail("Unsupported value: " + Show(value.value), detail)});
}

void FieldErrors::Forbidden(std::string field, std::string_view detail) {
  Add({"FieldValueForbidden", std::move(field), WithDetail("Forbidden", detail)});
}

void FieldErrors::Duplicate(std::string field, const QuotedValue& value) {
  Add({"FieldValueDuplicate", std::move(field), "Duplicate value: " + Show(value.value)});
}

void FieldErrors::NotFound(std::string field, const QuotedValue& value) {
  Add({"FieldValueNotFound", std::move(field), "Not found: " + Show(value.value)});
}

void FieldErrors::TooMany(std::string field, std::size_t actual, std::size_t most) {
  Add({"FieldValueTooMany", std::move(field),
       fmt::format("Too many: {}: must have at most {} item{}", actual, most,
                   most == 1 ? "" : "s")});
}

void FieldErrors::TooLong(std::string field, std::size_t most) {
  Add({"FieldValueTooLong", std::move(field),
       fmt::format("Too long: may not be more than {} byte{}", most, most == 1 ? "" : "s")});
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
