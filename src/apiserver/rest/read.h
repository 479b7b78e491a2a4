#pragma once

#include "apiserver/object/status.h"
#include "apiserver/rest/request.h"
#include "apiserver/storage/kind_registry.h"
#include "base/clock.h"
#include "kube/types/selector.h"

// Which objects a request is about, and these in the form that Accept asks for: themselves, a Table
// for kubectl, or their metadata.
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

// Which objects of a kind a list, watch or delete is about: a namespace, a name, labels and fields.
// A plain value, owned by its request.
class Selection {
 public:
  // From labelSelector and fieldSelector. An empty `ns` means all; a `name` (of a watch or get of
  // one object) narrows as metadata.name does.
  static ApiResult<Selection> Parse(const KindPtr& kind, const Query& query, std::string_view ns,
                                    std::string_view name);

  bool Matches(const StoredObject& object) const;
  bool has_selectors() const { return !labels_.empty() || !fields_.empty(); }
  // Every object that matches has a key that starts with this.
  const std::string& key_prefix() const { return key_prefix_; }

 private:
  bool MatchesFields(const StoredObject& object) const;

  KindPtr kind_;
  std::string ns_;
  std::string key_prefix_;
  kube::LabelSelector labels_;
  kube::FieldSelector fields_;
};

}  // namespace basalt::apiserver
