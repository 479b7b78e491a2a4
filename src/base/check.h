#pragma once

// BASALT_CHECK(condition) aborts with a message when a bug has made `condition` false. It is always
// on. Likely failures are an Error instead.
namespace basalt::internal {
[[noreturn]] void CheckFailed(const char* condition, const char* file, int line);
}

#define BASALT_CHECK(condition) \
  ((condition) ? (void)0 : ::basalt::internal::CheckFailed(#condition, __FILE__, __LINE__))
