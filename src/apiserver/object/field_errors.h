#pragma once

#include <type_traits>

#include "apiserver/object/object.h"

namespace basalt::apiserver {

// One complaint about one field, worded as Kubernetes words it.
struct FieldError {
  std::string type;    // "FieldValueRequired", "FieldValueInvalid", …: the cause's reason
  std::string field;   // "spec.containers[0].name"
  std::string detail;  // what follows the field: "Required value", `Invalid value: "x": must be …`
};

// The value that a complaint quotes, from whatever holds it.
struct QuotedValue {
  template <class T>
  QuotedValue(const T& from) {  // NOLINT: implicit on purpose
    if constexpr (std::is_convertible_v<const T&, std::string_view>) {
      const std::string_view text = from;
      value = json::string(text.data(), text.size());
    } else {
      value = from;
    }
  }
  json::value value;
};

// Collects complaints about one object. A plain value.
class FieldErrors {
 public:
  void Required(std::string field, std::string_view detail = "") {
    Say("FieldValueRequired", std::move(field), "Required value", detail);
  }
  void Invalid(std::string field, const QuotedValue& value, std::string_view detail);
  void NotSupported(std::string field, const QuotedValue& value,
                    const std::vector<std::string>& supported);
  void Forbidden(std::string field, std::string_view detail) {
    Say("FieldValueForbidden", std::move(field), "Forbidden", detail);
  }
  void Duplicate(std::string field, const QuotedValue& value);
  void NotFound(std::string field, const QuotedValue& value);
  void TooMany(std::string field, std::size_t actual, std::size_t most);
  void TooLong(std::string field, std::size_t most);
  void Add(FieldError error) { errors_.push_back(std::move(error)); }

  bool empty() const { return errors_.empty(); }
  const std::vector<FieldError>& all() const { return errors_; }
  // "[a: Required value, b: Invalid value: …]", or the one message without brackets.
  std::string Message() const;

 private:
  // `detail` follows `head` where there is one.
  void Say(std::string type, std::string field, std::string head, std::string_view detail = "");

  std::vector<FieldError> errors_;
};

}  // namespace basalt::apiserver
