// deps: basalt_apiserver
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "apiserver/admission/webhook.h"
#include "apiserver/object/json_text.h"
#include "base/check.h"

using namespace basalt;
using namespace basalt::apiserver;

// A matchCondition's expression, and the object that it is asked about behind a line end. As in CEL
// `!(e)` is the opposite of `e`, and an error where `e` is one.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t split = text.find('\n');
  const std::string expression(text.substr(0, split));
  const std::optional<MatchCondition> condition = MatchCondition::Parse(expression);
  if (!condition) return 0;

  AdmissionRequest request;
  request.ns = "default";
  request.name = "a";
  const Result<json::value> parsed =
      ParseJson(split == std::string_view::npos ? "{}" : text.substr(split + 1));
  if (parsed && parsed->is_object()) request.object = parsed->get_object();
  using Outcome = MatchCondition::Outcome;
  const Outcome outcome = condition->Evaluate(request);
  BASALT_CHECK(condition->Evaluate(request) == outcome);
  request.old_object = request.object;
  (void)condition->Evaluate(request);
  request.old_object.reset();
  if (const auto opposite = MatchCondition::Parse("!(" + expression + ")")) {
    const Outcome want = outcome == Outcome::kTrue    ? Outcome::kFalse
                         : outcome == Outcome::kFalse ? Outcome::kTrue
                                                      : Outcome::kError;
    BASALT_CHECK(opposite->Evaluate(request) == want);
  }
  return 0;
}
