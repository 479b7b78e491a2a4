#include "kube/client/files.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace basalt::kube {
namespace {

std::unexpected<Error> FailWithErrno(const std::string& path, int number) {
  const ErrorCode code =
      number == ENOENT || number == ENOTDIR ? ErrorCode::kNotFound : ErrorCode::kInvalidArgument;
  return Fail(code, fmt::format("{}: {}", path, std::generic_category().message(number)));
}

}  // namespace

Result<std::string> ReadFile(const std::string& path, std::size_t limit) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return FailWithErrno(path, errno);
  std::string text;
  char buffer[16 * 1024];
  int failed = 0;
  while (text.size() <= limit) {
    const ssize_t got = read(fd, buffer, sizeof(buffer));
    if (got < 0) failed = errno;
    if (got <= 0) break;
    text.append(buffer, static_cast<std::size_t>(got));
  }
  close(fd);
  if (failed != 0) return FailWithErrno(path, failed);
  if (text.size() > limit) {
    return Fail(ErrorCode::kTooLarge, fmt::format("{}: larger than {} bytes", path, limit));
  }
  return text;
}

std::string_view TrimSpace(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

}  // namespace basalt::kube
