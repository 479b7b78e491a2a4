#pragma once

#include <boost/json/object.hpp>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace basalt::scheduler {

// The arguments of one plugin or action, as the configuration file has them. A value of the wrong
// type is an error; Volcano warns and goes on with the default, which hides mistakes.
class Arguments {
 public:
  Arguments() = default;
  explicit Arguments(boost::json::object values) : values_(std::move(values)) {}

  bool Has(std::string_view key) const { return values_.contains(key); }
  bool empty() const { return values_.empty(); }

  // Leave `*out` as it is where the argument is absent. A number or truth value may also be written
  // as a string ("10", "true"), as Volcano's examples often have it.
  Result<void> Get(std::string_view key, int* out) const;
  Result<void> Get(std::string_view key, double* out) const;
  Result<void> Get(std::string_view key, bool* out) const;
  Result<void> Get(std::string_view key, std::string* out) const;
  // For structured values; nullptr: absent.
  const boost::json::value* Find(std::string_view key) const { return values_.if_contains(key); }
  const boost::json::object& values() const { return values_; }

  // Refuses arguments that are neither among `known` nor begin with one of `prefixes`, naming the
  // nearest known one.
  Result<void> CheckKnown(std::initializer_list<std::string_view> known,
                          std::initializer_list<std::string_view> prefixes = {}) const;

 private:
  boost::json::object values_;
};

}  // namespace basalt::scheduler
