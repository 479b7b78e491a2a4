#pragma once

#include <boost/json/object.hpp>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>

#include "base/error.h"

namespace basalt::scheduler {

// The arguments of one plugin or action, as the configuration file has them. A value of the wrong
// type is an error; Volcano warns and goes on with the default, which hides mistakes. Immutable.
class Arguments {
 public:
  Arguments() = default;
  explicit Arguments(boost::json::object values) : values_(std::move(values)) {}

  bool Has(std::string_view key) const { return values_.contains(key); }
  bool empty() const { return values_.empty(); }

  // Where a value goes; nowhere: it is accepted and has no effect.
  using Target = std::variant<std::monostate, int*, double*, bool*, std::string*>;
  // Leaves what `out` points to as it is where the argument is absent. A number or truth value may
  // also be written as a string ("10", "true"), as Volcano's examples often have it.
  Result<void> Get(std::string_view key, Target out) const;
  // Gets all of them, and refuses arguments that are neither among them nor begin with one of
  // `prefixes`, naming the nearest known one.
  struct Known {
    std::string_view key;
    Target out = {};
  };
  Result<void> Read(std::initializer_list<Known> known,
                    std::initializer_list<std::string_view> prefixes = {}) const;

  // For structured values; nullptr: absent.
  const boost::json::value* Find(std::string_view key) const { return values_.if_contains(key); }
  const boost::json::object& values() const { return values_; }

 private:
  boost::json::object values_;
};

}  // namespace basalt::scheduler
