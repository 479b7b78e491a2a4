// The asan preset records comparisons for the fuzzers (fuzz/coverage.h). The sanitizer's own
// runtime has empty hooks for programs that do not care, but for those of floating point.
#ifdef __SANITIZE_ADDRESS__
extern "C" {
__attribute__((weak)) void __sanitizer_cov_trace_cmpf(float, float) {}
__attribute__((weak)) void __sanitizer_cov_trace_cmpd(double, double) {}
}
#endif
