#include "cli/atomic_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace basalt::cli {

Result<void> WritePrivateFile(const std::string& path, std::string_view contents) {
  std::string temporary = path + ".XXXXXX";
  const auto fail = [&](std::string_view doing) {
    const int reason = errno;
    return Fail(ErrorCode::kUnknown, fmt::format("{} {}: {}", doing, path, std::strerror(reason)));
  };
  const int file = mkostemp(temporary.data(), O_CLOEXEC);  // mode 0600
  if (file < 0) return fail("creating a file beside");
  const auto give_up = [&](std::string_view doing) {
    auto error = fail(doing);
    close(file);
    unlink(temporary.c_str());
    return error;
  };
  if (fchmod(file, 0600) != 0) return give_up("setting the mode of");
  while (!contents.empty()) {
    const ssize_t written = write(file, contents.data(), contents.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return give_up("writing");
    }
    contents.remove_prefix(static_cast<std::size_t>(written));
  }
  if (fsync(file) != 0) return give_up("writing");
  if (std::rename(temporary.c_str(), path.c_str()) != 0) return give_up("renaming to");
  close(file);
  return {};
}

}  // namespace basalt::cli
