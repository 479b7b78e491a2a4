#include "cli/open_files.h"

#include <sys/resource.h>

#include <cerrno>
#include <cstring>

#include "base/log.h"

namespace basalt::cli {

void RaiseOpenFileLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max) return;
  limit.rlim_cur = limit.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) {
    log::Warning("the limit of open files stays low", {{"error", std::strerror(errno)}});
  }
}

}  // namespace basalt::cli
