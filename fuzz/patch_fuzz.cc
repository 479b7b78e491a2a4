// deps: basalt_apiserver
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "apiserver/apply/managed_fields.h"
#include "apiserver/object/json_text.h"
#include "apiserver/patch/patch.h"
#include "apiserver/schema/type_schema.h"
#include "base/check.h"

using namespace basalt;
using namespace basalt::apiserver;

namespace {

std::size_t Bytes(const json::value& value) { return ToText(value).size(); }

// No patch makes more of a document than it says: `allowed` bytes on top of both.
void CheckBounds(const json::value& result, const json::value& document, const json::value& patch,
                 std::size_t allowed) {
  BASALT_CHECK(MeasureJson(result).depth <= kMostDepth);
  BASALT_CHECK(Bytes(result) <= Bytes(document) + Bytes(patch) + allowed);
}

}  // namespace

// A document and a patch, with a line end between them: all three patches, whatever comes of it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t split = text.find('\n');
  if (split == std::string_view::npos) return 0;
  const Result<json::value> document = ParseJson(text.substr(0, split));
  const Result<json::value> patch = ParseJson(text.substr(split + 1));
  if (!document || !patch) return 0;

  // What is written can be read again, and is the same.
  const Result<json::value> again = ParseJson(ToText(*document));
  BASALT_CHECK(again.has_value());

  json::value merged = *document;
  ApplyMergePatch(*patch, merged);
  json::value twice = merged;
  ApplyMergePatch(*patch, twice);
  BASALT_CHECK(twice == merged);
  CheckBounds(merged, *document, *patch, 0);

  if (patch->is_array()) {
    json::value patched = *document;
    const Result<void> applied = ApplyJsonPatch(patch->get_array(), patched);
    if (applied) CheckBounds(patched, *document, *patch, kMostCopied);
  }
  if (patch->is_object() && document->is_object()) {
    // Applied on the server's side: the same again changes nothing.
    static const TypeSchema* const type = FindBuiltinType("core.Pod");
    static const json::object zero;
    ApplyRequest request{.zero = zero,
                         .live = document->get_object(),
                         .applied = patch->get_object(),
                         .type = *type,
                         .writer = {.manager = "m", .api_version = "v1"},
                         .force = true};
    if (const auto once = ServerSideApply(request)) {
      const auto twice_applied = ServerSideApply({.zero = zero,
                                                  .live = *once,
                                                  .applied = patch->get_object(),
                                                  .type = *type,
                                                  .writer = request.writer,
                                                  .force = true});
      BASALT_CHECK(twice_applied.has_value());
    }
  }
  if (patch->is_object() && document->is_object()) {
    static const TypeSchema* const pod = FindBuiltinType("core.Pod");
    json::object patched = document->get_object();
    if (ApplyStrategicMergePatch(patch->get_object(), *pod, patched)) {
      json::value value(std::move(patched));
      CheckBounds(value, *document, *patch, 0);
      (void)Conform(value, *pod);
    }
  }
  return 0;
}
