#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <set>
#include <string>
#include <string_view>

namespace basalt::dashboard {

// What a person may see and do.
struct Sight {
  std::string person;
  bool everything = false;           // all namespaces
  std::set<std::string> namespaces;  // else these
  bool may_defragment = false;       // create reservations and evictions

  bool Sees(std::string_view ns) const {
    return everything || namespaces.contains(std::string(ns));
  }
  bool operator==(const Sight&) const = default;
  // People with the same key see the same.
  std::string Key() const;
};

// Takes away what the person may not see: rows of lists that are of another namespace, and in texts
// the names of other namespaces' objects ("ns/name").
void Hide(const Sight& sight, boost::json::value& value);

}  // namespace basalt::dashboard
