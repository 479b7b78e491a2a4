#include "descheduler/migration/plan_ids.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace basalt::descheduler {
namespace {

constexpr std::size_t kPrefix = 10;  // "d", eight digits, "-"

// FNV-1a: the same in every process, and all that is asked of it.
std::uint32_t DigestOf(std::string_view text) {
  std::uint32_t digest = 2166136261u;
  for (const char c : text) digest = (digest ^ static_cast<unsigned char>(c)) * 16777619u;
  return digest;
}

}  // namespace

std::string PlanId(std::string_view descheduler, std::string_view random) {
  return fmt::format("d{:08x}-{}", DigestOf(descheduler), random);
}

bool IsPlanOf(std::string_view descheduler, std::string_view plan) {
  return plan.size() > kPrefix && plan.starts_with(PlanId(descheduler, ""));
}

bool LooksLikePlan(std::string_view plan) {
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return plan.size() > kPrefix && plan[0] == 'd' && plan[kPrefix - 1] == '-' &&
         std::ranges::all_of(plan.substr(1, kPrefix - 2), is_hex);
}

}  // namespace basalt::descheduler
