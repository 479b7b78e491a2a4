#pragma once

#include <string>
#include <string_view>

#include "apiserver/object/status.h"
#include "apiserver/rest/request.h"
#include "apiserver/storage/kind_registry.h"
#include "kube/types/selector.h"

namespace basalt::apiserver {

// Which objects of a kind a list, watch or delete is about: a namespace, a name, labels and fields.
class Selection {
 public:
  // From labelSelector and fieldSelector. An empty `ns` means all; a `name` (of a watch or get of
  // one object) narrows as metadata.name does.
  static ApiResult<Selection> Parse(const KindPtr& kind, const Query& query, std::string_view ns,
                                    std::string_view name);

  bool Matches(const StoredObject& object) const;
  bool everything() const { return ns_.empty() && labels_.empty() && fields_.empty(); }
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
