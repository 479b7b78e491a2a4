#include "apiserver/rest/finalizers.h"

#include <boost/json/array.hpp>
#include <utility>

#include "apiserver/object/object.h"

namespace basalt::apiserver {

void RemoveFinalizer(Store& store, Collection& collection, std::string_view key,
                     std::string_view finalizer) {
  const StoredPtr stored = Store::Get(collection, key);
  if (stored == nullptr) return;
  json::object parsed = stored->Parse();
  json::array* finalizers = FindArray(parsed, {"metadata", "finalizers"});
  if (finalizers == nullptr) return;
  json::array kept;
  for (const json::value& item : *finalizers) {
    if (!item.is_string() || std::string_view(item.get_string()) != finalizer) kept.push_back(item);
  }
  if (kept.size() == finalizers->size()) return;
  const bool last = kept.empty();
  if (last) {
    Metadata(parsed).erase("finalizers");
  } else {
    *finalizers = std::move(kept);
  }
  if (last && stored->being_deleted &&
      GetInt(parsed, {"metadata", "deletionGracePeriodSeconds"}) == 0) {
    store.Delete(collection, key, std::move(parsed));
  } else {
    store.Update(collection, key, std::move(parsed));
  }
}

}  // namespace basalt::apiserver
