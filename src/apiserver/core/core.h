#pragma once

#include "apiserver/admission/admission.h"
#include "apiserver/core/server_options.h"
#include "apiserver/object/barrier.h"
#include "apiserver/storage/kind_registry.h"
#include "apiserver/storage/store.h"
#include "base/loop.h"
#include "base/random.h"

namespace basalt::apiserver {

class OpenWatches;       // rest/watch.h
class OpenApiDocuments;  // discovery/discovery.h
class WebhookCaller;

// The server's state and services, which every handler works on. Owned by the Server; loop thread
// only.
class Core final : public ObjectReader {
 public:
  Core(Loop& loop, ServerOptions options, WebhookCaller* webhooks);
  ~Core() override;
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  std::optional<json::object> Get(std::string_view group, std::string_view plural,
                                  std::string_view ns, std::string_view name) const override;
  std::vector<json::object> List(std::string_view group, std::string_view plural,
                                 std::string_view ns) const override;
  std::uint64_t LastChange(std::string_view group, std::string_view plural) const override;

  // From the seeded generator.
  std::string NewUid();
  // `base` cut to fit and five characters.
  std::string NewName(std::string_view base);

  SurvivingLoop loop;
  const ServerOptions options;
  Store store;
  KindRegistry kinds;
  Random random;
  Admission admission;
  // What belongs to layers above, which make it.
  std::shared_ptr<OpenWatches> watches;
  std::shared_ptr<OpenApiDocuments> openapi;
  Scope scope;  // of callbacks that handlers post to the loop
};

}  // namespace basalt::apiserver
