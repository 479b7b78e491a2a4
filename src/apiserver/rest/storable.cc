#include "apiserver/rest/storable.h"

#include "apiserver/object/json_text.h"

namespace basalt::apiserver {

ApiResult<void> CheckStorable(const Core& core, const json::object& object) {
  const JsonExtent extent = MeasureJson(object);
  if (extent.depth > kMostDepth) return Refuse(refusal::BadRequest("exceeded max depth"));
  const std::size_t limit = core.options.max_object_bytes;
  if (extent.most_bytes > limit && ToText(object).size() > limit) {
    return Refuse(refusal::TooLarge("etcdserver: request is too large"));
  }
  return {};
}

}  // namespace basalt::apiserver
