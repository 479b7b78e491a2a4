#include "scheduler/explain/amounts.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace basalt::scheduler::explain {

kube::Quantity ToQuantity(int dimension, double amount) {
  // 2^63 and more is as much as anybody can say.
  constexpr double kMost = 0x1p63;
  const std::int64_t whole = amount >= kMost    ? std::numeric_limits<std::int64_t>::max()
                             : amount <= -kMost ? std::numeric_limits<std::int64_t>::min()
                                                : std::llround(amount);
  switch (dimension) {
    case model::kMemory: return kube::Quantity::Of(whole, kube::Quantity::Format::kBinarySI);
    case model::kPods: return kube::Quantity::Of(whole);
    default: return kube::Quantity::OfMilli(whole);
  }
}

std::string FormatAmount(int dimension, double amount) {
  return ToQuantity(dimension, amount).ToString();
}

std::string FormatAmounts(const model::Amounts& amounts, model::DimensionSet which,
                          const model::Dimensions& dimensions) {
  std::vector<std::string> parts;
  model::ForEachDimension(which, [&](int d) {
    parts.push_back(fmt::format("{} {}", dimensions.name(d), FormatAmount(d, amounts[d])));
  });
  return fmt::format("{}", fmt::join(parts, ", "));
}

kube::ResourceList ToResourceList(const model::Amounts& amounts,
                                  const model::Dimensions& dimensions) {
  kube::ResourceList list;
  model::ForEachDimension(amounts.defined(), [&](int d) {
    const bool always = d == model::kCpu || d == model::kMemory;
    if (always || !amounts.IsZero(d)) list.Set(dimensions.name(d), ToQuantity(d, amounts[d]));
  });
  return list;
}

boost::json::object ToJson(const kube::ResourceList& list) {
  boost::json::object out;
  for (const auto& [name, quantity] : list) out[name] = quantity.ToString();
  return out;
}

}  // namespace basalt::scheduler::explain
