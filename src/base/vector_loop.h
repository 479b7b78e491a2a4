#pragma once

// Before a function whose loop is worth vectorising: it is compiled twice, and the machine that it
// runs on chooses. The choice is made while the program is loaded, before a sanitizer's runtime is
// ready, and would crash there: sanitizer builds have one plain version.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define BASALT_VECTOR_LOOP
#else
#define BASALT_VECTOR_LOOP \
  __attribute__((target_clones("avx2", "default"), optimize("O3", "no-trapping-math")))
#endif
