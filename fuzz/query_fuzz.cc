// deps: basalt_scheduler_query
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "kube/client/access_secret.h"
#include "model/cluster.h"
#include "scheduler/query/query_handler.h"

// Questions of any shape get an answer that is no server error, and leave the state as it was;
// Secrets of any shape are read or refused.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace basalt;
  using namespace basalt::scheduler;
  const std::string text(reinterpret_cast<const char*>(data), size);
  model::Cluster cluster;
  const auto plugins = PluginSet::Make(Config(), PluginRegistry());
  BASALT_CHECK(plugins.has_value());
  const query::QueryHandler handler("t", {.explainer = [&] {
                                      return std::optional<explain::Explainer>(
                                          std::in_place, cluster, **plugins, Time{});
                                    }});
  const std::uint64_t before = cluster.Hash();
  const net::HttpResponse answer = handler.Answer(
      {.method = "GET", .target = text, .headers = {{"Authorization", "Bearer t"}}, .body = {}});
  BASALT_CHECK(answer.status >= 200 && answer.status < 500);
  BASALT_CHECK(cluster.Hash() == before);
  if (const auto access = kube::ReadAccessSecret("s", text)) BASALT_CHECK(!access->token.empty());
  return 0;
}
