// deps: basalt_apiserver
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "apiserver/rest/request.h"
#include "base/check.h"
#include "net/url.h"

using namespace basalt::apiserver;
namespace net = basalt::net;

// Takes the input for a request's target, its Accept header and a continue token.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t question = text.find('?');
  if (const std::optional<std::string> path = net::PercentDecode(text.substr(0, question))) {
    if (const std::optional<ResourcePath> parsed = ParseResourcePath(*path)) {
      BASALT_CHECK(!parsed->version.empty() && !parsed->resource.empty());
      BASALT_CHECK(parsed->in_namespace == !parsed->ns.empty());
    }
  }
  if (question != std::string_view::npos) {
    const Query query = Query::Parse(text.substr(question + 1));
    (void)ListOptions::Parse(query, query.GetBool("watch"));
  }
  (void)NegotiateOutput(text);
  if (const ApiResult<ContinueToken> token = ContinueToken::Decode(text)) {
    const ApiResult<ContinueToken> again = ContinueToken::Decode(token->Encode());
    BASALT_CHECK(again.has_value() && again->start == token->start);
  }
  return 0;
}
