#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apiserver/rest/request.h"
#include "apiserver/storage/kind_registry.h"
#include "base/clock.h"

// Objects in the form that Accept asks for: themselves, a Table for kubectl, or their metadata.
namespace basalt::apiserver {

// What a list shows.
struct Page {
  std::uint64_t version = 0;  // of the state that it shows
  std::vector<StoredPtr> objects;
  std::string continue_token;
  std::uint64_t remaining = 0;  // after this page; unknown with selectors: 0
};

std::string RenderOne(const ServedKind& kind, const OutputFormat& format,
                      const json::object& object, Time now, bool with_columns = true);
std::string RenderList(const ServedKind& kind, const OutputFormat& format, const Page& page,
                       Time now);
// A document of that form with nothing but metadata: a watch's bookmark.
json::object RenderEmpty(const ServedKind& kind, const OutputFormat& format, json::object metadata,
                         bool with_columns);

}  // namespace basalt::apiserver
