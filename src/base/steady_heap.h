#pragma once

namespace basalt {

// For programs that run for months while small objects come and go by the thousand each second.
// Left to itself glibc's allocator takes larger and larger blocks from the heap of small ones (its
// threshold follows what was freed), keeps what is free at the top, and has a heap for each thread:
// resident memory grows by a tenth in ten minutes though nothing is kept. Call it first in main.
void KeepHeapSteady();

}  // namespace basalt
