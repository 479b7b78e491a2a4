#include "base/steady_heap.h"

#include <malloc.h>

namespace basalt {

void KeepHeapSteady() {
  constexpr int kLargeBlock = 128 * 1024;  // from there on a mapping of its own, given back at once
  mallopt(M_MMAP_THRESHOLD, kLargeBlock);
  mallopt(M_TRIM_THRESHOLD, kLargeBlock);
  mallopt(M_ARENA_MAX, 1);  // nearly everything is allocated on the loop's thread
}

}  // namespace basalt
