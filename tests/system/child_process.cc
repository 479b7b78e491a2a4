#include "tests/system/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <utility>

#include "base/check.h"

extern char** environ;

namespace basalt::systemtest {

using Clock = std::chrono::steady_clock;

ChildProcess ChildProcess::Basalt(std::vector<std::string> arguments) {
  return BasaltAs("basalt", std::move(arguments));
}

ChildProcess ChildProcess::BasaltAs(std::string name, std::vector<std::string> arguments) {
  const std::string program =
      (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "basalt").string();
  arguments.insert(arguments.begin(), std::move(name));
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  // Standard error goes to a file without a name: however much it says, it never blocks.
  ChildProcess child;
  int out[2];
  BASALT_CHECK(pipe2(out, O_CLOEXEC) == 0);
  // What it writes goes to the end, also while somebody reads.
  child.err_ = open("/tmp", O_TMPFILE | O_RDWR | O_APPEND | O_CLOEXEC, 0600);
  BASALT_CHECK(child.err_ >= 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, child.err_, STDERR_FILENO);
  const int failed =
      posix_spawn(&child.pid_, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(out[1]);
  child.out_ = out[0];
  BASALT_CHECK(failed == 0);
  return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      out_(std::exchange(other.out_, -1)),
      err_(std::exchange(other.err_, -1)),
      buffered_(std::move(other.buffered_)),
      exit_code_(other.exit_code_) {}

ChildProcess::~ChildProcess() {
  if (pid_ > 0 && !exit_code_) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  if (out_ >= 0) close(out_);
  if (err_ >= 0) close(err_);
}

std::optional<std::string> ChildProcess::ReadLine(std::chrono::milliseconds most) {
  const auto deadline = Clock::now() + most;
  while (true) {
    if (const std::size_t end = buffered_.find('\n'); end != std::string::npos) {
      std::string line = buffered_.substr(0, end);
      buffered_.erase(0, end + 1);
      return line;
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    pollfd readable{out_, POLLIN, 0};
    if (left.count() <= 0 || poll(&readable, 1, static_cast<int>(left.count())) <= 0) {
      return std::nullopt;
    }
    char piece[4096];
    const ssize_t got = read(out_, piece, sizeof piece);
    if (got <= 0) return std::nullopt;
    buffered_.append(piece, static_cast<std::size_t>(got));
  }
}

void ChildProcess::Signal(int signal) { kill(pid_, signal); }

std::chrono::nanoseconds ChildProcess::CpuTime() const {
  clockid_t clock{};
  timespec time{};
  BASALT_CHECK(clock_getcpuclockid(pid_, &clock) == 0 && clock_gettime(clock, &time) == 0);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

std::optional<int> ChildProcess::Wait(std::chrono::milliseconds most) {
  if (exit_code_) return exit_code_;
  // Readable once the process has ended.
  const int process = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
  pollfd ended{.fd = process, .events = POLLIN, .revents = 0};
  const bool over = poll(&ended, 1, static_cast<int>(most.count())) > 0;
  close(process);
  int status = 0;
  if (!over || waitpid(pid_, &status, WNOHANG) != pid_) return std::nullopt;
  exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return exit_code_;
}

std::string ChildProcess::ReadAll(int fd) {
  std::string text;
  char piece[4096];
  ssize_t got;
  while ((got = read(fd, piece, sizeof piece)) > 0)
    text.append(piece, static_cast<std::size_t>(got));
  return text;
}

std::string ChildProcess::Errors() {
  lseek(err_, 0, SEEK_SET);
  return ReadAll(err_);
}

std::string ChildProcess::Output() { return buffered_ + ReadAll(out_); }

}  // namespace basalt::systemtest
