#pragma once

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

// Reading objects as the API server gives them, and naming them in sentences.
namespace basalt::migrate {

// What is at a path of fields; nullptr, "" or an empty array: nothing of that kind.
const boost::json::value* At(const boost::json::value& from,
                             std::initializer_list<std::string_view> path);
std::string_view TextAt(const boost::json::value& from,
                        std::initializer_list<std::string_view> path);
const boost::json::array& ArrayIn(const boost::json::value& from,
                                  std::initializer_list<std::string_view> path);

// "namespace/name", or the name of what has no namespace.
std::string NameOf(const boost::json::value& object);
// "a, b, c and 4 more"
std::string Some(const std::vector<std::string>& names);
// "1 pod is", "3 pods are"
std::string Count(std::size_t count, std::string_view what, std::string_view one,
                  std::string_view many);

}  // namespace basalt::migrate
