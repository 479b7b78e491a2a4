#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apiserver/object/object.h"
#include "base/error.h"

namespace basalt::apiserver {

// The part of kubectl's JSONPath that CRDs use: .a.b, ['a'], [0], [*], [?(@.type=="Ready")], with
// '.' in a name escaped by a backslash. Immutable.
class JsonPath {
 public:
  static Result<JsonPath> Parse(std::string_view text);

  // All values that it leads to, in order.
  std::vector<const json::value*> Find(const json::object& object) const;
  const json::value* First(const json::object& object) const;
  // Sets the value at a path of plain names, making the objects on the way. False: it is not such a
  // path, or something else is in the way.
  bool Set(json::object& object, json::value value) const;

 private:
  struct Step {
    enum class Kind { kName, kIndex, kAll, kFilter };
    Kind kind = Kind::kName;
    std::string name;                 // kName
    std::int64_t index = 0;           // kIndex
    std::vector<std::string> filter;  // kFilter: the names after '@'
    json::value wanted;               // kFilter
    bool equal = true;                // kFilter: == or !=

    // Adds what the step leads to from a value.
    void Take(const json::value& from, std::vector<const json::value*>& to) const;
    bool Passes(const json::value& item) const;
  };
  static Result<Step> ParseBrackets(std::string_view inside);
  static Result<Step> ParseFilter(std::string_view filter);

  std::vector<Step> steps_;
};

}  // namespace basalt::apiserver
