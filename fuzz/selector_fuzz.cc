// deps: basalt_kube_types
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "kube/types/selector.h"

// A selector that can be read is the same when it is printed and read again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace basalt::kube;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const StringMap labels = {{"a", "b"}, {"app", "web"}, {"n", "5"}};
  if (const auto selector = LabelSelector::Parse(text)) {
    const auto again = LabelSelector::Parse(selector->ToString());
    BASALT_CHECK(again && *again == *selector);
    BASALT_CHECK(again->Matches(labels) == selector->Matches(labels));
  }
  if (const auto selector = FieldSelector::Parse(text)) {
    const auto again = FieldSelector::Parse(selector->ToString());
    BASALT_CHECK(again.has_value());
    const auto value = [](std::string_view field) { return std::string(field); };
    BASALT_CHECK(again->Matches(value) == selector->Matches(value));
  }
  return 0;
}
