#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace basalt::systemtest {

// A program under test. Killed when it goes out of scope.
class ChildProcess {
 public:
  // The `basalt` that was built beside this test program, with its output captured.
  static ChildProcess Basalt(std::vector<std::string> arguments);
  // The same, called by another name.
  static ChildProcess BasaltAs(std::string name, std::vector<std::string> arguments);

  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess();

  // The next line of standard output; nothing: it ended, or nothing came in time.
  std::optional<std::string> ReadLine(std::chrono::milliseconds most = std::chrono::seconds(60));
  void Signal(int signal);
  // What it has computed so far, whoever else computes beside it; while it runs.
  std::chrono::nanoseconds CpuTime() const;
  // Its exit code (128 + the signal that ended it); nothing: it still runs after that time.
  std::optional<int> Wait(std::chrono::milliseconds most = std::chrono::seconds(60));
  // All that it has said on standard error; after Wait.
  std::string Errors();
  std::string Output();

 private:
  ChildProcess() = default;
  static std::string ReadAll(int fd);

  pid_t pid_ = -1;
  int out_ = -1;
  int err_ = -1;
  std::string buffered_;
  std::optional<int> exit_code_;
};

}  // namespace basalt::systemtest
