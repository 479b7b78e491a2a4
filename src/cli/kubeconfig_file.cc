#include "cli/kubeconfig_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "cli/atomic_file.h"
#include "cli/yaml_text.h"
#include "kube/client/files.h"
#include "net/url.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostBytes = 16 * 1024 * 1024;
constexpr int kConnectMilliseconds = 300;

// FILE.lock, which kubectl and kind heed as well.
class FileLock {
 public:
  static Result<FileLock> Take(const std::string& path) {
    constexpr Duration kPatience = 3s, kPause = 20ms;
    const std::string lock = path + ".lock";
    for (Duration waited{0}; waited < kPatience; waited += kPause) {
      const int file = open(lock.c_str(), O_CREAT | O_EXCL | O_CLOEXEC, 0600);
      if (file >= 0) {
        close(file);
        return FileLock(lock);
      }
      if (errno != EEXIST) {
        return Fail(ErrorCode::kUnknown, fmt::format("making {}: {}", lock, std::strerror(errno)));
      }
      std::this_thread::sleep_for(kPause);
    }
    return Fail(ErrorCode::kUnknown,
                fmt::format("somebody else is writing {}: {} is there; remove it if nobody is",
                            path, lock));
  }
  FileLock(FileLock&& other) noexcept : path_(std::exchange(other.path_, "")) {}
  FileLock& operator=(FileLock&&) = delete;
  ~FileLock() {
    if (!path_.empty()) unlink(path_.c_str());
  }

 private:
  explicit FileLock(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

// nullopt: there is no such file.
Result<std::optional<json::object>> Read(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return std::nullopt;
  const Result<std::string> text = kube::ReadFile(path, kMostBytes);
  if (!text) return std::unexpected(text.error());
  auto config = ParseKubeconfig(*text);
  if (!config) return std::unexpected(config.error().Wrap(path));
  return *std::move(config);
}

// Whether a server listens there.
bool Answers(const std::string& server) {
  const auto url = net::ParseUrl(server);
  if (!url) return false;
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICHOST;
  addrinfo* found = nullptr;
  if (getaddrinfo(url->host.c_str(), std::to_string(url->port).c_str(), &hints, &found) != 0) {
    return true;  // a name: no `up` of this machine wrote it, so it is left alone
  }
  const int connection = socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  bool answers = connect(connection, found->ai_addr, found->ai_addrlen) == 0;
  if (!answers && errno == EINPROGRESS) {
    pollfd ready{.fd = connection, .events = POLLOUT, .revents = 0};
    int problem = 0;
    socklen_t size = sizeof problem;
    answers = poll(&ready, 1, kConnectMilliseconds) == 1 &&
              getsockopt(connection, SOL_SOCKET, SO_ERROR, &problem, &size) == 0 && problem == 0;
  }
  if (connection >= 0) close(connection);
  freeaddrinfo(found);
  return answers;
}

// A link stays a link: what it leads to is written.
std::string Resolve(const std::string& path) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(path, error);
  if (error) return path;
  const std::filesystem::path resolved = std::filesystem::weakly_canonical(whole, error);
  return error ? whole.string() : resolved.string();
}

// The folder of the file, or the nearest one above it in which it can be made.
std::filesystem::path NearestFolder(const std::filesystem::path& file) {
  std::filesystem::path folder = file.parent_path();
  std::error_code error;
  while (!std::filesystem::exists(folder, error) && folder.has_relative_path()) {
    folder = folder.parent_path();
  }
  return folder;
}

// With those above it that are missing; for its owner alone, as tokens will be in it.
Result<void> MakeFolder(const std::filesystem::path& folder) {
  std::error_code error;
  if (folder.empty() || std::filesystem::exists(folder, error)) return {};
  if (auto above = MakeFolder(folder.parent_path()); !above) return above;
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    return Fail(ErrorCode::kUnknown,
                fmt::format("making {}: {}", folder.string(), std::strerror(errno)));
  }
  return {};
}

}  // namespace

Result<void> KubeconfigFile::Check() const {
  const std::string path = Resolve(path_);
  const std::string folder = (NearestFolder(path) / "").string();  // with it a file is no folder
  if (access(folder.c_str(), W_OK) != 0) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: its folder cannot be written: {}", path, std::strerror(errno)));
  }
  const auto config = Read(path);
  if (!config) return std::unexpected(config.error());
  return {};
}

Result<void> KubeconfigFile::Add(const UpCluster& cluster) {
  path_ = Resolve(path_);
  if (auto made = MakeFolder(std::filesystem::path(path_).parent_path()); !made) return made;
  const auto lock = FileLock::Take(path_);
  if (!lock) return std::unexpected(lock.error());
  auto config = Read(path_);
  if (!config) return std::unexpected(config.error());
  made_ = !config->has_value();
  json::object contents = made_ ? *ParseKubeconfig("") : std::move(**config);
  name_ = FreeName(contents, Answers);
  server_ = cluster.server;
  before_ = AddCluster(contents, name_, cluster);
  return WritePrivateFile(path_, YamlText(contents));
}

Result<void> KubeconfigFile::Remove() {
  if (name_.empty()) return {};
  const auto lock = FileLock::Take(path_);
  if (!lock) return std::unexpected(lock.error());
  auto config = Read(path_);
  if (!config) return std::unexpected(config.error());
  if (!config->has_value() || !RemoveCluster(**config, name_, server_, before_)) return {};
  if (!made_ || !HasNoEntries(**config)) return WritePrivateFile(path_, YamlText(**config));
  if (unlink(path_.c_str()) != 0) {
    return Fail(ErrorCode::kUnknown, fmt::format("removing {}: {}", path_, std::strerror(errno)));
  }
  return {};
}

}  // namespace basalt::cli
