#pragma once

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace basalt::webhook {

// What the webhook says to one request. Without a problem it is allowed.
struct Review {
  boost::json::array patch;           // RFC 6902, of a mutation
  std::vector<std::string> problems;  // "spec.queue: there is no queue \"x\"; …"
  std::vector<std::string> warnings;  // shown to the client
  int code = 422;                     // of a refusal
  // It rests on something that the snapshot lacks or has, and that may just not have reached us
  // yet: worth another look when the snapshot has changed.
  bool doubtful = false;

  bool allowed() const { return problems.empty(); }
  void Refuse(std::string problem) { problems.push_back(std::move(problem)); }
};

// The JSON pointer to a field: {"metadata", "annotations", "a/b"} gives
// "/metadata/annotations/a~1b".
std::string Pointer(std::initializer_list<std::string_view> path);
// Appends an operation "add", or "remove".
void AddOperation(boost::json::array& patch, std::string path, boost::json::value value);
void RemoveOperation(boost::json::array& patch, std::string path);

}  // namespace basalt::webhook
