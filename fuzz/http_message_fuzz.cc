// deps: basalt_net
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "net/http_parser.h"

namespace {

using basalt::net::ParseResult;
using basalt::net::ParseState;

constexpr basalt::net::ParseLimits kLimits{.header_bytes = 4096, .body_bytes = 2048};

// Feeds `text` in pieces, as a connection does, until the message is over or refused.
template <class Parser>
ParseState FeedAll(Parser& parser, std::string_view text, std::size_t step) {
  std::string input;
  for (std::size_t at = 0; at < text.size(); at += step) {
    input += text.substr(at, step);
    ParseResult result{ParseState::kHeader, 0};
    while (result.state == ParseState::kHeader) {
      result = parser.Feed(input);
      BASALT_CHECK(result.consumed <= input.size());
      input.erase(0, result.consumed);
    }
    if (result.state != ParseState::kNeedMore) return result.state;
  }
  return ParseState::kNeedMore;
}

}  // namespace

// The first byte says how large the pieces are. A message never exceeds its limits, and a request
// that was understood in pieces is understood as a whole as well.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const std::size_t step = data[0] + 1u;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  basalt::net::RequestParser request(kLimits);
  if (FeedAll(request, text, step) == ParseState::kDone) {
    const auto got = request.TakeRequest();
    BASALT_CHECK(got.body.size() <= kLimits.body_bytes);
    BASALT_CHECK(!got.method.empty());
    basalt::net::RequestParser whole(kLimits);
    BASALT_CHECK(FeedAll(whole, text, text.size()) == ParseState::kDone);
    BASALT_CHECK(whole.TakeRequest().body == got.body);
  }
  basalt::net::ResponseParser response(kLimits);
  const ParseState state = FeedAll(response, text, step);
  if (state == ParseState::kDone || (state == ParseState::kNeedMore && response.FeedEnd())) {
    BASALT_CHECK(response.TakeResponse().body.size() <= kLimits.body_bytes);
  }
  return 0;
}
