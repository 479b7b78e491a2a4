#pragma once

#include <map>

#include "apiserver/object/object.h"
#include "apiserver/rest/call.h"
#include "apiserver/storage/kind_registry.h"

namespace basalt::apiserver {

// Answers what is not about objects: discovery, /version, health, OpenAPI, access reviews. False:
// the path is something else.
bool ServeDiscovery(const CallPtr& call, std::string_view path);

// The documents of OpenAPI v3, one for each version of a group, from the tables of the built-in
// kinds and the schemas of the others: the types, and of each path what may be asked of it. Made
// when a client asks, and kept until the kinds change. Owned by the Core; loop thread only.
class OpenApiDocuments {
 public:
  struct Document {
    std::string text;
    std::string hash;  // changes with the text
  };

  // /openapi/v3: where each version's document is.
  std::string Root(const KindRegistry& kinds);
  // /openapi/v3/apis/GROUP/VERSION: `version` as in the root; null: no such version.
  const Document* Find(const KindRegistry& kinds, std::string_view version);

 private:
  void Refresh(const KindRegistry& kinds);

  std::uint64_t made_of_ = 0;  // KindRegistry::revision
  std::map<std::string, Document, std::less<>> documents_;
};

}  // namespace basalt::apiserver
