// deps: basalt_kube_types
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "kube/types/quantity.h"
#include "kube/types/time.h"

// What can be read keeps its amount when it is printed and read again, and what is printed settles:
// "9370111937.5Ki" is printed as 9594994624000, which, read as a decimal, is 9594994624k.
// Kubernetes does the same. The same of times and durations.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace basalt::kube;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto quantity = Quantity::Parse(text);
  const auto normalized = Quantity::Normalize(text);
  BASALT_CHECK(quantity.has_value() == normalized.has_value());
  if (quantity) {
    const auto again = Quantity::Parse(quantity->ToString());
    BASALT_CHECK(again && *again == *quantity);
    const auto settled = Quantity::Parse(again->ToString());
    BASALT_CHECK(settled && settled->ToString() == again->ToString());
    const auto kept = Quantity::Parse(*normalized);
    BASALT_CHECK(kept && *kept == *quantity);
    BASALT_CHECK((*quantity - *quantity).IsZero());
    BASALT_CHECK(quantity->Sign() != 1 || quantity->Value() > 0);
  }
  if (const auto time = ParseTime(text)) {
    const auto again = ParseTime(FormatMicroTime(*time));
    BASALT_CHECK(again && FormatMicroTime(*again) == FormatMicroTime(*time));
    BASALT_CHECK(NormalizeTime(text).has_value());
  }
  if (const auto duration = ParseDuration(text)) {
    const auto again = ParseDuration(FormatDuration(*duration));
    BASALT_CHECK(again && *again == *duration);
  }
  return 0;
}
