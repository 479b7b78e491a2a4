// deps: basalt_apiserver
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "apiserver/kinds/cells.h"
#include "apiserver/object/json_text.h"
#include "base/check.h"

using namespace basalt;
using namespace basalt::apiserver;

// The path of a printer column or of a scale's replicas, and an object behind a line end.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t split = text.find('\n');
  const Result<JsonPath> path = JsonPath::Parse(text.substr(0, split));
  if (!path) {
    BASALT_CHECK(!path.error().message.empty());
    return 0;
  }
  const Result<json::value> parsed =
      ParseJson(split == std::string_view::npos ? "{}" : text.substr(split + 1));
  if (!parsed || !parsed->is_object()) return 0;
  json::object object = parsed->get_object();
  const auto found = path->Find(object);
  BASALT_CHECK(path->First(object) == (found.empty() ? nullptr : found.front()));
  for (const json::value* value : found) (void)ToText(*value);
  // What is set is found, and nested no deeper than a path is long.
  if (path->Set(object, 7)) {
    BASALT_CHECK(path->First(object) != nullptr && *path->First(object) == 7);
    BASALT_CHECK(MeasureJson(object).depth <= kMostDepth);
  }
  return 0;
}
