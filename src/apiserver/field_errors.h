#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace basalt::apiserver {

// One complaint about one field, worded as Kubernetes words it.
struct FieldError {
  std::string type;    // "FieldValueRequired", "FieldValueInvalid", …: the cause's reason
  std::string field;   // "spec.containers[0].name"
  std::string detail;  // what follows the field: "Required value", `Invalid value: "x": must be …`
};

// Collects complaints about one object.
class FieldErrors {
 public:
  void Required(std::string field, std::string_view detail = "");
  void Invalid(std::string field, const boost::json::value& value, std::string_view detail);
  void NotSupported(std::string field, const boost::json::value& value,
                    const std::vector<std::string>& supported);
  void Forbidden(std::string field, std::string_view detail);
  void Duplicate(std::string field, const boost::json::value& value);
  void NotFound(std::string field, const boost::json::value& value);
  void TooMany(std::string field, std::size_t actual, std::size_t most);
  void TooLong(std::string field, std::size_t most);
  void Add(FieldError error) { errors_.push_back(std::move(error)); }

  bool empty() const { return errors_.empty(); }
  const std::vector<FieldError>& all() const { return errors_; }
  // "[a: Required value, b: Invalid value: …]", or the one message without brackets.
  std::string Message() const;

 private:
  std::vector<FieldError> errors_;
};

}  // namespace basalt::apiserver
