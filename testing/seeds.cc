#include "testing/seeds.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace basalt::testutil {

namespace {
const char* ChosenSeed() {
  const char* chosen = std::getenv("BASALT_SEED");
  return chosen != nullptr && *chosen != '\0' ? chosen : nullptr;
}
}  // namespace

bool OneSeedOnly() { return ChosenSeed() != nullptr; }

bool ForEachSeed(int count, const std::function<void(std::uint64_t seed)>& test) {
  std::uint64_t first = 1;
  std::uint64_t last = static_cast<std::uint64_t>(count);
  if (const char* most = std::getenv("BASALT_SEEDS"); most != nullptr && *most != '\0') {
    last = std::strtoull(most, nullptr, 10);
  }
  if (const char* chosen = ChosenSeed()) {
    first = last = std::strtoull(chosen, nullptr, 10);
  }
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed) +
                 "; again with BASALT_SEED=" + std::to_string(seed));
    test(seed);
    if (::testing::Test::HasFailure() && !std::getenv("BASALT_KEEP_GOING")) return false;
  }
  return last - first + 1 >= static_cast<std::uint64_t>(count) && !::testing::Test::HasFailure();
}

}  // namespace basalt::testutil
