#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/storage/kind_registry.h"

namespace basalt::apiserver {

// What clients are told of the kinds that are served, in the old form (a document per version) and
// in the aggregated one.
class ResourceLists {
 public:
  explicit ResourceLists(const KindRegistry& kinds) : kinds_(kinds.All()) {}

  // /apis. Without the core group.
  json::object GroupList() const;
  // /apis/GROUP; empty: no such group.
  json::object Group(std::string_view group) const;
  // /api/v1 and /apis/GROUP/VERSION; empty: no such version.
  json::object Resources(std::string_view group, std::string_view version) const;
  // Aggregated, of the core group alone or of all the others.
  json::object Aggregated(bool core) const;
  // "api/v1", "apis/apps/v1", …
  std::vector<std::string> Versions() const;

 private:
  std::vector<std::string> Groups() const;
  std::vector<std::string> VersionsOf(std::string_view group) const;

  std::vector<KindPtr> kinds_;
};

}  // namespace basalt::apiserver
