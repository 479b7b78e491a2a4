// deps: basalt_apiserver
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/kinds/structural_schema.h"
#include "apiserver/object/field_errors.h"
#include "apiserver/object/json_text.h"
#include "base/check.h"

using namespace basalt;
using namespace basalt::apiserver;

// A schema and an object, with a line end between them: the object is pruned, defaulted and
// validated, and what that settles stays settled.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t split = text.find('\n');
  const Result<json::value> schema_text = ParseJson(text.substr(0, split));
  if (!schema_text || !schema_text->is_object()) return 0;
  const Result<std::shared_ptr<const StructuralSchema>> schema =
      StructuralSchema::Parse(schema_text->get_object());
  if (!schema) {
    BASALT_CHECK(!schema.error().message.empty());
    return 0;
  }
  const Result<json::value> parsed =
      ParseJson(split == std::string_view::npos ? "{}" : text.substr(split + 1));
  if (!parsed || !parsed->is_object()) return 0;

  json::object object = parsed->get_object();
  (*schema)->Prune(object, nullptr);
  json::object pruned = object;
  std::vector<std::string> unknown;
  (*schema)->Prune(pruned, &unknown);
  BASALT_CHECK(unknown.empty() && pruned == object);
  (*schema)->Default(object);
  json::object defaulted = object;
  (*schema)->Default(defaulted);
  BASALT_CHECK(defaulted == object);
  FieldErrors errors;
  (*schema)->Validate(object, errors);
  BASALT_CHECK(errors.empty() == errors.all().empty());
  (void)errors.Message();
  return 0;
}
