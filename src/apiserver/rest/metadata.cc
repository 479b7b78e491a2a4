#include "apiserver/rest/metadata.h"

#include <boost/json/value.hpp>

#include "apiserver/object/json_text.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {

ApiResult<void> SettleNamespace(const ServedKind& kind, std::string_view ns, json::object& object) {
  json::object& metadata = Metadata(object);
  if (!kind.info.namespaced) {
    metadata.erase("namespace");
    return {};
  }
  const std::string_view own = Namespace(object);
  if (own.empty()) {
    metadata["namespace"] = json::string(ns);
  } else if (own != ns) {
    return Refuse(refusal::BadRequest(
        "the namespace of the provided object does not match the namespace sent on the request"));
  }
  return {};
}

void FillForCreate(Core& core, json::object& object) {
  json::object& metadata = Metadata(object);
  for (const std::string_view key :
       {"deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"}) {
    metadata.erase(key);
  }
  metadata["uid"] = core.NewUid();
  metadata["creationTimestamp"] = FormatTime(core.loop.Now());
}

ApiResult<void> CheckStorable(const Core& core, const json::object& object) {
  const JsonExtent extent = MeasureJson(object);
  if (extent.depth > kMostDepth) return Refuse(refusal::BadRequest("exceeded max depth"));
  const std::size_t limit = core.options.max_object_bytes;
  if (extent.most_bytes > limit && ToText(object).size() > limit) {
    return Refuse(refusal::TooLarge("etcdserver: request is too large"));
  }
  return {};
}

void KeepForUpdate(json::object& object, const json::object& old) {
  json::object& metadata = Metadata(object);
  metadata.erase("selfLink");
  const json::object* old_metadata = FindObject(old, {"metadata"});
  if (old_metadata == nullptr) return;
  // A uid of the user's own is for validation to refuse; what is missing is filled in. Times,
  // deletion and generation belong to the server alone.
  for (const std::string_view key :
       {"uid", "creationTimestamp", "namespace", "generateName", "generation", "deletionTimestamp",
        "deletionGracePeriodSeconds"}) {
    const json::value* value = old_metadata->if_contains(key);
    const bool servers =
        key.starts_with("deletion") || key == "generation" || key == "creationTimestamp";
    const bool missing = Find(metadata, {key}) == nullptr;
    if (value == nullptr) {
      if (servers) metadata.erase(key);
    } else if (servers || missing) {
      metadata[key] = *value;
    }
  }
}

}  // namespace basalt::apiserver
