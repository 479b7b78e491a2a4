#include <boost/json/object.hpp>
#include <utility>

#include "webhook/review.h"

namespace basalt::webhook {

std::string Pointer(std::initializer_list<std::string_view> path) {
  std::string pointer;
  for (const std::string_view part : path) {
    pointer += '/';
    for (const char letter : part) {
      if (letter == '~') {
        pointer += "~0";
      } else if (letter == '/') {
        pointer += "~1";
      } else {
        pointer += letter;
      }
    }
  }
  return pointer;
}

void AddOperation(boost::json::array& patch, std::string path, boost::json::value value) {
  patch.push_back(
      boost::json::object{{"op", "add"}, {"path", std::move(path)}, {"value", std::move(value)}});
}

void RemoveOperation(boost::json::array& patch, std::string path) {
  patch.push_back(boost::json::object{{"op", "remove"}, {"path", std::move(path)}});
}

}  // namespace basalt::webhook
