#include "fuzz/coverage.h"

#include <bit>
#include <cstddef>
#include <cstdint>

// g++ calls these at every comparison of the instrumented code. The sanitizers' runtime has empty
// ones; ours take their place. They must not be instrumented themselves.
#define BASALT_HOOK __attribute__((no_sanitize_coverage, no_sanitize("address", "undefined")))

namespace basalt::fuzz {
namespace {

constexpr std::size_t kFeatures = 1 << 18;
unsigned char g_seen[kFeatures];
bool g_new = false;

// A feature is a place and how many bits of its operands differ.
BASALT_HOOK inline void Note(void* place, std::uint64_t a, std::uint64_t b) {
  const auto at = reinterpret_cast<std::uintptr_t>(place);
  const std::uint64_t feature =
      (at * 67 + static_cast<unsigned>(std::popcount(a ^ b))) * 0x9e3779b97f4a7c15 >> 46;
  unsigned char& seen = g_seen[feature];
  g_new = g_new | (seen == 0);
  seen = 1;
}

}  // namespace

BASALT_HOOK bool TookNewPath() {
  const bool took = g_new;
  g_new = false;
  return took;
}

}  // namespace basalt::fuzz

#define BASALT_NOTE(a, b) basalt::fuzz::Note(__builtin_return_address(0), a, b)

extern "C" {
BASALT_HOOK void __sanitizer_cov_trace_cmp1(uint8_t a, uint8_t b) { BASALT_NOTE(a, b); }
BASALT_HOOK void __sanitizer_cov_trace_cmp2(uint16_t a, uint16_t b) { BASALT_NOTE(a, b); }
BASALT_HOOK void __sanitizer_cov_trace_cmp4(uint32_t a, uint32_t b) { BASALT_NOTE(a, b); }
BASALT_HOOK void __sanitizer_cov_trace_cmp8(uint64_t a, uint64_t b) { BASALT_NOTE(a, b); }
BASALT_HOOK void __sanitizer_cov_trace_const_cmp1(uint8_t a, uint8_t b) { BASALT_NOTE(a, b); }
BASALT_HOOK void __sanitizer_cov_trace_const_cmp2(uint16_t a, uint16_t b) { BASALT_NOTE(a, b); }
BASALT_HOOK void __sanitizer_cov_trace_const_cmp4(uint32_t a, uint32_t b) { BASALT_NOTE(a, b); }
BASALT_HOOK void __sanitizer_cov_trace_const_cmp8(uint64_t a, uint64_t b) { BASALT_NOTE(a, b); }
BASALT_HOOK void __sanitizer_cov_trace_cmpf(float, float) {}
BASALT_HOOK void __sanitizer_cov_trace_cmpd(double, double) {}
// cases[0] is their number, cases[1] the width of the value; the cases follow.
BASALT_HOOK void __sanitizer_cov_trace_switch(uint64_t value, uint64_t* cases) {
  std::uint64_t hit = ~std::uint64_t{0};
  for (std::uint64_t n = 0; n < cases[0]; ++n) {
    if (cases[n + 2] == value) hit = n;
  }
  basalt::fuzz::Note(__builtin_return_address(0), hit * 0x9e3779b97f4a7c15, 0);
}
}
